import type { InstanceSpec } from '../../driver.ts';
import type { Host } from '../host/host.ts';
import type { SpareNetworks } from '../network/spare-networks.ts';
import type { Folder, SandboxRecord } from '../records/records.ts';
import { startSupervisor } from '../sandbox/launch.ts';
import { copyApp } from './copy-app.ts';
import { createSandbox, discardSandbox, waitUntilEntered } from './create-sandbox.ts';

/** Bound of the retries: another program can take a host port between its choice and its use. */
const ATTEMPTS = 3;

export interface InstanceStart {
  spec: InstanceSpec;
  signal: AbortSignal;
  spares?: SpareNetworks | undefined;
}

/** Starts an instance in a folder that does not exist yet. On failure nothing is left behind. */
export async function startInstance(host: Host, folder: Folder, { spec, signal, spares }: InstanceStart): Promise<SandboxRecord> {
  for (let attempt = 1; ; attempt++) {
    const { record, chain } = await createSandbox(host, folder, {
      identity: spec,
      egress: spec.egress,
      registries: [],
      kind: 'instance',
      ...(spec.hosts ? { hosts: spec.hosts } : {}),
      ...(spec.services ? { services: spec.services } : {}),
      launch: {
        hostname: 'agent',
        hasApp: true,
        mounts: spec.mounts,
        cwd: spec.cwd === '' ? '/app' : `/app/${spec.cwd}`,
        command: spec.command,
        env: spec.env,
        limits: spec.limits,
        dieWithParent: false,
      },
      copiedFrom: spec.app_dir,
      fill: (owner) => copyApp(spec.app_dir, folder.app, { owner, signal }),
      signal,
      spares,
    });
    // failpoint: sandbox-made
    try {
      startSupervisor(folder, chain);
      await waitUntilEntered(folder, record);
      // failpoint: process-started
      return record;
    } catch (error) {
      await discardSandbox(host, folder, record);
      if (attempt === ATTEMPTS || record.host_port === undefined) throw error;
    }
  }
}
