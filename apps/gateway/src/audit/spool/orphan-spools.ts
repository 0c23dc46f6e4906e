import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Logger } from 'pino';
import type { SpoolCursor } from './batch-shipper.ts';
import { isAbandoned, writeOwner } from './owner.ts';
import { segmentsIn } from './segments.ts';

/** Within a spool's folder: the folder of the process that hands it in. */
const adopter = 'adopted';

export interface OrphanSpool extends SpoolCursor {
  bytes: () => number;
  /** Everything was handed in. */
  remove: () => void;
}

/**
 * Finds spools whose processes have ended and takes those that no other process has taken. That two never hand in the same spool only saves work: the
 * cursor in the database lets a batch count once.
 */
export function adoptOrphans(root: string, { held, log }: { held: ReadonlySet<string>; log: Logger }): OrphanSpool[] {
  return namesIn(root).flatMap((name) => {
    const folder = join(root, name);
    if (held.has(name) || !isAbandoned(folder)) return [];
    try {
      if (take(folder)) return [leftover(folder)];
    } catch (err) {
      log.warn({ err, spool: name }, 'a spool of the audit trail cannot be taken over yet');
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
    // To hand records in is what frees a full disk.
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
    return []; // nobody has made it yet
  }
}
