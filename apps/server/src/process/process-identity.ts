import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';

/** Start time in clock ticks since boot (field 22 of /proc/PID/stat); undefined when there is no such process, or no /proc. */
export function startTime(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ')[19];
  } catch {
    return undefined;
  }
}

/** Unique identity of this process among all replicas; a pid alone would be reused. */
export const processIdentity = () => `${hostname()} ${process.pid} ${startTime(process.pid) ?? '-'}`;

/** True only for a process of this machine that has certainly exited. */
export function isGone(identity: string): boolean {
  const [host, pid, started] = identity.split(' ');
  return host === hostname() && started !== '-' && startTime(process.pid) !== undefined && startTime(Number(pid)) !== started;
}
