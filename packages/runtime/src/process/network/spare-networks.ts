import type { Egress } from '../../driver.ts';
import type { Host } from '../host/host.ts';
import { isAlive, ownIdentity } from '../proc/processes.ts';
import { type EgressScope, resolveReach } from './egress.ts';
import { createNetwork, openPorts, removeNetwork } from './host-network.ts';
import { allocateSlot, isWhole, type NetworkSlot, transferSlot } from './slots.ts';

/** Pause after a start before networks are created: the starting agent and the next start need the processor. */
const REFILL_PAUSE_MS = 500;

/** Networks created ahead of need. Each is used once, by one instance. */
export interface SpareNetworks {
  /**
   * A network in which exactly the rules for `reach` are in force, with none but the wanted `ports` open. From now on it belongs to `owner`.
   * Undefined if there is none.
   */
  take(owner: string, wanted: { reach: EgressScope; ports: number[] }): SpareNetwork | undefined;
  /** Number of networks that can be taken now. */
  ready(): number;
  /** Removes the networks that were not taken. */
  close(): Promise<void>;
}

export interface SpareNetwork {
  network: NetworkSlot;
  /** Ports of this machine's loopback that are open in it. */
  opened: number[];
}

/** The owner of a spare network. The id of an instance contains no dots, so no instance matches. */
const SPARE = /^spare\.(\d+)\.(\d+)$/;

/** Names the process that keeps the spare network, so that a later process can detect a network left by a crash. */
function spareOwner(): string {
  const { pid, start } = ownIdentity();
  return `spare.${pid}.${start}`;
}

/** Whether `owner` stands for a spare network, and whether the process that keeps it is alive. */
export function spareState(owner: string | undefined): 'kept' | 'left' | undefined {
  const [, pid, start] = SPARE.exec(owner ?? '') ?? [];
  if (pid === undefined) return undefined;
  return isAlive({ pid: Number(pid), start: Number(start) }) ? 'kept' : 'left';
}

/**
 * Keeps `count` networks ready for instances with this egress, starting when `after` resolves. `ports`: those of this machine's loopback that
 * every instance finds on its own loopback; opening them takes some 30 ms.
 */
export type Spares = { egress: Egress; count: number; after?: Promise<unknown>; ports?: () => Promise<number[]> };

/** Starts once `swept` has resolved. */
export function spareNetworks(
  host: Host,
  { egress, count, after, ports = async () => [] }: Spares,
  swept: Promise<unknown>,
): SpareNetworks {
  const owner = spareOwner();
  const closing = new AbortController();
  const spares: (SpareNetwork & { reach: string })[] = [];
  const closed = new Promise((resolve) => closing.signal.addEventListener('abort', resolve));
  let working: Promise<unknown> = Promise.all([swept, Promise.race([after, closed])]);
  let timer: NodeJS.Timeout | undefined;
  refill();

  function refill(): void {
    clearTimeout(timer);
    if (closing.signal.aborted) return;
    timer = setTimeout(() => {
      working = working.then(fill);
    }, REFILL_PAUSE_MS).unref();
  }

  /** After a failure the next start tries again. Until then each start creates its own network. */
  async function fill(): Promise<void> {
    try {
      while (spares.length < count && !closing.signal.aborted) spares.push(await make());
    } catch (error) {
      if (!closing.signal.aborted) host.log.warn({ err: error }, 'A network could not be made ahead of need.');
    }
  }

  async function make() {
    const { signal } = closing;
    const [reach, opened] = await Promise.all([resolveReach(egress.allow, [], signal), ports()]);
    const network = allocateSlot(host.tag, owner);
    try {
      await createNetwork(host.tag, network, { reach, signal });
      if (opened.length > 0)
        await openPorts(host.tag, network, { ports: opened.map((port) => ({ insidePort: port, hostPort: port })), signal });
    } catch (error) {
      await removeNetwork(host.tag, network, owner);
      throw error;
    }
    return { network, opened, reach: JSON.stringify(reach) };
  }

  function discard(network: NetworkSlot): void {
    working = working
      .then(() => removeNetwork(host.tag, network, owner))
      .catch((error: unknown) => host.log.warn({ err: error, network: network.namespace }, 'A spare network could not be removed.'));
  }

  return {
    take(instance, wanted) {
      const reach = JSON.stringify(wanted.reach);
      refill();
      for (let spare = spares.shift(); spare; spare = spares.shift()) {
        // The rules contain the addresses of this machine, which may have changed since.
        const isFit = spare.reach === reach && spare.opened.every((port) => wanted.ports.includes(port)) && isWhole(spare.network);
        if (isFit && transferSlot(host.tag, spare.network, { from: owner, to: instance })) return spare;
        discard(spare.network);
      }
      return undefined;
    },
    ready: () => spares.length,
    async close() {
      closing.abort();
      clearTimeout(timer);
      await working;
      for (const { network } of spares.splice(0)) discard(network);
      await working;
    },
  };
}
