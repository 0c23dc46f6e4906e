import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { withLock } from '../host/lock.ts';
import { run } from '../host/run.ts';
import { type Reach, sandboxRules } from './egress.ts';
import { closeServices, ensureHostRules, openServices, removeHostRules } from './host-rules.ts';

/**
 * Network of one sandbox when the platform runs as root: a network namespace joined to the host by a pair of virtual
 * interfaces with addresses of their own. A slot is unique on the machine, across installations, and also gives the user id.
 */
export interface NetworkSlot {
  slot: number;
  namespace: string;
  device: string;
  hostAddress: string;
  address: string;
}

const SLOTS = '/run/paddock/slots';
const NAMESPACES = '/run/netns';
/** 198.18.0.0/15, set aside for benchmarks and not routed anywhere, holds this many networks of four addresses. */
const SLOT_COUNT = 32_768;
/** From here the host speaks to its sandboxes: the address of slot 0, which no sandbox gets. Stays on the loopback until a reboot. */
const SOURCE_ADDRESS = '198.18.0.1';

/** Takes a slot nobody on this machine has. `owner` lets a later process of the installation find out whose it is. */
export function takeSlot(tag: string, owner: string): NetworkSlot {
  mkdirSync(SLOTS, { recursive: true, mode: 0o700 });
  const taken = new Set(readdirSync(SLOTS));
  const inUse = new Set(Object.values(networkInterfaces()).flatMap((list) => (list ?? []).map(({ address }) => address)));
  // A random beginning keeps a freed address out of use for a while: clients may still hold connections to it.
  const first = Math.floor(Math.random() * SLOT_COUNT);
  for (let step = 0; step < SLOT_COUNT; step++) {
    const slot = (first + step) % SLOT_COUNT;
    if (slot === 0) continue;
    const network = networkSlot(tag, slot);
    if (taken.has(String(slot)) || inUse.has(network.hostAddress)) continue;
    try {
      mkdirSync(join(SLOTS, String(slot)));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') continue;
      throw error;
    }
    writeFileSync(join(SLOTS, String(slot), 'owner'), `${tag} ${owner}`);
    return network;
  }
  throw new Error(`All ${SLOT_COUNT} networks of this machine are in use.`);
}

export function networkSlot(tag: string, slot: number): NetworkSlot {
  const address = (last: number) => `198.${18 + (slot >> 14)}.${(slot >> 6) & 255}.${((slot & 63) << 2) + last}`;
  return { slot, namespace: `paddock-${tag}-${slot}`, device: `p${tag}-${slot}`, hostAddress: address(1), address: address(2) };
}

/** The slot of a namespace or device that carries the tag. */
function slotOf(name: string, tag: string): string | undefined {
  const prefix = [`paddock-${tag}-`, `p${tag}-`].find((one) => name.startsWith(one));
  const slot = prefix === undefined ? '' : name.slice(prefix.length);
  return /^\d+$/.test(slot) ? slot : undefined;
}

/** Makes the namespace and its link, with the rules for `reach` in force. */
export async function createNetwork(tag: string, network: NetworkSlot, reach: Reach, signal: AbortSignal): Promise<void> {
  const { slot, namespace, device, hostAddress, address } = network;
  // Locally administered addresses; a pair only has to differ within itself.
  const mac = (end: number) => `02:50:${end === 0 ? '00' : '01'}:00:${hex(slot >> 8)}:${hex(slot & 255)}`;
  const [hostMac, sandboxMac] = [mac(0), mac(1)];
  await withLock(`network ${tag}`, async () => {
    const hasSourceAddress = networkInterfaces().lo?.some((one) => one.address === SOURCE_ADDRESS);
    await run('ip', ['-batch', '-'], {
      signal,
      stdin: [
        `netns add ${namespace}`,
        `link add ${device} address ${hostMac} type veth peer name eth0 address ${sandboxMac} netns ${namespace}`,
        // The host's end gets no address, since each new one makes browsers on this machine drop what they are loading.
        // One on the loopback serves for all; neighbours are told, not asked for.
        ...(hasSourceAddress ? [] : [`addr replace ${SOURCE_ADDRESS}/32 dev lo`]),
        `link set ${device} addrgenmode none`,
        `link set ${device} up`,
        `neigh replace ${address} lladdr ${sandboxMac} dev ${device} nud permanent`,
        `route replace ${address}/32 dev ${device} src ${SOURCE_ADDRESS}`,
        // An address whose sandbox is gone must not be looked for elsewhere: without this, packets to it would leave by the default route.
        'route replace unreachable 198.18.0.0/15',
      ].join('\n'),
    });
    await ensureHostRules(tag, device, signal);
    if (reach.services.length > 0) await openServices(tag, network, reach.services, ['tcp', 'udp'], signal);
  });
  await run('nsenter', [`--net=${NAMESPACES}/${namespace}`, 'sh', '-euc', INSIDE, 'sh', address, hostAddress, hostMac], {
    signal,
    stdin: sandboxRules(reach, hostAddress),
  });
}

/**
 * Lets these TCP ports of the machine's loopback appear on the loopback of a network that stands already. They stay until it goes:
 * the rules are the kernel's.
 */
export async function openPorts(tag: string, network: NetworkSlot, ports: number[], signal: AbortSignal): Promise<void> {
  const services = ports.map((port) => ({ address: '127.0.0.1', port }));
  await openServices(tag, network, services, ['tcp'], signal);
  const stdin = `add element inet sandbox services { ${ports.join(', ')} }\n`;
  await run('nsenter', [`--net=${NAMESPACES}/${network.namespace}`, 'nft', '-f', '-'], { signal, stdin });
}

/**
 * Takes the namespace, its link and its slot away, if they still belong to `owner`: a slot given back is taken by others.
 * Without an owner it removes what has no slot at all.
 */
export async function removeNetwork(tag: string, network: NetworkSlot, owner: string | undefined): Promise<void> {
  const { namespace, device, slot } = network;
  if (ownerOf(slot) !== (owner === undefined ? undefined : `${tag} ${owner}`)) return;
  // Not under the lock, which only the rules for all need: a server that ends takes many away at once.
  if (existsSync(`/sys/class/net/${device}`)) await run('ip', ['link', 'delete', device], { accept: [1] });
  if (existsSync(join(NAMESPACES, namespace))) await run('ip', ['netns', 'delete', namespace], { accept: [1] });
  await closeServices(tag, network);
  await withLock(`network ${tag}`, () => removeHostRules(tag));
  rmSync(join(SLOTS, String(slot)), { recursive: true, force: true });
}

/** Whether nothing of it was taken away by others. */
export function isWhole({ namespace, device }: NetworkSlot): boolean {
  return existsSync(`/sys/class/net/${device}`) && existsSync(join(NAMESPACES, namespace));
}

/** Gives a network to another owner of the installation; false if it is not the first one's any more. A reader sees one or the other. */
export function handOver(tag: string, { slot }: NetworkSlot, from: string, to: string): boolean {
  if (ownerOf(slot) !== `${tag} ${from}`) return false;
  const next = join(SLOTS, String(slot), 'next');
  writeFileSync(next, `${tag} ${to}`);
  renameSync(next, join(SLOTS, String(slot), 'owner'));
  return true;
}

/** Lets the host reach a port that the agent bound to 127.0.0.1; `direct` undoes it. */
export async function reachPort(network: NetworkSlot, port: number, how: 'loopback' | 'direct'): Promise<void> {
  const element = `element inet sandbox loopback_only { ${port} }\n`;
  // Adding twice is no error, deleting what is not there is: add first, then delete.
  const stdin = how === 'loopback' ? `add ${element}` : `add ${element}delete ${element}`;
  await run('nsenter', [`--net=${NAMESPACES}/${network.namespace}`, 'nft', '-f', '-'], { stdin });
}

/** All networks that carry this installation's tag, with the owner given when each was made. */
export function listNetworks(tag: string): { network: NetworkSlot; owner: string | undefined; ageMs: number }[] {
  const found = new Map<number, { network: NetworkSlot; owner: string | undefined; ageMs: number }>();
  for (const name of names(SLOTS)) {
    const folder = join(SLOTS, name);
    const [ownerTag, owner] = ownerOf(Number(name))?.split(' ') ?? [];
    if (ownerTag === tag) found.set(Number(name), { network: networkSlot(tag, Number(name)), owner, ageMs: age(folder) });
  }
  for (const name of [...names(NAMESPACES), ...names('/sys/class/net')]) {
    const slot = slotOf(name, tag);
    if (slot !== undefined && !found.has(Number(slot))) {
      found.set(Number(slot), { network: networkSlot(tag, Number(slot)), owner: undefined, ageMs: Number.POSITIVE_INFINITY });
    }
  }
  return [...found.values()];
}

/** Reads the rules from its input. IPv6 stays off except on the loopback, where some programs insist on it. */
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

/** The tag and the id with which a slot was taken. */
export function ownerOf(slot: number): string | undefined {
  return read(join(SLOTS, String(slot), 'owner')) || undefined;
}

const hex = (byte: number) => byte.toString(16).padStart(2, '0');

function names(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return ''; // the slot was given back between the listing and now
  }
}

function age(path: string): number {
  try {
    return Date.now() - statSync(path).mtimeMs;
  } catch {
    return 0; // just removed: nothing to clean
  }
}
