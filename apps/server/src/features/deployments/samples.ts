import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { zipSync } from 'fflate';
import type { Blobs } from '../../blobs/blobs.ts';

/** The repository's examples as archives, created when a user deploys one. */
export const sampleArchives = (examplesDir: string, blobs: Blobs) => async (name: string) => {
  if (!/^[a-z0-9-]{1,40}$/.test(name) || !isFolder(join(examplesDir, name))) return undefined;
  const root = join(examplesDir, name);
  const files: Record<string, Uint8Array> = {};
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) {
      const path = join(entry.parentPath, entry.name);
      files[path.slice(root.length + 1)] = readFileSync(path);
    }
  // Equal content gives an equal archive, so that its build is reused.
  const zip = zipSync(files, { mtime: new Date('2020-01-01T00:00:00Z') });
  const blob = await blobs.receive(Readable.from([Buffer.from(zip)]), zip.length);
  return { blob: blob.id, name: `${name}.zip`, bytes: blob.bytes, sha256: blob.sha256 };
};

const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
