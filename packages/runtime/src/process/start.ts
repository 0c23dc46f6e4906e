import type { InstanceSpec } from '../driver.ts';
import { createSandbox, discardSandbox, waitUntilEntered } from './create.ts';
import type { Host } from './host.ts';
import { startSupervisor } from './launch.ts';
import { type Folder, type SandboxRecord } from './records.ts';
import { run } from './run.ts';

/** A host port can be taken between its choice and its use. */
const ATTEMPTS = 3;

/** Starts an instance in a folder that does not exist yet; on failure nothing of it is left. */
export async function startInstance(host: Host, folder: Folder, spec: InstanceSpec, signal: AbortSignal): Promise<SandboxRecord> {
  for (let attempt = 1; ; attempt++) {
    const { record, chain } = await createSandbox(
      host,
      folder,
      {
        identity: spec,
        egress: spec.egress,
        registries: [],
        needsPort: true,
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
        fill: (owner) => copyApp(spec.app_dir, folder.app, owner, signal),
      },
      signal,
    );
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

/** Modes and links are kept, owners are not; a link is never followed. */
async function copyApp(from: string, to: string, owner: number | undefined, signal: AbortSignal): Promise<void> {
  const options = { signal, timeoutMs: 120_000 };
  await run('cp', ['-R', '-P', '--preserve=mode,timestamps,links', '--reflink=auto', '-T', '--', from, to], options);
  if (owner !== undefined) await run('chown', ['-hR', `${owner}:${owner}`, '--', to], options);
}
