import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { removeTree } from '@paddock/safe-files';

const staleMs = 120_000;
const renewMs = 10_000;

/** A build's claim on folders that builds share. Cleaners check the leases before they remove a folder. */
export interface Lease {
  /** Protects a folder (`layers/KEY`, `artifacts/KEY`) from removal. Call it before checking whether the folder exists. */
  hold: (name: string) => Promise<void>;
  /** Ends the lease. Call it once a deployment names what was built. The lease of a builder that died expires two minutes later. */
  release: () => Promise<void>;
}

const folderOf = (dataDir: string) => join(dataDir, 'leases');

export async function openLease(dataDir: string): Promise<Lease> {
  const folder = join(folderOf(dataDir), randomUUID());
  await mkdir(folder, { recursive: true });
  const renew = setInterval(() => {
    const now = new Date();
    // The lease was considered dead and removed. Folders that it protected may be removed as well; they are then built again.
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

/** The folders that builds of any process hold now. Removes the leases of dead builders. */
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
