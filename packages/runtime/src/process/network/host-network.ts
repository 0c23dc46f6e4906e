import { existsSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { withLock } from '../host/lock.ts';
import { run } from '../host/run.ts';
import type { LoopbackPort } from '../sandbox/launch-spec.ts';
import { type EgressScope, sandboxRules } from './egress.ts';
import { closeServices, ensureHostRules, openServices, removeHostRules } from './host-rules.ts';
import { NAMESPACES, type NetworkSlot, ownerOf, releaseSlot } from './slots.ts';

/** The host's source address towards its sandboxes: that of slot 0, which no sandbox gets. It stays on the loopback until a reboot. */
const SOURCE_ADDRESS = '198.18.0.1';

/**
 * Buckets of a namespace's own table of TCP connections. Without its own, each look at its sockets walks the table of the whole machine,
 * which takes 4 ms on a machine with 24 GB of memory; with this size it takes 0.1 ms.
 */
const TCP_BUCKETS = 1024;

/** Creates the namespace and its link. The rules for `reach` are in force when this returns. */
export async function createNetwork(
  tag: string,
  network: NetworkSlot,
  { reach, signal }: { reach: EgressScope; signal: AbortSignal },
): Promise<void> {
  const { slot, namespace, device, hostAddress, address } = network;
  // Locally administered addresses. Only the two ends of a pair have to differ.
  const mac = (end: number) => `02:50:${end === 0 ? '00' : '01'}:00:${hex(slot >> 8)}:${hex(slot & 255)}`;
  const hostMac = mac(0);
  const sandboxMac = mac(1);
  await run('unshare', ['--net', 'sh', '-euc', ADD_NAMESPACE, 'sh', namespace], { signal });
  await withLock(`network ${tag}`, async () => {
    const hasSourceAddress = networkInterfaces().lo?.some((known) => known.address === SOURCE_ADDRESS);
    await run('ip', ['-batch', '-'], {
      signal,
      stdin: [
        `link add ${device} address ${hostMac} type veth peer name eth0 address ${sandboxMac} netns ${namespace}`,
        // The host's end gets no address, because each new address makes browsers on this machine drop the page that they are loading. One
        // address on the loopback serves all links. Neighbours are entered statically instead of being looked up.
        ...(hasSourceAddress ? [] : [`addr replace ${SOURCE_ADDRESS}/32 dev lo`]),
        `link set ${device} addrgenmode none`,
        `link set ${device} up`,
        `neigh replace ${address} lladdr ${sandboxMac} dev ${device} nud permanent`,
        `route replace ${address}/32 dev ${device} src ${SOURCE_ADDRESS}`,
        // Without this route, packets to a removed sandbox would leave by the default route.
        'route replace unreachable 198.18.0.0/15',
      ].join('\n'),
    });
    await ensureHostRules(tag, device, signal);
    if (reach.services.length > 0) await openServices(tag, network, { services: reach.services, protocols: ['tcp', 'udp'], signal });
  });
  await run('nsenter', [`--net=${NAMESPACES}/${namespace}`, 'sh', '-euc', INSIDE, 'sh', address, hostAddress, hostMac], {
    signal,
    stdin: sandboxRules(reach, hostAddress),
  });
}

/**
 * Makes these TCP ports of the machine's loopback available on the loopback of an existing network. The ports stay open until the network
 * is removed, since the kernel keeps the rules.
 */
export async function openPorts(
  tag: string,
  network: NetworkSlot,
  { ports, signal }: { ports: LoopbackPort[]; signal: AbortSignal },
): Promise<void> {
  const own = [...new Set(ports.map(({ hostPort }) => hostPort))];
  await openServices(tag, network, { services: own.map((port) => ({ address: '127.0.0.1', port })), protocols: ['tcp'], signal });
  const usual = ports
    .filter(({ insidePort, hostPort }) => insidePort !== hostPort)
    .map(({ insidePort, hostPort }) => `${insidePort} : ${network.hostAddress} . ${hostPort}`);
  const stdin = `add element inet sandbox services { ${own.join(', ')} }
${usual.length > 0 ? `add element inet sandbox usual { ${usual.join(', ')} }\n` : ''}`;
  await run('nsenter', [`--net=${NAMESPACES}/${network.namespace}`, 'nft', '-f', '-'], { signal, stdin });
}

/**
 * Removes the namespace and its link and frees the slot, if they still belong to `owner`: a freed slot is taken by others. Without an
 * owner, only a network that has no slot is removed.
 */
export async function removeNetwork(tag: string, network: NetworkSlot, owner: string | undefined): Promise<void> {
  const { namespace, device, slot } = network;
  if (ownerOf(slot) !== (owner === undefined ? undefined : `${tag} ${owner}`)) return;
  // Done outside the lock, which only the shared rules need: a server that shuts down removes many networks at once.
  const left = [
    ...(existsSync(`/sys/class/net/${device}`) ? [`link delete ${device}`] : []),
    ...(existsSync(join(NAMESPACES, namespace)) ? [`netns delete ${namespace}`] : []),
  ];
  if (left.length > 0) await run('ip', ['-force', '-batch', '-'], { accept: [1], stdin: left.join('\n') });
  await closeServices(tag, network);
  await withLock(`network ${tag}`, () => removeHostRules(tag));
  releaseSlot(slot);
}

/** `loopback` lets the host reach a port that the agent bound to 127.0.0.1; `direct` undoes that. */
export async function reachPort(network: NetworkSlot, port: number, how: 'loopback' | 'direct'): Promise<void> {
  const element = `element inet sandbox loopback_only { ${port} }\n`;
  // In nft, adding an existing element is not an error but deleting a missing one is. Hence add, then delete.
  const stdin = how === 'loopback' ? `add ${element}` : `add ${element}delete ${element}`;
  await run('nsenter', [`--net=${NAMESPACES}/${network.namespace}`, 'nft', '-f', '-'], { stdin });
}

/** A namespace takes the size of its table from the one that it is made in (Linux 6.1 or later), so it is made in one that lives as long. */
const ADD_NAMESPACE = `
size=/proc/sys/net/ipv4/tcp_child_ehash_entries
[ ! -e $size ] || echo ${TCP_BUCKETS} >$size
exec ip netns add "$1"
`;

/** Reads the rules from standard input. IPv6 is disabled except on the loopback, where some programs require it. */
const INSIDE = `
cd /proc/sys/net
echo 1 >ipv6/conf/default/disable_ipv6
echo 1 >ipv6/conf/eth0/disable_ipv6
echo 1 >ipv4/conf/eth0/route_localnet
echo 0 >ipv4/ip_forward
nft -f -
ip -batch - <<END
link set lo up
addr add $1/30 dev eth0
link set eth0 up
neigh replace $2 lladdr $3 dev eth0 nud permanent
route add default via $2
END
`;

const hex = (byte: number) => byte.toString(16).padStart(2, '0');
