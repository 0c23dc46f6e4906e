import type { Egress } from '../../driver.ts';
import type { Host } from '../host/host.ts';
import { isAlive, ownIdentity } from '../proc/processes.ts';
import { type Reach, resolveReach } from './egress.ts';
import { createNetwork, handOver, isWhole, type NetworkSlot, removeNetwork, takeSlot } from './host-network.ts';

/** After a start, so that the one after it does not share the processor with this, nor the agent that just begins. */
const REFILL_PAUSE_MS = 500;

/** Networks that were made before anybody needed them. Each is used once, by one instance. */
export interface SpareNetworks {
  /** A network with just these rules in force, from now on the owner's; undefined when there is none. */
  take(owner: string, reach: Reach): NetworkSlot | undefined;
  /** How many could be taken now. */
  ready(): number;
  /** Takes away those that nobody has taken. */
  close(): Promise<void>;
}

/** An id of an instance holds no dots, so no instance can have this for its name. */
const SPARE = /^spare\.(\d+)\.(\d+)$/;

/** Whose spare it is: the process that keeps it, so that a later one sees whether it was left by a crash. */
function spareOwner(): string {
  const { pid, start } = ownIdentity();
  return `spare.${pid}.${start}`;
}

/** Whether `owner` stands for a spare network, and whether the process that keeps it lives. */
export function spareState(owner: string | undefined): 'kept' | 'left' | undefined {
  const [, pid, start] = SPARE.exec(owner ?? '') ?? [];
  if (pid === undefined) return undefined;
  return isAlive({ pid: Number(pid), start: Number(start) }) ? 'kept' : 'left';
}

/** Keeps `count` networks ready for instances with this egress. Begins after `ready`. */
export function spareNetworks(host: Host, egress: Egress, count: number, ready: Promise<unknown>): SpareNetworks {
  const owner = spareOwner();
  const closing = new AbortController();
  const spares: { network: NetworkSlot; reach: string }[] = [];
  let working: Promise<unknown> = ready;
  let timer: NodeJS.Timeout | undefined;
  refill();

  function refill(): void {
    clearTimeout(timer);
    if (closing.signal.aborted) return;
    timer = setTimeout(() => {
      working = working.then(fill);
    }, REFILL_PAUSE_MS).unref();
  }

  /** What fails is tried again after the next start; until then instances get their networks when they need them. */
  async function fill(): Promise<void> {
    try {
      while (spares.length < count && !closing.signal.aborted) spares.push(await make());
    } catch (error) {
      if (!closing.signal.aborted) host.log.warn({ err: error }, 'A network could not be made ahead of need.');
    }
  }

  async function make() {
    const reach = await resolveReach(egress.allow, [], closing.signal);
    const network = takeSlot(host.tag, owner);
    try {
      await createNetwork(host.tag, network, reach, closing.signal);
    } catch (error) {
      await removeNetwork(host.tag, network, owner);
      throw error;
    }
    return { network, reach: JSON.stringify(reach) };
  }

  function discard(network: NetworkSlot): void {
    working = working
      .then(() => removeNetwork(host.tag, network, owner))
      .catch((error: unknown) => host.log.warn({ err: error, network: network.namespace }, 'A spare network could not be removed.'));
  }

  return {
    take(instance, reach) {
      const wanted = JSON.stringify(reach);
      refill();
      for (let spare = spares.shift(); spare; spare = spares.shift()) {
        // The addresses of this machine are part of the rules, and may have changed since.
        const isFit = spare.reach === wanted && isWhole(spare.network);
        if (isFit && handOver(host.tag, spare.network, owner, instance)) return spare.network;
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
