import { existsSync, rmSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Host } from '../host/host.ts';
import { cgroupUsage, oomKills, removeCgroup } from '../limits/cgroup.ts';
import { removeNetwork } from '../network/host-network.ts';
import { listNetworks, type NetworkSlot } from '../network/slots.ts';
import { outerProcesses, sandboxInit, sandboxProcesses } from '../proc/members.ts';
import { bootId, isAlive, signal } from '../proc/processes.ts';
import {
  decodeStatus,
  detectPhase,
  type Exit,
  type Folder,
  readStatus,
  readSupervisor,
  readText,
  type SandboxRecord,
} from '../records/records.ts';
import { writeDurably, writeJson } from '../records/write-record.ts';

export type ExitRecord = Exit & { cpu_ms: number };

/** The reason why the platform killed a sandbox. */
export type KillReason = 'disk' | 'memory';

/** Asks every process in the sandbox to exit. Returns false while the sandbox has no process yet. */
export function requestExit(folder: Folder, record: SandboxRecord): boolean {
  const processes = sandboxProcesses(folder, record);
  for (const pid of processes) signal(pid, 'SIGTERM');
  return processes.length > 0;
}

/** Ends everything in the sandbox at once. */
export function killSandbox(folder: Folder, record: SandboxRecord): void {
  // When the init of a process namespace dies, every process in the namespace dies.
  const init = sandboxInit(folder);
  if (init !== undefined) signal(init, 'SIGKILL');
  for (const pid of outerProcesses(folder, record)) signal(pid, 'SIGKILL');
}

const KILL_TIMEOUT_MS = 5_000;

/** Kills the sandbox. If it does not end, kills its supervisor, too. Throws if the sandbox survives even that. */
export async function killUntilEnded(
  folder: Folder,
  record: SandboxRecord,
  { name, hasEnded }: { name: string; hasEnded(withinMs: number): Promise<boolean> },
): Promise<void> {
  killSandbox(folder, record);
  if (await hasEnded(KILL_TIMEOUT_MS)) return;
  endSupervisor(folder);
  if (!(await hasEnded(KILL_TIMEOUT_MS))) throw new Error(`${name} did not end after SIGKILL.`);
}

/** The last resort when relays hang: kills their whole session. The end of the output is lost. */
function endSupervisor(folder: Folder): void {
  const supervisor = readSupervisor(folder);
  if (supervisor && isAlive(supervisor)) signal(-supervisor.pid, 'SIGKILL');
}

/** Waits until the supervisor has written its last file and exited; kills it if that takes too long. */
export async function waitForSupervisor(folder: Folder): Promise<void> {
  const supervisor = readSupervisor(folder);
  if (!supervisor) return;
  const deadline = performance.now() + KILL_TIMEOUT_MS;
  for (let pause = 2; isAlive(supervisor) && performance.now() < deadline; pause = Math.min(pause * 1.3, 50)) await sleep(pause);
  endSupervisor(folder);
}

/** Ends the background processes that an exited instance left. Without a process namespace they keep running and keep its output open. */
export function endLeftovers(folder: Folder, record: SandboxRecord): void {
  if (record.mode === 'unsandboxed' && existsSync(folder.code) && !existsSync(folder.status)) killSandbox(folder, record);
}

export function markKilled(folder: Folder, reason: KillReason): void {
  writeDurably(folder.killed, reason);
}

/** Resolves to false when the sandbox has not ended within the time. */
export async function waitForEnd(folder: Folder, record: SandboxRecord, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  for (let pause = 2; detectPhase(folder, record) !== 'ended'; pause = Math.min(pause * 1.3, 50)) {
    const left = deadline - performance.now();
    if (left <= 0) return false;
    await sleep(Math.min(pause, left));
  }
  return true;
}

/**
 * Records the result of an ended sandbox, and removes its control group and network. Idempotent. If the record cannot be written, nothing
 * is removed yet: while the control group exists, the cause of the end can be read again.
 */
export async function concludeExit(host: Host, folder: Folder, record: SandboxRecord): Promise<ExitRecord> {
  const status = readStatus(folder);
  const killed = readText(folder.killed)?.trimEnd();
  const sameBoot = record.boot === bootId();
  const kills = record.cgroup && sameBoot ? oomKills(record.cgroup) : 0;
  const cpu_ms = (record.cgroup && sameBoot && cgroupUsage(record.cgroup)?.cpu_ms) || 0;
  const decoded = status !== undefined ? decodeStatus(status) : { code: null, signal: null };
  const ending: ExitRecord = {
    ...decoded,
    oom: killed === 'memory' || (kills > 0 && decoded.code !== 0),
    disk_full: killed === 'disk' || decoded.signal === 'SIGXFSZ',
    at: (statSync(folder.status, { throwIfNoEntry: false })?.mtime ?? new Date()).toISOString(),
    cpu_ms,
  };
  // Written before the control group is removed, because parts of it are read from the control group.
  try {
    writeJson(folder.exit, ending);
  } catch (error) {
    host.troubles.tell(
      `end of ${record.id}`,
      { err: error, instance: record.id },
      'How an instance ended could not be noted; tried again.',
    );
    return ending;
  }
  host.troubles.over(`end of ${record.id}`);
  // failpoint: exit-noted
  await releaseResources(host, folder, record);
  return ending;
}

/**
 * The network slots of a sandbox. A start that was interrupted may have taken a slot without recording it, but the slot names its owner.
 */
function findNetworks(host: Host, record: SandboxRecord): NetworkSlot[] {
  if (record.network) return [record.network];
  if (host.mode !== 'root' || record.shares_network) return [];
  return listNetworks(host.tag).flatMap(({ network, owner }) => (owner === record.id ? [network] : []));
}

/**
 * Ends remaining processes and removes control group, network and slot. Failures are logged and retried by the removal of the instance and
 * the next start of a driver. Idempotent.
 */
export async function releaseResources(host: Host, folder: Folder, record: SandboxRecord): Promise<void> {
  if (record.boot !== bootId()) return; // the reboot removed all of it, and others may have the same slot and process ids now
  try {
    killSandbox(folder, record);
    if (record.cgroup) await removeCgroup(record.cgroup);
    for (const network of findNetworks(host, record)) await removeNetwork(host.tag, network, record.id);
    for (const path of [folder.tree, folder.arguments]) rmSync(path, { recursive: true, force: true });
  } catch (error) {
    host.log.error({ err: error, instance: record.id }, 'What an instance held on this machine could not be given back.');
  }
}
