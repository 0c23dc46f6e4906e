import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';

/**
 * The start of the process, in a form that no later process with the same pid repeats.
 * Undefined if it has exited, even if it is not reaped yet.
 */
export function processStart(pid: number): string | undefined {
  if (process.platform !== 'linux') {
    const { stdout } = spawnSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], { encoding: 'utf8', timeout: 5_000 });
    const [state = '', ...started] = stdout.trim().split(/\s+/);
    return state === '' || state.startsWith('Z') ? undefined : started.join(' ');
  }
  const status = linuxStatus(pid);
  return status && `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${status.startTicks}`;
}

/**
 * The running PostgreSQL processes of one data folder: the postmaster and, on Linux, its children, which may outlive it.
 * Every PostgreSQL process works in its data folder, so the folder's identity finds them in any mount namespace.
 */
export function postgresProcesses(folder: string): number[] {
  if (process.platform !== 'linux') return listedByCommand(folder);
  const home = statSync(folder, { bigint: true, throwIfNoEntry: false });
  if (!home) return [];
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => linuxStatus(pid)?.name === 'postgres' && worksIn(pid, home));
}

function worksIn(pid: number, home: { dev: bigint; ino: bigint }): boolean {
  try {
    const cwd = statSync(`/proc/${pid}/cwd`, { bigint: true });
    return cwd.dev === home.dev && cwd.ino === home.ino;
  } catch {
    return false; // exited meanwhile, or another user's: not ours either way
  }
}

function linuxStatus(pid: number): { name: string; startTicks: string } | undefined {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined; // no such process
  }
  const nameEnd = stat.lastIndexOf(')'); // a name may hold spaces and brackets itself
  const fields = stat.slice(nameEnd + 2).split(' ');
  if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
  return { name: stat.slice(stat.indexOf('(') + 1, nameEnd), startTicks: fields[19] ?? '' };
}

function listedByCommand(folder: string): number[] {
  const { stdout } = spawnSync('ps', ['-axww', '-o', 'pid=,stat=,command='], { encoding: 'utf8', timeout: 5_000 });
  return stdout.split('\n').flatMap((line) => {
    const [, pid, state] = /^ *(\d+) +(\S+) /.exec(line) ?? [];
    return line.includes(`/bin/postgres -D ${folder} `) && !state?.startsWith('Z') ? [Number(pid)] : [];
  });
}
