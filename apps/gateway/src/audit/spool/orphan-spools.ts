import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Logger } from 'pino';
import type { SpoolCursor } from './batch-shipper.ts';
import { isAbandoned, writeOwner } from './owner.ts';
import { segmentsIn } from './segments.ts';

/** Inside a spool's folder: the folder of the process that submits its records. */
const adopter = 'adopted';

export interface OrphanSpool extends SpoolCursor {
  bytes: () => number;
  /** Removes the spool after all of it was submitted. */
  remove: () => void;
}

/**
 * Finds spools whose processes have ended, and adopts those that no other process has adopted. Exclusive adoption only saves work: the cursor in the
 * database makes a batch count once.
 */
export function adoptOrphans(root: string, { held, log }: { held: ReadonlySet<string>; log: Logger }): OrphanSpool[] {
  return namesIn(root).flatMap((name) => {
    const folder = join(root, name);
    if (held.has(name) || !isAbandoned(folder)) return [];
    try {
      if (take(folder)) return [leftover(folder)];
    } catch (err) {
      log.warn({ err, spool: name }, 'orphaned audit spool cannot be adopted yet');
    }
    return [];
  });
}

function take(folder: string): boolean {
  const lock = join(folder, adopter);
  try {
    mkdirSync(lock, { mode: 0o700 });
    writeOwner(lock);
  } catch (err) {
    const { code } = err as NodeJS.ErrnoException;
    // A full disk does not prevent adoption: submitting the records frees it.
    if (code !== 'EEXIST') return code === 'ENOSPC';
    if (!isAbandoned(lock)) return false;
    writeOwner(lock);
  }
  return true;
}

function leftover(folder: string): OrphanSpool {
  const segments = segmentsIn(folder);
  return {
    id: basename(folder),
    segments,
    handedIn: (segments[0]?.first ?? 1) - 1,
    offset: 0,
    drop: (segment) => {
      segments.splice(segments.indexOf(segment), 1);
      rmSync(segment.path, { force: true });
    },
    bytes: () => segments.reduce((sum, { size }) => sum + size, 0),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function namesIn(root: string): string[] {
  try {
    return readdirSync(root).filter((name) => name.startsWith('spl_'));
  } catch {
    return []; // no process has created it yet
  }
}
