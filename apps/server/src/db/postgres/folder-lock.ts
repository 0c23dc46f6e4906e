import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartRefused } from '../../process/start-refused.ts';
import { processStart } from './processes.ts';

const MAX_ATTEMPTS = 5;

/**
 * Locks the folder for one kind of work, named by the file, until the returned function is called or this process dies.
 * Throws with a message for the operator if another running process holds the lock.
 */
export function lockFolder(dataDir: string, name = 'postgres.lock'): () => void {
  const file = join(dataDir, name);
  const mine = JSON.stringify({ pid: process.pid, started: processStart(process.pid) });
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, mine);
  try {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      if (linked(draft, file)) return () => rmSync(file, { force: true });
      const holder = read(file);
      if (holder !== undefined && isLiving(holder)) {
        const { pid } = JSON.parse(holder) as { pid: number };
        throw new StartRefused(
          `Process ${pid} already runs Paddock on ${dataDir}. Stop it first, or set PADDOCK_DATA_DIR to another folder.`,
        );
      }
      if (holder !== undefined) takeAway(file, holder);
    }
  } finally {
    rmSync(draft, { force: true });
  }
  throw new Error(`Could not lock ${dataDir}: other processes keep taking ${file}.`);
}

/** Removes a dead holder's file. A file that a third process has created meanwhile is put back. */
function takeAway(file: string, seen: string): void {
  const aside = `${file}.${process.pid}.old`;
  try {
    renameSync(file, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  if (read(aside) !== seen) linked(aside, file);
  rmSync(aside, { force: true });
}

function linked(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function isLiving(holder: string): boolean {
  const { pid, started } = JSON.parse(holder) as { pid: number; started: string };
  return processStart(pid) === started;
}
