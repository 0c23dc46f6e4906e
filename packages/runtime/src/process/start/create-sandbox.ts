import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Egress, InstanceSpec, LoopbackService } from '../../driver.ts';
import { releaseResources, waitForSupervisor } from '../end/conclude-exit.ts';
import type { Host } from '../host/host.ts';
import { run } from '../host/run.ts';
import { initialFilter, replaceFilter } from '../hosts/filter.ts';
import { createCgroup } from '../limits/cgroup.ts';
import { bypassFileModes } from '../limits/usage.ts';
import { type EgressScope, resolveReach, sandboxRules, servicePorts } from '../network/egress.ts';
import { createNetwork, openPorts } from '../network/host-network.ts';
import { allocateSlot, type NetworkSlot } from '../network/slots.ts';
import type { SpareNetwork, SpareNetworks } from '../network/spare-networks.ts';
import { detectPhase, type Folder, type Mode, newRecord, readText, type SandboxRecord } from '../records/records.ts';
import { reserveSpace, writeDurably, writeJson } from '../records/write-record.ts';
import { SANDBOX_PORT } from '../sandbox/bwrap.ts';
import { prepareFolder, sandboxChain } from '../sandbox/launch.ts';
import type { Chain, LaunchSpec, LoopbackPort } from '../sandbox/launch-spec.ts';

/** Outside every range that distributions assign to people, subordinate users and containers. */
const FIRST_UID = 1_900_000_000;
/** Entering takes some 20 ms on a quiet machine, and seconds on a busy one. */
const ENTER_TIMEOUT_MS = 60_000;

export interface CreateOptions {
  identity: Parameters<typeof newRecord>[0];
  egress: Egress;
  registries: { host: string; port: number }[];
  /** Services of this machine's loopback that the sandbox finds on its own loopback. */
  services?: InstanceSpec['services'];
  /** Host rules that are in force before the sandbox starts. */
  hosts?: InstanceSpec['hosts'];
  /** Folders of the platform that the sandbox may change. */
  writable?: string[];
  /** The folder that `fill` copies. */
  copiedFrom?: string;
  /**
   * An instance responds to requests, on a port of the host if it has no address of its own. A build does not, and yields cores to
   * instances.
   */
  kind: 'instance' | 'build';
  launch: Omit<LaunchSpec, 'hosts' | 'resolvers' | 'hostPorts' | 'loopbackPorts' | 'disableUserNamespaces'>;
  /** Creates the files that the sandbox will see. `owner` is the user id that must own them, if it differs from ours. */
  fill(owner: number | undefined): Promise<void>;
  signal: AbortSignal;
  spares?: SpareNetworks | undefined;
}

/**
 * Creates everything a sandbox needs: folder, slot, network, control group, files. The folder must not exist yet. On failure nothing is
 * left behind.
 */
export async function createSandbox(host: Host, folder: Folder, options: CreateOptions): Promise<{ record: SandboxRecord; chain: Chain }> {
  const { signal } = options;
  signal.throwIfAborted();
  if (host.mode === 'unsandboxed' && options.hosts?.length) throw new Error('Without a sandbox nothing can hold an agent to hosts.');
  const record = newRecord(options.identity, host.mode);
  const loopbackPorts = mapPorts(options.services ?? []);
  let spare: SpareNetwork | undefined;
  if (options.writable) record.writable = options.writable;
  if (options.copiedFrom) record.copied_from = options.copiedFrom;
  mkdirSync(folder.path, { mode: 0o700, recursive: true });
  try {
    writeJson(folder.record, record);
    reserveSpace(folder);
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
      spare = options.spares?.take(record.id, { reach, ports: loopbackPorts.filter(isSamePort).map(({ port }) => port) });
      record.network = spare?.network ?? allocateSlot(host.tag, record.id);
      record.uid = FIRST_UID + record.network.slot;
    } else if (options.kind === 'instance') {
      record.host_port = await freePort(host.platformPorts);
      if (host.mode === 'user') record.names_port = await freePort(host.platformPorts);
    }
    if (host.mode === 'user') record.held_ports = heldPorts(record, launch);
    // failpoint: slot-taken
    if (host.cgroups) record.cgroup = createCgroup(host.cgroups, record.id, { limits: launch.limits, kind: options.kind });
    writeJson(folder.record, record);
    if (options.hosts?.length) writeJson(folder.hosts, options.hosts);
    prepareFolder(folder, launch, record.uid);
    if (host.mode === 'user')
      writeFileSync(folder.rules, sandboxRules(reach, '127.0.0.1') + (options.hosts?.length ? initialFilter(record, options.hosts) : ''));
    // Both must settle before an error is handled. Otherwise the clean-up races with the part that is still running.
    const parts = await Promise.allSettled([
      record.network &&
        openNetwork(host, record.network, { missing: spare ? undefined : reach, ports: unopened(loopbackPorts, spare), signal }),
      options.fill(record.uid),
    ]);
    for (const part of parts) if (part.status === 'rejected') throw part.reason;
    if (record.network && options.hosts?.length) await replaceFilter(folder, record, { rules: options.hosts, opened: [] });
    return { record, chain: sandboxChain({ folder, record, launch }) };
  } catch (error) {
    await discardSandbox(host, folder, record);
    throw error;
  }
}

const isSamePort = ({ at, port }: LoopbackPort) => at === port;

const unopened = (ports: LoopbackPort[], spare: SpareNetwork | undefined) =>
  ports.filter((one) => !(isSamePort(one) && spare?.opened.includes(one.port)));

/** Ports that pasta occupies in the network of the sandbox. */
const heldPorts = ({ names_port }: SandboxRecord, { hostPorts, loopbackPorts }: Pick<LaunchSpec, 'hostPorts' | 'loopbackPorts'>) => [
  ...hostPorts,
  ...loopbackPorts.map(({ at }) => at),
  ...(names_port === undefined ? [] : [names_port]),
];

/** Creates the network, unless it is an existing spare one (`missing` is undefined), and opens the ports in it. */
async function openNetwork(
  { tag }: Host,
  network: NetworkSlot,
  { missing, ports, signal }: { missing: EgressScope | undefined; ports: LoopbackPort[]; signal: AbortSignal },
): Promise<void> {
  if (missing) await createNetwork(tag, network, { reach: missing, signal });
  if (ports.length > 0) await openPorts(tag, network, { ports, signal });
}

/** The ports on which the sandbox finds the services. The port on which agents listen is refused, because it belongs to the agent. */
function mapPorts(services: LoopbackService[]): LoopbackPort[] {
  const places = new Map(services.map(({ port }) => [port, port]));
  for (const { port, usual_port } of services) if (usual_port !== undefined && !places.has(usual_port)) places.set(usual_port, port);
  const wrong = [...places].flat().find((port) => !Number.isInteger(port) || port < 1 || port > 65_535 || port === SANDBOX_PORT);
  if (wrong !== undefined) throw new Error(`${wrong} cannot be the port of a service that an instance finds on its loopback.`);
  return [...places].map(([at, port]) => ({ at, port }));
}

/** Ends the sandbox, if it runs, and removes everything of it. */
export async function discardSandbox(host: Host, folder: Folder, record: SandboxRecord): Promise<void> {
  // The sandbox no longer counts as starting, whatever fails below. Without space for the note, this takes effect once the starter has
  // exited.
  try {
    if (!existsSync(folder.status)) writeDurably(folder.status, '125\n');
  } catch (error) {
    host.log.warn({ err: error, instance: record.id }, 'A start that failed could not be noted as ended.');
  }
  await releaseResources(host, folder, record);
  // The supervisor of a failed start still writes its result. A file that appears during the removal would keep the folder.
  await waitForSupervisor(folder);
  await removeFolder(folder.path, record.mode);
}

export async function removeFolder(path: string, mode: Mode): Promise<void> {
  if (existsSync(path)) await run(...bypassFileModes(mode, ['rm', '-rf', '--one-file-system', '--', path]), { timeoutMs: 120_000 });
}

/** Resolves once the sandbox has become the agent. Throws with the cause if the preparation failed. */
export async function waitUntilEntered(folder: Folder, record: SandboxRecord): Promise<void> {
  const begun = performance.now();
  let nextLook = begun;
  while (!existsSync(folder.entered)) {
    const now = performance.now();
    // Reading the phase opens ten files, so it is polled less often.
    if (now >= nextLook) {
      if (detectPhase(folder, record) === 'ended' && !existsSync(folder.entered))
        throw new Error(`The sandbox of ${record.id} could not be set up: ${setupError(folder)}`);
      if (now - begun > ENTER_TIMEOUT_MS) throw new Error(`The sandbox of ${record.id} was not ready after ${ENTER_TIMEOUT_MS} ms.`);
      nextLook = now + 25;
    }
    await sleep(2);
  }
}

/** The error output of the tools that set up the sandbox. */
export function setupError(folder: Folder): string {
  return (readText(folder.setup) ?? '').trim().slice(0, 1000) || 'no reason was given';
}

/** A loopback port that is currently free. If another program takes it before the sandbox does, the start is retried. */
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
