import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Logger } from 'pino';
import type { SpoolCursor } from './batch-shipper.ts';
import { isAbandoned, writeOwner } from './owner.ts';
import { segmentsIn } from './segments.ts';

/** Folder within a spool's folder that names the process that ships it. */
const adopter = 'adopted';

export interface OrphanSpool extends SpoolCursor {
  bytes: () => number;
  /** Called when all records are shipped. */
  remove: () => void;
}

/**
 * Finds spools whose processes have exited and adopts those that no other process has adopted. The exclusion only saves work: the cursor in
 * the database makes each batch count once.
 */
export function adoptOrphans(root: string, { held, log }: { held: ReadonlySet<string>; log: Logger }): OrphanSpool[] {
  return namesIn(root).flatMap((name) => {
    const folder = join(root, name);
    if (held.has(name) || !isAbandoned(folder)) return [];
    try {
      if (take(folder)) return [leftover(folder)];
    } catch (err) {
      log.warn({ err, spool: name }, 'adopting an orphaned audit spool failed; retrying');
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
    // On a full disk the spool is adopted without the lock, because shipping records is what frees space.
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
    return []; // the folder does not exist yet
  }
}
