import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';

/**
 * Network of one sandbox when the platform runs as root: a network namespace joined to the host by a pair of virtual interfaces with their
 * own addresses. A slot is unique on the machine, across installations; the user id is derived from it.
 */
export interface NetworkSlot {
  slot: number;
  namespace: string;
  device: string;
  hostAddress: string;
  address: string;
}

const SLOTS = '/run/paddock/slots';
/** The folder in which `ip netns` keeps the namespaces by name. */
export const NAMESPACES = '/run/netns';
/** 198.18.0.0/15, reserved for benchmarks and not routed anywhere, holds this many networks of four addresses. */
const SLOT_COUNT = 32_768;

/** Takes a free slot of this machine. Later processes of the installation read its `owner` from the slot. */
export function allocateSlot(tag: string, owner: string): NetworkSlot {
  mkdirSync(SLOTS, { recursive: true, mode: 0o700 });
  const taken = new Set(readdirSync(SLOTS));
  const inUse = new Set(Object.values(networkInterfaces()).flatMap((list) => (list ?? []).map(({ address }) => address)));
  // A random start keeps a freed address unused for a while: clients may still have connections to the address.
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

function networkSlot(tag: string, slot: number): NetworkSlot {
  const address = (last: number) => `198.${18 + (slot >> 14)}.${(slot >> 6) & 255}.${((slot & 63) << 2) + last}`;
  return { slot, namespace: `paddock-${tag}-${slot}`, device: `p${tag}-${slot}`, hostAddress: address(1), address: address(2) };
}

/** The slot of a namespace or device that carries the tag. */
function parseSlot(name: string, tag: string): string | undefined {
  const prefix = [`paddock-${tag}-`, `p${tag}-`].find((candidate) => name.startsWith(candidate));
  const slot = prefix === undefined ? '' : name.slice(prefix.length);
  return /^\d+$/.test(slot) ? slot : undefined;
}

/** Whether the namespace and the host's end of the link still exist: an administrator may have deleted either. */
export function isWhole({ namespace, device }: NetworkSlot): boolean {
  return existsSync(`/sys/class/net/${device}`) && existsSync(join(NAMESPACES, namespace));
}

/** Transfers a network to another owner of the installation; false if it no longer belongs to `from`. The change is atomic for readers. */
export function transferSlot(tag: string, { slot }: NetworkSlot, { from, to }: { from: string; to: string }): boolean {
  if (ownerOf(slot) !== `${tag} ${from}`) return false;
  const next = join(SLOTS, String(slot), 'next');
  writeFileSync(next, `${tag} ${to}`);
  renameSync(next, join(SLOTS, String(slot), 'owner'));
  return true;
}

export function releaseSlot(slot: number): void {
  rmSync(join(SLOTS, String(slot)), { recursive: true, force: true });
}

export interface KnownNetwork {
  network: NetworkSlot;
  /** The owner stored in the slot; undefined for a namespace or interface without a slot. */
  owner: string | undefined;
  ageMs: number;
}

/** All networks that carry this installation's tag. */
export function listNetworks(tag: string): KnownNetwork[] {
  const found = new Map<number, KnownNetwork>();
  for (const name of names(SLOTS)) {
    const folder = join(SLOTS, name);
    const [ownerTag, owner] = ownerOf(Number(name))?.split(' ') ?? [];
    if (ownerTag === tag) found.set(Number(name), { network: networkSlot(tag, Number(name)), owner, ageMs: age(folder) });
  }
  for (const name of [...names(NAMESPACES), ...names('/sys/class/net')]) {
    const slot = parseSlot(name, tag);
    if (slot !== undefined && !found.has(Number(slot))) {
      found.set(Number(slot), { network: networkSlot(tag, Number(slot)), owner: undefined, ageMs: Number.POSITIVE_INFINITY });
    }
  }
  return [...found.values()];
}

/** The tag and the owner with which a slot was taken, separated by a blank. */
export function ownerOf(slot: number): string | undefined {
  return read(join(SLOTS, String(slot), 'owner')) || undefined;
}

function names(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return ''; // the slot was freed after it was listed
  }
}

function age(path: string): number {
  try {
    return Date.now() - statSync(path).mtimeMs;
  } catch {
    return 0; // just removed: nothing to clean up
  }
}
