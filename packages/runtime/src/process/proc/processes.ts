import { readdirSync, readFileSync } from 'node:fs';

/** Distinguishes a process from a later process with the same number. */
export interface ProcessIdentity {
  pid: number;
  /** Clock ticks between the boot of the machine and the start of the process. */
  start: number;
}

export interface ProcessStat extends ProcessIdentity {
  state: string;
  ppid: number;
  cpuTicks: number;
  /** Ticks of children that have exited and were waited for. */
  childTicks: number;
}

/** Reads /proc/PID/stat; undefined if there is no such process. */
export function readStat(pid: number): ProcessStat | undefined {
  const text = readProc(`/proc/${pid}/stat`);
  return text === undefined ? undefined : parseStat(text);
}

export function parseStat(text: string): ProcessStat | undefined {
  const pid = Number.parseInt(text, 10);
  // The name in brackets may itself contain blanks and brackets.
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .trim()
    .split(' ');
  const start = Number(fields[19]);
  if (!Number.isInteger(pid) || !Number.isInteger(start)) return undefined;
  return {
    pid,
    start,
    state: fields[0] ?? '',
    ppid: Number(fields[1]),
    cpuTicks: Number(fields[11]) + Number(fields[12]),
    childTicks: Number(fields[13]) + Number(fields[14]),
  };
}

/** False for processes that have exited, even before their exit status is collected. */
export function isAlive(identity: ProcessIdentity): boolean {
  const stat = readStat(identity.pid);
  return stat !== undefined && stat.start === identity.start && stat.state !== 'Z' && stat.state !== 'X';
}

export function ownIdentity(): ProcessIdentity {
  const stat = readStat(process.pid);
  if (!stat) throw new Error('/proc is not mounted.');
  return { pid: stat.pid, start: stat.start };
}

/** All living processes below `root`, parents first, without `root` itself. */
export function descendants(root: number): ProcessStat[] {
  const found: ProcessStat[] = [];
  const seen = new Set([root]);
  let level = [root];
  while (level.length > 0) {
    const next: number[] = [];
    for (const pid of level) {
      for (const child of children(pid)) {
        if (seen.has(child)) continue;
        seen.add(child);
        const stat = readStat(child);
        if (!stat) continue;
        next.push(child);
        if (stat.state !== 'Z' && stat.state !== 'X') found.push(stat);
      }
    }
    level = next;
  }
  return found;
}

/** Sends a signal. It is not an error if the process has already exited. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

export function bootId(): string {
  return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
}

function children(pid: number): number[] {
  let threads: string[];
  try {
    threads = readdirSync(`/proc/${pid}/task`);
  } catch {
    return []; // the process has exited
  }
  return threads.flatMap((thread) => (readProc(`/proc/${pid}/task/${thread}/children`) ?? '').split(' ').filter(Boolean).map(Number));
}

function readProc(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined; // the process has exited, which every caller expects
  }
}
