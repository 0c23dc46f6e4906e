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
  const { signal, hosts = [] } = options;
  signal.throwIfAborted();
  if (host.mode === 'unsandboxed' && hosts.length > 0) throw new Error('Host rules cannot be enforced without a sandbox.');
  const record = newRecord(options.identity, host.mode);
  if (options.writable) record.writable = options.writable;
  if (options.copiedFrom) record.copied_from = options.copiedFrom;
  const loopbackPorts = mapPorts(options.services ?? []);
  mkdirSync(folder.path, { mode: 0o700, recursive: true });
  try {
    writeJson(folder.record, record);
    reserveSpace(folder);
    const reach = await resolveReach(options.egress.allow, options.registries, signal);
    const launch = await completeLaunch(host, options.launch, { reach, loopbackPorts });
    const spare = await assignNetwork(host, record, { options, reach, launch });
    // failpoint: slot-taken
    if (host.cgroups) record.cgroup = createCgroup(host.cgroups, record.id, { limits: launch.limits, kind: options.kind });
    writeJson(folder.record, record);
    if (hosts.length > 0) writeJson(folder.hosts, hosts);
    prepareFolder(folder, launch, record.uid);
    if (host.mode === 'user')
      writeFileSync(folder.rules, sandboxRules(reach, '127.0.0.1') + (hosts.length > 0 ? initialFilter(record, hosts) : ''));
    await openNetworkAndFill(host, record, { options, reach, loopbackPorts, spare });
    if (record.network && hosts.length > 0) await replaceFilter(folder, record, { rules: hosts, opened: [] });
    return { record, chain: sandboxChain({ folder, record, launch }) };
  } catch (error) {
    await discardSandbox(host, folder, record);
    throw error;
  }
}

type CompleteLaunch = CreateOptions['launch'] &
  Pick<LaunchSpec, 'hosts' | 'resolvers' | 'hostPorts' | 'loopbackPorts' | 'disableUserNamespaces'>;

/** Adds to a launch what follows from the host and the network. */
async function completeLaunch(
  host: Host,
  launch: CreateOptions['launch'],
  { reach, loopbackPorts }: { reach: EgressScope; loopbackPorts: LoopbackPort[] },
): Promise<CompleteLaunch> {
  const disableUserNamespaces = host.mode === 'unsandboxed' ? false : await host.disableUserNamespaces();
  return {
    ...launch,
    hosts: reach.endpoints,
    resolvers: reach.resolvers,
    hostPorts: servicePorts(reach),
    loopbackPorts,
    disableUserNamespaces,
  };
}

/** Records the network or the ports that the sandbox will use; returns the spare network, if it gets one. */
async function assignNetwork(
  host: Host,
  record: SandboxRecord,
  { options, reach, launch }: { options: CreateOptions; reach: EgressScope; launch: CompleteLaunch },
): Promise<SpareNetwork | undefined> {
  if (host.mode === 'root') {
    const ports = launch.loopbackPorts.filter(isSamePort).map(({ hostPort }) => hostPort);
    const spare = options.spares?.take(record.id, { reach, ports });
    record.network = spare?.network ?? allocateSlot(host.tag, record.id);
    record.uid = FIRST_UID + record.network.slot;
    return spare;
  }
  if (options.kind === 'instance') {
    record.host_port = await freePort(host.platformPorts);
    if (host.mode === 'user') record.names_port = await freePort(host.platformPorts);
  }
  if (host.mode === 'user') record.held_ports = heldPorts(record, launch);
  return undefined;
}

interface FillOptions {
  options: CreateOptions;
  reach: EgressScope;
  loopbackPorts: LoopbackPort[];
  spare: SpareNetwork | undefined;
}

/** Opens the network and creates the files concurrently. */
async function openNetworkAndFill(host: Host, record: SandboxRecord, { options, reach, loopbackPorts, spare }: FillOptions): Promise<void> {
  const reachOfNewNetwork = spare ? undefined : reach;
  const results = await Promise.allSettled([
    record.network &&
      openNetwork(host, record.network, { reachOfNewNetwork, ports: unopened(loopbackPorts, spare), signal: options.signal }),
    options.fill(record.uid),
  ]);
  // Both must settle before an error is handled: otherwise the clean-up races with the one that is still running.
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}

const isSamePort = ({ insidePort, hostPort }: LoopbackPort) => insidePort === hostPort;

const unopened = (ports: LoopbackPort[], spare: SpareNetwork | undefined) =>
  ports.filter((port) => !(isSamePort(port) && spare?.opened.includes(port.hostPort)));

/** Ports that pasta occupies in the network of the sandbox. */
const heldPorts = ({ names_port }: SandboxRecord, { hostPorts, loopbackPorts }: Pick<LaunchSpec, 'hostPorts' | 'loopbackPorts'>) => [
  ...hostPorts,
  ...loopbackPorts.map(({ insidePort }) => insidePort),
  ...(names_port === undefined ? [] : [names_port]),
];

/** Creates the network, unless it is a spare one (`reachOfNewNetwork` is undefined), and opens the ports in it. */
async function openNetwork(
  { tag }: Host,
  network: NetworkSlot,
  { reachOfNewNetwork, ports, signal }: { reachOfNewNetwork: EgressScope | undefined; ports: LoopbackPort[]; signal: AbortSignal },
): Promise<void> {
  if (reachOfNewNetwork) await createNetwork(tag, network, { reach: reachOfNewNetwork, signal });
  if (ports.length > 0) await openPorts(tag, network, { ports, signal });
}

/** The ports on which the sandbox finds the services. The port on which agents listen is refused, because it belongs to the agent. */
function mapPorts(services: LoopbackService[]): LoopbackPort[] {
  const hostPortByInside = new Map(services.map(({ port }) => [port, port]));
  for (const { port, usual_port } of services)
    if (usual_port !== undefined && !hostPortByInside.has(usual_port)) hostPortByInside.set(usual_port, port);
  const invalid = [...hostPortByInside]
    .flat()
    .find((port) => !Number.isInteger(port) || port < 1 || port > 65_535 || port === SANDBOX_PORT);
  if (invalid !== undefined) throw new Error(`${invalid} cannot be the port of a service that an instance finds on its loopback.`);
  return [...hostPortByInside].map(([insidePort, hostPort]) => ({ insidePort, hostPort }));
}

/** Ends the sandbox, if it runs, and removes everything of it. */
export async function discardSandbox(host: Host, folder: Folder, record: SandboxRecord): Promise<void> {
  // From here on the sandbox no longer counts as starting, whatever fails below. If the disk is full, the marker cannot be written; the
  // sandbox then counts as ended when the starter exits.
  try {
    if (!existsSync(folder.status)) writeDurably(folder.status, '125\n');
  } catch (error) {
    host.log.warn({ err: error, instance: record.id }, 'The failed start could not be marked as ended.');
  }
  await releaseResources(host, folder, record);
  // The supervisor of a failed start still writes its result. A file that appears during the removal would keep the folder.
  await waitForSupervisor(folder);
  await removeFolder(folder.path, record.mode);
}

export async function removeFolder(path: string, mode: Mode): Promise<void> {
  if (existsSync(path)) await run(...bypassFileModes(mode, ['rm', '-rf', '--one-file-system', '--', path]), { timeoutMs: 120_000 });
}

/** Resolves once the agent's program runs inside the sandbox. Throws with the cause if the preparation failed. */
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
