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
  /** Names the artifact; keep it, and `layer_keys`, from collection as long as a deployment uses it. */
  key: string;
  plan: Plan;
  /** The source with what the build made; never changed again. */
  app_dir: string;
  mounts: Mount[];
  /** Relative to /app. */
  cwd: string;
  command: string[];
  /** Of the plan and the languages; the project's own variables go over it. */
  env: Record<string, string>;
  warnings: string[];
  layer_keys: string[];
  /** Without a lock, the newest versions were installed; those of this day, the newest in the archive, may be tried instead. */
  newest_until?: string;
  /** The same, where the archive has no such day: what breaks may be held below its version. */
  is_unlocked?: true;
}

export async function hashFile(path: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path, { highWaterMark: 1024 ** 2 }), hash, { signal });
  return hash.digest('hex');
}

let ownCode: Promise<string> | undefined;

/** The digest of the builder's own code: other code may make another artifact of the same archive, so earlier artifacts do not count. */
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

/** An earlier artifact with all that it mounts, or null. `hold` keeps each part from removal. */
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
