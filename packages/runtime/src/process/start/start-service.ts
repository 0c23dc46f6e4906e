import { mkdirSync, statSync } from 'node:fs';
import type { ServiceSpec } from '../../driver.ts';
import type { Host } from '../host/host.ts';
import { createCgroup } from '../limits/cgroup.ts';
import { serviceUid } from '../network/service-rules.ts';
import { type Folder, newRecord, type SandboxRecord } from '../records/records.ts';
import { reserveSpace, writeJson } from '../records/write-record.ts';
import { prepareFolder, sandboxChain, startSupervisor } from '../sandbox/launch.ts';
import type { LaunchSpec } from '../sandbox/launch-spec.ts';
import { discardSandbox, waitUntilEntered } from './create-sandbox.ts';

/** OOM score: the kernel kills services after the agents (500) and before the platform (0). */
const OOM_SCORE = 250;

export interface ServiceStart {
  spec: ServiceSpec;
  signal: AbortSignal;
  /** Writes the rules that prevent services from opening connections. */
  closeOff(): Promise<void>;
}

/** Starts a service in a folder that does not exist yet. On failure nothing is left behind. */
export async function startService(host: Host, folder: Folder, { spec, signal, closeOff }: ServiceStart): Promise<SandboxRecord> {
  signal.throwIfAborted();
  for (const { from } of spec.mounts) statSync(from); // throws with the path of a missing mount
  const record = newRecord({ id: spec.id, deployment_id: '', generation: 0, limits: spec.limits }, host.mode);
  record.shares_network = true;
  record.stop_signal = spec.stop_signal;
  if (host.mode === 'root') record.uid = serviceUid(spec.user);
  mkdirSync(folder.path, { mode: 0o700, recursive: true });
  try {
    writeJson(folder.record, record);
    reserveSpace(folder);
    const disableUserNamespaces = host.mode === 'unsandboxed' ? false : await host.disableUserNamespaces();
    await closeOff();
    if (host.cgroups) record.cgroup = createCgroup(host.cgroups, record.id, { limits: spec.limits, kind: 'instance' });
    writeJson(folder.record, record);
    const launch: LaunchSpec = {
      hostname: 'service',
      hasApp: false,
      mounts: spec.mounts,
      cwd: spec.cwd,
      command: spec.command,
      env: spec.env,
      limits: spec.limits,
      hosts: [],
      resolvers: [],
      hostPorts: [],
      loopbackPorts: [],
      // Processes that the program leaves behind end with it, and nothing keeps running without its supervisor.
      dieWithParent: true,
      disableUserNamespaces,
      oomScore: OOM_SCORE,
    };
    prepareFolder(folder, launch, record.uid);
    signal.throwIfAborted();
    startSupervisor(folder, sandboxChain({ folder, record, launch }));
    await waitUntilEntered(folder, record);
    return record;
  } catch (error) {
    await discardSandbox(host, folder, record);
    throw error;
  }
}
