import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { cgroupUsage, oomKills, removeCgroup } from './cgroup.ts';
import { removeNetwork } from './host-network.ts';
import { descendants, isAlive, readStat, signal } from './processes.ts';
import {
  decodeStatus,
  type Exit,
  type Folder,
  firstProcess,
  phaseOf,
  readText,
  type SandboxRecord,
  supervisorOf,
  writeJson,
} from './records.ts';

export type Ending = Exit & { cpu_ms: number };

/** Why the platform itself ended a sandbox. */
export type KillReason = 'disk' | 'memory';

/** Asks every process in the sandbox to exit. False while there is none yet. */
export function askToExit(folder: Folder): boolean {
  const first = sandboxInit(folder);
  // The first process is the sandbox's own init; what the agent started, however it detached, is below it.
  const processes = first === undefined ? [] : descendants(first);
  for (const { pid } of processes) signal(pid, 'SIGTERM');
  return processes.length > 0;
}

/** Ends everything in the sandbox at once; with the init of its process namespace every process in it dies. */
export function killSandbox(folder: Folder): void {
  const first = sandboxInit(folder);
  if (first !== undefined) return signal(first, 'SIGKILL');
  const supervisor = supervisorOf(folder);
  if (!supervisor || !isAlive(supervisor)) return;
  // Still on its way in: end the preparation, but not the relays, which end by themselves with the output.
  for (const { pid } of descendants(supervisor.pid)) if (nameOf(pid) !== 'cat') signal(pid, 'SIGKILL');
}

export function markKilled(folder: Folder, reason: KillReason): void {
  writeFileSync(folder.killed, reason);
}

/** Resolves to false when the sandbox has not ended within the time. */
export async function waitForEnd(folder: Folder, record: SandboxRecord, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  for (let pause = 2; phaseOf(folder, record) !== 'ended'; pause = Math.min(pause * 1.3, 50)) {
    const left = deadline - performance.now();
    if (left <= 0) return false;
    await sleep(Math.min(pause, left));
  }
  return true;
}

/** Records how an ended sandbox ended and gives back what it held. Repeating it is harmless. */
export async function concludeEnding(tag: string, folder: Folder, record: SandboxRecord): Promise<Ending> {
  const status = readText(folder.status)?.trim();
  const killed = readText(folder.killed);
  const sameBoot = record.boot === readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  const kills = record.cgroup && sameBoot ? oomKills(record.cgroup) : 0;
  const cpu_ms = (record.cgroup && sameBoot && cgroupUsage(record.cgroup)?.cpu_ms) || 0;
  const decoded = status ? decodeStatus(Number(status)) : { code: null, signal: null };
  const ending: Ending = {
    ...decoded,
    oom: killed === 'memory' || (kills > 0 && decoded.code !== 0),
    disk_full: killed === 'disk' || decoded.signal === 'SIGXFSZ',
    at: (statSync(folder.status, { throwIfNoEntry: false })?.mtime ?? new Date()).toISOString(),
    cpu_ms,
  };
  if (sameBoot) await giveBack(tag, folder, record);
  writeJson(folder.exit, ending);
  return ending;
}

/** Ends what may be left and removes control group, network and slot. */
export async function giveBack(tag: string, folder: Folder, record: SandboxRecord): Promise<void> {
  killSandbox(folder);
  if (record.cgroup) await removeCgroup(record.cgroup);
  if (record.network) await removeNetwork(tag, record.network);
  rmSync(folder.tree, { recursive: true, force: true });
}

/** The init of the sandbox's process namespace, if it lives and really is it: process numbers are used again. */
export function sandboxInit(folder: Folder): number | undefined {
  const pid = firstProcess(folder);
  const supervisor = supervisorOf(folder);
  if (pid === undefined || !supervisor) return undefined;
  const stat = readStat(pid);
  const isOurs = stat && stat.start >= supervisor.start && stat.start < supervisor.start + START_TICKS && nameOf(pid) === 'bwrap';
  return isOurs && stat.state !== 'Z' ? pid : undefined;
}

/** One minute: a sandbox that has not come up by then has failed. */
const START_TICKS = 6000;

function nameOf(pid: number): string {
  return readText(`/proc/${pid}/comm`)?.trim() ?? '';
}
