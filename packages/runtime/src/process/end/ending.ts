import { existsSync, rmSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Host } from '../host/host.ts';
import { cgroupUsage, oomKills, removeCgroup } from '../limits/cgroup.ts';
import { listNetworks, type NetworkSlot, removeNetwork } from '../network/host-network.ts';
import { outerProcesses, sandboxInit, sandboxProcesses } from '../proc/members.ts';
import { bootId, isAlive, signal } from '../proc/processes.ts';
import { writeJson, writeNote } from '../records/notes.ts';
import { decodeStatus, type Exit, type Folder, phaseOf, readText, type SandboxRecord, statusOf, supervisorOf } from '../records/records.ts';

export type Ending = Exit & { cpu_ms: number };

/** Why the platform itself ended a sandbox. */
export type KillReason = 'disk' | 'memory';

/** Asks every process in the sandbox to exit. False while there is none yet. */
export function askToExit(folder: Folder, record: SandboxRecord): boolean {
  const processes = sandboxProcesses(folder, record);
  for (const pid of processes) signal(pid, 'SIGTERM');
  return processes.length > 0;
}

/** Ends everything in the sandbox at once. */
export function killSandbox(folder: Folder, record: SandboxRecord): void {
  // With the init of its process namespace every process in it dies.
  const init = sandboxInit(folder);
  if (init !== undefined) signal(init, 'SIGKILL');
  for (const pid of outerProcesses(folder, record)) signal(pid, 'SIGKILL');
}

/** The last resort when relays hang: their whole session goes, and with it the end of the output. */
export function endSupervisor(folder: Folder): void {
  const supervisor = supervisorOf(folder);
  if (supervisor && isAlive(supervisor)) signal(-supervisor.pid, 'SIGKILL');
}

/**
 * Without a process namespace, what an ended instance left running in the background goes on, and holds its output open.
 * This ends it.
 */
export function endLeftovers(folder: Folder, record: SandboxRecord): void {
  if (record.mode === 'unsandboxed' && existsSync(folder.code) && !existsSync(folder.status)) killSandbox(folder, record);
}

export function markKilled(folder: Folder, reason: KillReason): void {
  writeNote(folder.killed, reason);
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

/**
 * Records how an ended sandbox ended and gives back what it held. Repeating it is harmless. Where the record cannot be written nothing is given back
 * yet: how it ended can be told again as long as its control group lasts.
 */
export async function concludeEnding(host: Host, folder: Folder, record: SandboxRecord): Promise<Ending> {
  const status = statusOf(folder);
  const killed = readText(folder.killed)?.trimEnd();
  const sameBoot = record.boot === bootId();
  const kills = record.cgroup && sameBoot ? oomKills(record.cgroup) : 0;
  const cpu_ms = (record.cgroup && sameBoot && cgroupUsage(record.cgroup)?.cpu_ms) || 0;
  const decoded = status !== undefined ? decodeStatus(status) : { code: null, signal: null };
  const ending: Ending = {
    ...decoded,
    oom: killed === 'memory' || (kills > 0 && decoded.code !== 0),
    disk_full: killed === 'disk' || decoded.signal === 'SIGXFSZ',
    at: (statSync(folder.status, { throwIfNoEntry: false })?.mtime ?? new Date()).toISOString(),
    cpu_ms,
  };
  // First what is known only as long as the control group lasts.
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
  await giveBack(host, folder, record);
  return ending;
}

/** A start that was cut off may have taken a slot before it came to note it: the slot names its owner. */
function networksOf(host: Host, record: SandboxRecord): NetworkSlot[] {
  if (record.network) return [record.network];
  if (host.mode !== 'root' || record.shares_network) return [];
  return listNetworks(host.tag).flatMap(({ network, owner }) => (owner === record.id ? [network] : []));
}

/**
 * Ends what may be left and removes control group, network and slot. What cannot be removed now is logged, and tried again
 * with the removal of the instance and when a driver starts. Repeating it is harmless.
 */
export async function giveBack(host: Host, folder: Folder, record: SandboxRecord): Promise<void> {
  if (record.boot !== bootId()) return; // the reboot took it all, and others may have the same numbers now
  try {
    killSandbox(folder, record);
    if (record.cgroup) await removeCgroup(record.cgroup);
    for (const network of networksOf(host, record)) await removeNetwork(host.tag, network, record.id);
    for (const path of [folder.tree, folder.arguments]) rmSync(path, { recursive: true, force: true });
  } catch (error) {
    host.log.error({ err: error, instance: record.id }, 'What an instance held on this machine could not be given back.');
  }
}
