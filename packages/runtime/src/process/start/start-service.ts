import { mkdirSync, statSync } from 'node:fs';
import type { ServiceSpec } from '../../driver.ts';
import type { Host } from '../host/host.ts';
import { createCgroup } from '../limits/cgroup.ts';
import { serviceUid } from '../network/service-rules.ts';
import { keepRoom, writeJson } from '../records/notes.ts';
import { type Folder, newRecord, type SandboxRecord } from '../records/records.ts';
import { type LaunchSpec, prepareFolder, sandboxChain, startSupervisor } from '../sandbox/launch.ts';
import { discardSandbox, waitUntilEntered } from './create-sandbox.ts';

/** When the whole machine runs out of memory: after the agents (500), before the platform (0). */
const OOM_SCORE = 250;

/**
 * Starts a service in a folder that does not exist yet; on failure nothing of it is left. `closeOff` sees to it that services make no
 * connections.
 */
export async function startService(
  host: Host,
  folder: Folder,
  spec: ServiceSpec,
  closeOff: () => Promise<void>,
  signal: AbortSignal,
): Promise<SandboxRecord> {
  signal.throwIfAborted();
  for (const { from } of spec.mounts) statSync(from); // what is missing is named best here
  const record = newRecord({ id: spec.id, deployment_id: '', generation: 0, limits: spec.limits }, host.mode);
  record.shares_network = true;
  record.stop_signal = spec.stop_signal;
  if (host.mode === 'root') record.uid = serviceUid(spec.user);
  mkdirSync(folder.path, { mode: 0o700, recursive: true });
  try {
    writeJson(folder.record, record);
    keepRoom(folder);
    const disableUserNamespaces = host.mode === 'unsandboxed' ? false : await host.disableUserNamespaces();
    await closeOff();
    if (host.cgroups) record.cgroup = createCgroup(host.cgroups, record.id, spec.limits);
    writeJson(folder.record, record);
    const { command, env, mounts, cwd, limits } = spec;
    const launch: LaunchSpec = {
      ...{ command, env, mounts, cwd, limits, disableUserNamespaces },
      ...{ hostname: 'service', hasApp: false, hosts: [], resolvers: [], hostPorts: [], loopbackPorts: [], oomScore: OOM_SCORE },
      // What the program leaves running goes with it, and nothing runs that has lost its supervisor.
      dieWithParent: true,
    };
    prepareFolder(folder, launch, record.uid);
    signal.throwIfAborted();
    startSupervisor(folder, sandboxChain(folder, record, launch));
    await waitUntilEntered(folder, record);
    return record;
  } catch (error) {
    await discardSandbox(host, folder, record);
    throw error;
  }
}
