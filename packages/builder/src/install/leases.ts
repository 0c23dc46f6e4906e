import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { removeTree } from '@paddock/safe-files';

const staleMs = 120_000;
const renewMs = 10_000;

/** What one build uses of the folders that builds share. Whoever removes something looks here last. */
export interface Lease {
  /** Keeps a folder (`layers/KEY`, `artifacts/KEY`) from removal. Call it before asking whether the folder exists. */
  hold: (name: string) => Promise<void>;
  /** Ends it; call it once a deployment names what was built. The lease of a builder that died ends by itself, two minutes later. */
  release: () => Promise<void>;
}

const folderOf = (dataDir: string) => join(dataDir, 'leases');

export async function openLease(dataDir: string): Promise<Lease> {
  const folder = join(folderOf(dataDir), randomUUID());
  await mkdir(folder, { recursive: true });
  const renew = setInterval(() => {
    const now = new Date();
    // A lease that was taken for dead is gone; what it held may be, too, and is then made again.
    utimes(folder, now, now).catch(() => clearInterval(renew));
  }, renewMs);
  renew.unref();
  return {
    hold: (name) => writeFile(join(folder, name.replace('/', '.')), ''),
    async release() {
      clearInterval(renew);
      await removeTree(folder);
    },
  };
}

/** The folders that builds hold now, of any process. Removes leases of the dead. */
export async function heldByBuilds(dataDir: string): Promise<Set<string>> {
  const all = folderOf(dataDir);
  const held = new Set<string>();
  for (const id of existsSync(all) ? await readdir(all) : []) {
    const folder = join(all, id);
    const last = await stat(folder).then(
      ({ mtimeMs }) => mtimeMs,
      () => undefined,
    );
    if (last === undefined) continue;
    if (Date.now() - last > staleMs) await removeTree(folder);
    else for (const name of await readdir(folder).catch(() => [])) held.add(name.replace('.', '/'));
  }
  return held;
}
