import { mkdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { InstanceSpec } from '../driver.ts';
import { createCgroup } from './cgroup.ts';
import { type Reach, resolveReach, sandboxRules } from './egress.ts';
import { concludeEnding } from './ending.ts';
import type { Host } from './host.ts';
import { createNetwork, takeSlot } from './host-network.ts';
import { type LaunchSpec, launchAsRoot, prepareFolder } from './launch.ts';
import { type Folder, newRecord, phaseOf, type SandboxRecord, supervisorOf, writeJson } from './records.ts';
import { run } from './run.ts';

/** Outside every range that distributions hand out: people, subordinate ids, containers. */
const FIRST_UID = 1_900_000_000;

/** Starts an instance in a folder that does not exist yet; on failure nothing of it is left. */
export async function startInstance(host: Host, folder: Folder, spec: InstanceSpec, signal: AbortSignal): Promise<SandboxRecord> {
  signal.throwIfAborted();
  const launch = async (reach: Reach): Promise<LaunchSpec> => ({
    ...{ hostname: 'agent', hasApp: true, mounts: spec.mounts, cwd: `/app/${spec.cwd}`.replace(/\/+$/, ''), command: spec.command },
    ...{ env: spec.env, limits: spec.limits, hosts: [], resolvers: reach.resolvers, dieWithParent: false },
  });
  mkdirSync(folder.path, { mode: 0o700 });
  const record = newRecord(spec, host.mode);
  try {
    writeJson(folder.record, record);
    const reach = await resolveReach(spec.egress.allow, [], signal);
    await enter(host, folder, record, reach, await launch(reach), signal, spec.app_dir);
    return record;
  } catch (error) {
    await concludeEnding(host.tag, folder, record);
    await rm(folder.path, { recursive: true, force: true });
    throw error;
  }
}

async function enter(
  host: Host,
  folder: Folder,
  record: SandboxRecord,
  reach: Reach,
  launch: LaunchSpec,
  signal: AbortSignal,
  appDir: string,
): Promise<void> {
  const network = takeSlot(host.tag, record.id);
  record.network = network;
  record.uid = FIRST_UID + network.slot;
  if (host.cgroups) record.cgroup = createCgroup(host.cgroups, record.id, launch.limits);
  writeJson(folder.record, record);
  prepareFolder(folder, launch, record.uid);
  // Both must be over before an error is handled, or the clean-up would race with the one still running.
  const parts = await Promise.allSettled([
    createNetwork(host.tag, network, sandboxRules(reach, 'eth0'), reach.resolvers, signal),
    copyApp(appDir, folder.app, record.uid, signal),
  ]);
  for (const part of parts) if (part.status === 'rejected') throw part.reason;
  launchAsRoot(folder, record, launch, { disableUserNamespaces: await host.disableUserNamespaces() });
  await waitForSupervisor(folder, record);
}

/** Modes and links are kept, owners are not; a link is never followed. */
async function copyApp(from: string, to: string, owner: number | undefined, signal: AbortSignal): Promise<void> {
  const options = { signal, timeoutMs: 120_000 };
  await run('cp', ['-R', '-P', '--preserve=mode,timestamps,links', '--reflink=auto', '-T', '--', from, to], options);
  if (owner !== undefined) await run('chown', ['-hR', `${owner}:${owner}`, '--', to], options);
}

async function waitForSupervisor(folder: Folder, record: SandboxRecord): Promise<void> {
  const deadline = performance.now() + 10_000;
  while (!supervisorOf(folder)) {
    if (performance.now() > deadline || phaseOf(folder, record) === 'ended') throw new Error(`Instance ${record.id} could not be started.`);
    await sleep(1);
  }
}
