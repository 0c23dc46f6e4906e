import { once } from 'node:events';
import { existsSync, readlinkSync } from 'node:fs';
import { type AddressInfo, connect, createServer, isIPv4 } from 'node:net';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { networkList, ownAddresses } from '@paddock/network';
import type { StepRunner } from '@paddock/runtime';

const dialMs = 2_000;
const stepMs = 60_000;

export interface ProbeTarget {
  what: string;
  host: string;
  port: number;
}
export interface Dialled extends ProbeTarget {
  /** 'connected', 'timeout', or the error code. */
  result: string;
}
export interface SandboxProbe {
  dialled: Dialled[];
  /** Whether the sandbox sees the machine's processes. */
  sees_processes: boolean;
  /** Number of visible processes. */
  processes: number;
}

const marker = 'PADDOCK_PROBE ';

/** Contains only the program that runs in the sandbox. */
const folder = fileURLToPath(new URL('./sandbox', import.meta.url));

/** Private ranges and the cloud metadata address, unless the operator opened them. */
export function closedTargets(egressAllow: string[]): ProbeTarget[] {
  const opened = networkList(egressAllow);
  const targets = [
    { what: 'metadata address', host: '169.254.169.254', port: 80 },
    { what: 'link-local address', host: '169.254.1.1', port: 80 },
    { what: 'private range 10.0.0.0/8', host: '10.255.255.1', port: 80 },
    { what: 'private range 172.16.0.0/12', host: '172.31.255.1', port: 80 },
    { what: 'private range 192.168.0.0/16', host: '192.168.255.1', port: 80 },
  ];
  return targets.filter(({ host }) => !opened.has(host));
}

/**
 * Runs a small program in the same sandbox as agents, which tries what agents must not be able to do: connect to the loopback and the
 * addresses of this machine, where a listener is open meanwhile, connect to `targets`, and see other processes. Throws when the sandbox
 * cannot be started.
 */
export async function probeSandbox(
  sandbox: StepRunner,
  { targets, egressAllow }: { targets: ProbeTarget[]; egressAllow: string[] },
  signal: AbortSignal,
): Promise<SandboxProbe> {
  const server = createServer((socket) => socket.end()).listen(0, '0.0.0.0');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const own = ownAddresses().filter((address) => isIPv4(address));
  const listened = [
    { what: 'loopback of this machine', host: '127.0.0.1', port },
    ...own.map((host) => ({ what: 'address of this machine', host, port })),
  ];
  const lines: string[] = [];
  try {
    const result = await sandbox.run(
      {
        name: 'isolation',
        command: ['/opt/node/bin/node', '/opt/probe/probe.mjs', marker, JSON.stringify([...listened, ...targets]), String(dialMs)],
        cwd: '/',
        env: {},
        mounts: [
          { from: dirname(dirname(process.execPath)), at: '/opt/node' },
          { from: folder, at: '/opt/probe' },
        ],
        limits: { memory_mb: 256, cpus: 1, processes: 64, disk_mb: 16, open_files: 256 },
        timeout_ms: stepMs,
        egress: { allow: egressAllow },
        registries: [],
      },
      (_, line) => lines.push(line.slice(0, 100_000)),
      signal,
    );
    const said = lines.find((line) => line.startsWith(marker));
    if (said === undefined)
      throw new Error(`The probe in the sandbox ended with ${result.signal ?? result.code}: ${lines.slice(-3).join(' ').slice(0, 300)}`);
    const { dialled, processes, namespace } = JSON.parse(said.slice(marker.length)) as SandboxProbe & { namespace: string };
    return { dialled, processes, sees_processes: namespace === ownNamespace() };
  } finally {
    server.close();
  }
}

const ownNamespace = () => (existsSync('/proc/self/ns/pid') ? readlinkSync('/proc/self/ns/pid') : undefined);

/** Whether this process reaches the target: a target that nobody reaches proves nothing. */
export async function answers({ host, port }: { host: string; port: number }): Promise<boolean> {
  const socket = connect({ host, port, timeout: dialMs });
  try {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    socket.on('connect', () => resolve(true));
    for (const end of ['timeout', 'error']) socket.on(end, () => resolve(false));
    return await promise;
  } finally {
    socket.destroy();
  }
}
