import { readdirSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { cgroupProcesses } from '../limits/cgroup.ts';
import { ownerOf } from '../network/slots.ts';
import { detectPhase, type Folder, readJson, readSupervisor, readText, type SandboxRecord } from '../records/records.ts';
import { writeJson } from '../records/write-record.ts';
import { INSTANCE_MARK } from '../sandbox/unsandboxed.ts';
import { bootId, descendants, isAlive, type ProcessIdentity, type ProcessStat, readStat } from './processes.ts';

/**
 * The init of the sandbox's process namespace. All processes that the agent starts stay below it, however they detach. Undefined before the
 * init exists and after it has exited.
 */
export function sandboxInit(folder: Folder): number | undefined {
  const known = readJson<ProcessIdentity>(folder.init);
  if (known) return isAlive(known) ? known.pid : undefined;
  const supervisor = readSupervisor(folder);
  if (!supervisor || !isAlive(supervisor)) return undefined;
  const found = descendants(supervisor.pid).find(({ pid, ppid }) => nameOf(pid) === 'bwrap' && nameOf(ppid) === 'bwrap' && isInit(pid));
  if (!found) return undefined;
  // Recorded, so that the init can still be found and killed after the supervisor was killed.
  try {
    writeJson(folder.init, { pid: found.pid, start: found.start });
  } catch {
    return found.pid; // a full disk: the next call searches again
  }
  return found.pid;
}

/** Waits for the init of a sandbox that is just starting. */
export async function waitForInit(folder: Folder, record: SandboxRecord): Promise<number> {
  const deadline = performance.now() + 5000;
  for (;;) {
    const init = sandboxInit(folder);
    if (init !== undefined) return init;
    if (detectPhase(folder, record) === 'ended' || performance.now() > deadline) throw new Error(`Instance ${record.id} does not run.`);
    await sleep(5);
  }
}

/** The agent's processes, without those of the sandbox itself. */
export function sandboxProcesses(folder: Folder, record: SandboxRecord): number[] {
  if (record.mode === 'unsandboxed') return outerProcesses(folder, record);
  const init = sandboxInit(folder);
  return init === undefined ? [] : descendants(init).map(({ pid }) => pid);
}

/** The process of the sandbox's command, not its children. Undefined before it exists and after it has exited. */
export function mainProcess(folder: Folder, record: SandboxRecord): number | undefined {
  if (record.mode === 'unsandboxed') {
    const { supervisor, below, relaying } = family(folder);
    return below.find(({ pid, ppid }) => ppid === supervisor && !relaying.has(pid))?.pid;
  }
  const init = sandboxInit(folder);
  // Orphans become children of the init, too. bwrap always starts the command as number 2.
  return init === undefined
    ? undefined
    : descendants(init).find(({ pid, ppid }) => ppid === init && /^NSpid:.*\s2$/m.test(readProcFile(pid, 'status')))?.pid;
}

/** All processes of the sandbox on the host, except its supervisor and the relays of its output, which exit by themselves. */
export function outerProcesses(folder: Folder, record: SandboxRecord): number[] {
  const { supervisor, below, relaying } = family(folder);
  const members = below.map(({ pid }) => pid);
  if (record.cgroup) members.push(...cgroupProcesses(record.cgroup));
  if (record.mode === 'unsandboxed') members.push(...processesWhere((pid) => isMarked(pid, record)));
  if (supervisor === undefined) members.push(...orphans(folder, record));
  return [...new Set(members)].filter((pid) => pid !== supervisor && !relaying.has(pid));
}

const isMarked = (pid: number, { id }: SandboxRecord) => readProcFile(pid, 'environ').split('\0').includes(`${INSTANCE_MARK}=${id}`);

/** The supervisor, if it is alive, and all processes below it. `relaying` are those that relay the output. */
function family(folder: Folder): { supervisor: number | undefined; below: ProcessStat[]; relaying: Set<number> } {
  const supervisor = readSupervisor(folder);
  const relaying = new Set<number>();
  if (!supervisor || !isAlive(supervisor)) return { supervisor: undefined, below: [], relaying };
  const below = descendants(supervisor.pid);
  for (const { pid, ppid } of below) {
    if ((ppid === supervisor.pid && isRelay(pid, folder)) || relaying.has(ppid)) relaying.add(pid);
  }
  return { supervisor: supervisor.pid, below, relaying };
}

/** A relay is a shell that runs the supervisor's script, or a cat without arguments. The agent's processes have other command lines. */
function isRelay(pid: number, folder: Folder): boolean {
  const [name, file = '', argument] = readProcFile(pid, 'cmdline').split('\0');
  return (name === 'cat' && file === '') || (/(supervise|step)\.sh$/.test(file) && argument === folder.path);
}

/** Processes that survived their supervisor, identified by their user id or by the sandbox's folder on their command line. */
function orphans(folder: Folder, record: SandboxRecord): number[] {
  if (record.mode === 'unsandboxed' || record.boot !== bootId()) return [];
  if (record.shares_network) return processesWhere((pid) => isStarting(pid, folder) || seesHome(pid, folder));
  // The slot's next owner has the same user id.
  if (record.network && !ownerOf(record.network.slot)?.endsWith(` ${record.id}`)) return [];
  const isOurs = (pid: number) =>
    record.uid === undefined
      ? readProcFile(pid, 'cmdline').split('\0').includes(folder.path)
      : readProcFile(pid, 'status').includes(`\nUid:\t${record.uid}\t`);
  return processesWhere(isOurs).flatMap((pid) => [pid, ...descendants(pid).map((below) => below.pid)]);
}

const isStarting = (pid: number, folder: Folder) => readProcFile(pid, 'cmdline').split('\0').includes(folder.path);

/** Whether the process is in this very sandbox. The user id is not enough: services of other installations have the same ids. */
function seesHome(pid: number, folder: Folder): boolean {
  try {
    const own = statSync(folder.home);
    const seen = statSync(`/proc/${pid}/root/home/agent`);
    return own.dev === seen.dev && own.ino === seen.ino;
  } catch {
    return false; // the process has just exited, is another user's, or sees no such folder
  }
}

function processesWhere(matches: (pid: number) => boolean): number[] {
  const pids = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
  return pids.filter((pid) => pid !== process.pid && matches(pid) && readStat(pid)?.state !== 'Z');
}

function isInit(pid: number): boolean {
  return /^NSpid:.*\s1$/m.test(readProcFile(pid, 'status'));
}

function nameOf(pid: number): string {
  return readProcFile(pid, 'comm').trim();
}

function readProcFile(pid: number, file: string): string {
  try {
    return readText(`/proc/${pid}/${file}`) ?? '';
  } catch {
    return ''; // the process has just exited, or is another user's
  }
}
