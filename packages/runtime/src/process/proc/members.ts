import { readdirSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { cgroupProcesses } from '../limits/cgroup.ts';
import { ownerOf } from '../network/host-network.ts';
import { writeJson } from '../records/notes.ts';
import { type Folder, phaseOf, readJson, readText, type SandboxRecord, supervisorOf } from '../records/records.ts';
import { INSTANCE_MARK } from '../sandbox/unsandboxed.ts';
import { bootId, descendants, isAlive, type ProcessIdentity, type ProcessStat, readStat } from './processes.ts';

/**
 * The init of the sandbox's process namespace. Whatever the agent starts, and however it detaches, stays below it.
 * Undefined before it exists and after it has ended.
 */
export function sandboxInit(folder: Folder): number | undefined {
  const known = readJson<ProcessIdentity>(folder.init);
  if (known) return isAlive(known) ? known.pid : undefined;
  const supervisor = supervisorOf(folder);
  if (!supervisor || !isAlive(supervisor)) return undefined;
  const found = descendants(supervisor.pid).find(({ pid, ppid }) => nameOf(pid) === 'bwrap' && nameOf(ppid) === 'bwrap' && isInit(pid));
  if (!found) return undefined;
  // Remembered, so that it can still be found and ended should somebody kill the supervisor.
  try {
    writeJson(folder.init, { pid: found.pid, start: found.start });
  } catch {
    return found.pid; // a full disk: it is looked for again next time
  }
  return found.pid;
}

/** The same, waiting for a sandbox that is just coming up. */
export async function waitForInit(folder: Folder, record: SandboxRecord): Promise<number> {
  const deadline = performance.now() + 5000;
  for (;;) {
    const init = sandboxInit(folder);
    if (init !== undefined) return init;
    if (phaseOf(folder, record) === 'ended' || performance.now() > deadline) throw new Error(`Instance ${record.id} does not run.`);
    await sleep(5);
  }
}

/** The agent's processes, without those that make up the sandbox. */
export function sandboxProcesses(folder: Folder, record: SandboxRecord): number[] {
  if (record.mode === 'unsandboxed') return outerProcesses(folder, record);
  const init = sandboxInit(folder);
  return init === undefined ? [] : descendants(init).map(({ pid }) => pid);
}

/** The program itself, which the sandbox was made for: what it has started does not count. Undefined before it exists and after it has ended. */
export function mainProcess(folder: Folder, record: SandboxRecord): number | undefined {
  if (record.mode === 'unsandboxed') {
    const { supervisor, below, relaying } = family(folder);
    return below.find(({ pid, ppid }) => ppid === supervisor && !relaying.has(pid))?.pid;
  }
  const init = sandboxInit(folder);
  // Orphans within become children of the init, too; the program is the one that bwrap started, always as number 2.
  return init === undefined
    ? undefined
    : descendants(init).find(({ pid, ppid }) => ppid === init && /^NSpid:.*\s2$/m.test(textOf(pid, 'status')))?.pid;
}

/** Everything that belongs to the sandbox on the host but its supervisor and the relays of its output, which end by themselves. */
export function outerProcesses(folder: Folder, record: SandboxRecord): number[] {
  const { supervisor, below, relaying } = family(folder);
  const members = [
    ...below.map(({ pid }) => pid),
    ...(record.cgroup ? cgroupProcesses(record.cgroup) : []),
    ...(record.mode === 'unsandboxed'
      ? processesWhere((pid) => textOf(pid, 'environ').split('\0').includes(`${INSTANCE_MARK}=${record.id}`))
      : []),
    ...(supervisor === undefined ? orphans(folder, record) : []),
  ];
  return [...new Set(members)].filter((pid) => pid !== supervisor && !relaying.has(pid));
}

function family(folder: Folder): { supervisor: number | undefined; below: ProcessStat[]; relaying: Set<number> } {
  const supervisor = supervisorOf(folder);
  const relaying = new Set<number>();
  if (!supervisor || !isAlive(supervisor)) return { supervisor: undefined, below: [], relaying };
  const below = descendants(supervisor.pid);
  for (const { pid, ppid } of below) if ((ppid === supervisor.pid && isRelay(pid, folder)) || relaying.has(ppid)) relaying.add(pid);
  return { supervisor: supervisor.pid, below, relaying };
}

/** A relay is a shell of the supervisor's own script, or a cat without arguments; the agent's side has another command line. */
function isRelay(pid: number, folder: Folder): boolean {
  const [name, file = '', argument] = textOf(pid, 'cmdline').split('\0');
  return (name === 'cat' && file === '') || (/(supervise|step)\.sh$/.test(file) && argument === folder.path);
}

/** What goes on although its supervisor was killed: known by its user id, else by the folder on the command line of its network. */
function orphans(folder: Folder, record: SandboxRecord): number[] {
  if (record.mode === 'unsandboxed' || record.boot !== bootId()) return [];
  if (record.shares_network) return processesWhere((pid) => isStarting(pid, folder) || seesHome(pid, folder));
  // A user id goes with its slot to the next instance.
  if (record.network && !ownerOf(record.network.slot)?.endsWith(` ${record.id}`)) return [];
  const isOurs = (pid: number) =>
    record.uid === undefined
      ? textOf(pid, 'cmdline').split('\0').includes(folder.path)
      : textOf(pid, 'status').includes(`\nUid:\t${record.uid}\t`);
  return processesWhere(isOurs).flatMap((pid) => [pid, ...descendants(pid).map((below) => below.pid)]);
}

const isStarting = (pid: number, folder: Folder) => textOf(pid, 'cmdline').split('\0').includes(folder.path);

/** Whether the process lives in this very sandbox: user ids of services are the same in every installation of the machine. */
function seesHome(pid: number, folder: Folder): boolean {
  try {
    const [own, seen] = [statSync(folder.home), statSync(`/proc/${pid}/root/home/agent`)];
    return own.dev === seen.dev && own.ino === seen.ino;
  } catch {
    return false; // it has just ended, is another user's, or has no such folder
  }
}

function processesWhere(matches: (pid: number) => boolean): number[] {
  const pids = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
  return pids.filter((pid) => pid !== process.pid && matches(pid) && readStat(pid)?.state !== 'Z');
}

function isInit(pid: number): boolean {
  return /^NSpid:.*\s1$/m.test(textOf(pid, 'status'));
}

function nameOf(pid: number): string {
  return textOf(pid, 'comm').trim();
}

function textOf(pid: number, file: string): string {
  try {
    return readText(`/proc/${pid}/${file}`) ?? '';
  } catch {
    return ''; // it has just ended, or is another user's
  }
}
