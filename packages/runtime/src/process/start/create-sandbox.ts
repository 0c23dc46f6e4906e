import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Egress, InstanceSpec } from '../../driver.ts';
import { giveBack } from '../end/ending.ts';
import type { Host } from '../host/host.ts';
import { run } from '../host/run.ts';
import { createCgroup } from '../limits/cgroup.ts';
import { overridingModes } from '../limits/usage.ts';
import { type Reach, resolveReach, sandboxRules, servicePorts } from '../network/egress.ts';
import { createNetwork, type NetworkSlot, openPorts, takeSlot } from '../network/host-network.ts';
import type { SpareNetworks } from '../network/spare-networks.ts';
import { keepRoom, writeJson, writeNote } from '../records/notes.ts';
import { type Folder, type Mode, newRecord, phaseOf, readText, type SandboxRecord } from '../records/records.ts';
import { SANDBOX_PORT } from '../sandbox/bwrap.ts';
import { type Chain, type LaunchSpec, prepareFolder, sandboxChain } from '../sandbox/launch.ts';

/** Outside every range that distributions hand out to people, subordinate users and containers. */
const FIRST_UID = 1_900_000_000;
const ENTER_TIMEOUT_MS = 15_000;

export interface CreateOptions {
  identity: Parameters<typeof newRecord>[0];
  egress: Egress;
  registries: { host: string; port: number }[];
  /** Of this machine's loopback, for its own. */
  services?: InstanceSpec['services'];
  /** Folders of the platform that the sandbox may change. */
  writable?: string[];
  /** An instance answers, on a port of the host where it has no address of its own; a build does not, and leaves cores to those who do. */
  kind: 'instance' | 'build';
  launch: Omit<LaunchSpec, 'hosts' | 'resolvers' | 'hostPorts' | 'loopbackPorts' | 'disableUserNamespaces'>;
  /** Puts the files in place that the sandbox will see; `owner` is the user id that must own them, if it differs from ours. */
  fill(owner: number | undefined): Promise<void>;
}

/**
 * Makes everything a sandbox needs: folder, slot, network, control group, files. The folder must not exist yet.
 * On failure nothing is left.
 */
export async function createSandbox(
  host: Host,
  folder: Folder,
  options: CreateOptions,
  signal: AbortSignal,
  spares?: SpareNetworks,
): Promise<{ record: SandboxRecord; chain: Chain }> {
  signal.throwIfAborted();
  const record = newRecord(options.identity, host.mode);
  const loopbackPorts = portsOf(options.services ?? []);
  let spare: NetworkSlot | undefined;
  if (options.writable) record.writable = options.writable;
  mkdirSync(folder.path, { mode: 0o700, recursive: true });
  try {
    writeJson(folder.record, record);
    keepRoom(folder);
    const reach = await resolveReach(options.egress.allow, options.registries, signal);
    const disableUserNamespaces = host.mode === 'unsandboxed' ? false : await host.disableUserNamespaces();
    const launch = {
      ...options.launch,
      hosts: reach.endpoints,
      resolvers: reach.resolvers,
      hostPorts: servicePorts(reach),
      loopbackPorts,
      disableUserNamespaces,
    };
    if (host.mode === 'root') {
      spare = spares?.take(record.id, reach);
      record.network = spare ?? takeSlot(host.tag, record.id);
      record.uid = FIRST_UID + record.network.slot;
    } else if (options.kind === 'instance') record.host_port = await freePort(host.platformPorts);
    if (host.mode === 'user') record.held_ports = [...launch.hostPorts, ...loopbackPorts];
    // failpoint: slot-taken
    if (host.cgroups) record.cgroup = createCgroup(host.cgroups, record.id, launch.limits, options.kind);
    writeJson(folder.record, record);
    prepareFolder(folder, launch, record.uid);
    if (host.mode === 'user') writeFileSync(folder.rules, sandboxRules(reach, '127.0.0.1'));
    // Both must be over before an error is handled, or the clean-up would race with the one still running.
    const parts = await Promise.allSettled([
      record.network && openNetwork(host, record.network, spare ? undefined : reach, loopbackPorts, signal),
      options.fill(record.uid),
    ]);
    for (const part of parts) if (part.status === 'rejected') throw part.reason;
    return { record, chain: sandboxChain(folder, record, launch) };
  } catch (error) {
    await discardSandbox(host, folder, record);
    throw error;
  }
}

/** Makes the network where there is none yet, and opens the ports in it. */
async function openNetwork(
  { tag }: Host,
  network: NetworkSlot,
  missing: Reach | undefined,
  ports: number[],
  signal: AbortSignal,
): Promise<void> {
  if (missing) await createNetwork(tag, network, missing, signal);
  if (ports.length > 0) await openPorts(tag, network, ports, signal);
}

/** The port on which agents listen is theirs. */
function portsOf(services: { port: number }[]): number[] {
  const ports = [...new Set(services.map(({ port }) => port))];
  const wrong = ports.find((port) => !Number.isInteger(port) || port < 1 || port > 65_535 || port === SANDBOX_PORT);
  if (wrong !== undefined) throw new Error(`${wrong} cannot be the port of a service that an instance finds on its loopback.`);
  return ports;
}

/** Takes everything away again, running or not. */
export async function discardSandbox(host: Host, folder: Folder, record: SandboxRecord): Promise<void> {
  // Whatever fails below, this is not starting any more. Without space for the note, the end of what starts it says so.
  try {
    if (!existsSync(folder.status)) writeNote(folder.status, '125\n');
  } catch (error) {
    host.log.warn({ err: error, instance: record.id }, 'A start that failed could not be noted as ended.');
  }
  await giveBack(host, folder, record);
  await removeFolder(folder.path, record.mode);
}

export async function removeFolder(path: string, mode: Mode): Promise<void> {
  if (existsSync(path)) await run(...overridingModes(mode, ['rm', '-rf', '--one-file-system', '--', path]), { timeoutMs: 120_000 });
}

/** Resolves once the sandbox has become the agent; throws with the cause when its preparation failed. */
export async function waitUntilEntered(folder: Folder, record: SandboxRecord): Promise<void> {
  const begun = performance.now();
  let nextLook = begun;
  while (!existsSync(folder.entered)) {
    const now = performance.now();
    // Whether it still lives takes ten files to read: meanwhile it could be there.
    if (now >= nextLook) {
      if (phaseOf(folder, record) === 'ended' && !existsSync(folder.entered))
        throw new Error(`The sandbox of ${record.id} could not be set up: ${setupError(folder)}`);
      if (now - begun > ENTER_TIMEOUT_MS) throw new Error(`The sandbox of ${record.id} was not ready after ${ENTER_TIMEOUT_MS} ms.`);
      nextLook = now + 25;
    }
    await sleep(2);
  }
}

/** What the tools said that set up the sandbox. */
export function setupError(folder: Folder): string {
  return (readText(folder.setup) ?? '').trim().slice(0, 1000) || 'no reason was given';
}

/** A loopback port that nothing uses right now. Somebody may take it before the sandbox does: starting is then tried again. */
async function freePort(forbidden: Set<number>): Promise<number> {
  for (let attempt = 0; attempt < 50; attempt++) {
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    const server = createServer().on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
    const port = await promise;
    if (!forbidden.has(port)) return port;
  }
  throw new Error('No free port was found on the loopback interface.');
}
