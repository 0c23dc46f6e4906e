import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { touch } from './install/layers.ts';
import type { Lease } from './install/leases.ts';
import type { Plan } from './plan.ts';
import type { Mount } from './step.ts';

/** The result of a build: everything that starting the agent needs. */
export interface Artifact {
  /** The artifact's name. Protect it and `layer_keys` from collection as long as a deployment uses the artifact. */
  key: string;
  plan: Plan;
  /** The source with the output of the build. Never changed again. */
  app_dir: string;
  mounts: Mount[];
  /** Relative to /app. */
  cwd: string;
  command: string[];
  /** Variables of the plan and the languages. The project's own variables override them. */
  env: Record<string, string>;
  warnings: string[];
  layer_keys: string[];
  /**
   * The newest date in the archive, set if the newest versions were installed without a lock file. A retry may install the versions of that
   * date.
   */
  newest_until?: string;
  /**
   * Set if the newest versions were installed without a lock file and the archive has no usable date. A retry may require an earlier
   * version of the package that broke.
   */
  is_unlocked?: true;
}

export async function hashFile(path: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path, { highWaterMark: 1024 ** 2 }), hash, { signal });
  return hash.digest('hex');
}

let ownCode: Promise<string> | undefined;

/** The digest of the builder's own code. Other code may make another artifact of the same archive, so earlier artifacts do not count. */
export function rulesDigest(): Promise<string> {
  ownCode ??= digestCode(fileURLToPath(new URL('.', import.meta.url)));
  return ownCode;
}

export async function digestCode(folder: string): Promise<string> {
  const files = (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && !entry.name.includes('.test.'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  const hash = createHash('sha256');
  for (const file of files) hash.update(file.slice(folder.length)).update(await readFile(file));
  return hash.digest('hex');
}

/** An earlier artifact with all its mounts, or null. `hold` protects each part from removal. */
export async function readArtifact(dataDir: string, key: string, hold: Lease['hold']): Promise<Artifact | null> {
  await hold(`artifacts/${key}`);
  const home = join(dataDir, 'artifacts', key);
  if (!(await touch(home))) return null;
  const artifact = JSON.parse(await readFile(join(home, 'artifact.json'), 'utf8')) as Artifact;
  for (const layer of artifact.layer_keys) {
    await hold(`layers/${layer}`);
    if (!(await touch(join(dataDir, 'layers', layer)))) return null;
  }
  return [artifact.app_dir, ...artifact.mounts.map((m) => m.from)].every((path) => existsSync(path)) ? artifact : null;
}
