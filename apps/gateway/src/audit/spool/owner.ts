import { readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';

const file = 'owner';
/** An owner file of another machine, or of a recreated container, that is not touched for this long belongs to a process that has ended. */
const silentMs = 60_000;

/** Identifies this process permanently: the system may reuse a pid later. */
const identity = `${hostname()} ${process.pid} ${startTime(process.pid) ?? '-'}`;

/** Writes the identity of the folder's owner. */
export const writeOwner = (folder: string): void => writeFileSync(join(folder, file), identity, { mode: 0o600 });

/** Marks the owner as alive. */
export const touchOwner = (folder: string): void => utimesSync(join(folder, file), new Date(), new Date());

/** Whether the owner of a folder has certainly ended. */
export function isAbandoned(folder: string): boolean {
  const path = join(folder, file);
  let owner: string;
  let isSilent: boolean;
  try {
    owner = readFileSync(path, 'utf8');
    isSilent = Date.now() - statSync(path).mtimeMs > silentMs;
  } catch {
    return Date.now() - (statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()) > silentMs;
  }
  if (owner === identity) return false;
  const [host, pid, started] = owner.split(' ');
  if (host !== hostname() || started === '-' || startTime(process.pid) === undefined) return isSilent;
  return startTime(Number(pid)) !== started;
}

/** Start time in clock ticks since boot; undefined when there is no such process, or no /proc. */
function startTime(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ')[19];
  } catch {
    return undefined;
  }
}
