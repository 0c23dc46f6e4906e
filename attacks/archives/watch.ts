import { type Dirent, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Canary } from './kinds.ts';

/** Creates a folder that only an escape could write to, and searches every place that an escape could reach for the word. */
export function plantCanary(dataDir: string) {
  const folder = mkdtempSync(join(tmpdir(), 'paddock-attack-canary-'));
  const word = `escaped-${Math.random().toString(36).slice(2)}`;
  const places = [...new Set([folder, dataDir, dirname(dataDir), '/', '/etc', '/tmp', '/var/tmp', homedir(), process.cwd()])];
  return {
    canary: { folder, word } satisfies Canary,
    /** Paths outside of artifacts that an archive wrote. Artifacts hold the files that an archive may write. */
    escaped(): string[] {
      const found = places.flatMap((place) =>
        names(place)
          .filter((name) => name.includes(word) || name.includes('CANARY_RCE'))
          .map((name) => join(place, name)),
      );
      return [...found, ...below(dataDir).filter((path) => path.includes(word)), ...names(folder).map((name) => join(folder, name))];
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Leftovers of unfinished work: uploads in progress and incomplete artifacts. */
export const unfinished = (dataDir: string): string[] => [
  ...names(join(dataDir, 'blobs')).filter((name) => name.endsWith('.part')),
  ...names(join(dataDir, 'artifacts')).filter((name) => name.includes('.draft-')),
];

/** The peak memory of a process since the last `resetPeak`, in MB. */
export const peakMb = (pid: number): number =>
  Math.round(Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024);
export const resetPeak = (pid: number): void => writeFileSync(`/proc/${pid}/clear_refs`, '5');

/** The names in a folder; none if it is missing, since the server removes drafts and uploads meanwhile. */
export function names(folder: string): string[] {
  return entries(folder).map(({ name }) => name);
}

function entries(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** Walks folder by folder, so that a folder that disappears does not end the walk. */
function below(folder: string): string[] {
  return entries(folder).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? [path, ...below(path)] : [path];
  });
}
