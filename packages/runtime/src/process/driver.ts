import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Instance, RuntimeDriver } from '../driver.ts';
import {
  concludeExit,
  type ExitRecord,
  endLeftovers,
  killUntilEnded,
  releaseResources,
  requestExit,
  waitForEnd,
} from './end/conclude-exit.ts';
import { removeUnrecorded, sweepHost } from './end/sweep.ts';
import { type Host, thisHost } from './host/host.ts';
import { withLock } from './host/lock.ts';
import type { Log } from './host/log.ts';
import { type Guard, hostGuard } from './hosts/guard.ts';
import type { NameServer } from './hosts/upstream.ts';
import { describeInstance, type Instances, instanceReadings, knownInstances } from './instances.ts';
import { enforceLimits } from './limits/enforce.ts';
import { type Spares, spareNetworks } from './network/spare-networks.ts';
import { observer } from './records/observer.ts';
import { detectPhase, type Folder, listIds, readSupervisor, type SandboxRecord, sandboxFolder } from './records/records.ts';
import { removeFolder } from './start/create-sandbox.ts';
import { startInstance } from './start/start-instance.ts';

export interface ProcessDriverOptions {
  /** Folder of this driver alone; created if missing. */
  dataDir: string;
  /** Label of this installation. Label and folder decide which processes, networks and control groups belong to it. */
  installation: string;
  /** Runs agents as plain processes of the host, without any isolation. */
  unsandboxed?: boolean;
  /** Ports of the host that no instance may get. */
  platformPorts?: number[];
  /** Networks that are kept ready for the next starts when running as root. None if absent. */
  spares?: Spares;
  /** The name servers for instances with host rules. If absent, the name servers of this machine. */
  nameServers?: () => NameServer[];
  log: Log;
}

/** Maximum wait of a start for another start of the same id, or for the record of an exit. */
const LOCK_TIMEOUT_MS = 120_000;

/** Runs each instance as a sandboxed process of this machine. */
export function processDriver(options: ProcessDriverOptions): RuntimeDriver {
  const host = thisHost(options);
  const parent = join(host.dataDir, 'instances');
  const instances = knownInstances(host, parent);
  const { resolveFolder, readRecord, readExit } = instances;
  const enforcement = enforceLimits(host, parent);
  const guard = hostGuard(host, parent, options.nameServers);
  const lock = <T>(id: string, work: () => Promise<T>) => withLock(`instance ${host.tag} ${id}`, work, LOCK_TIMEOUT_MS);
  const observed = observer(host, 'instance', observe);
  const swept = sweepLeftovers(host, parent, lock);
  const spares = options.spares && host.mode === 'root' ? spareNetworks(host, options.spares, swept) : undefined;

  return {
    name: 'process',
    isolated: host.mode !== 'unsandboxed',
    ...instanceReadings(instances),
    ...hostHolding(guard, instances),

    start: (spec, signal) =>
      lock(spec.id, async () => {
        const present = await alreadyThere(spec.id);
        if (present) return present;
        const record = await startInstance(host, resolveFolder(spec.id), { spec, signal, spares });
        instances.remember(record);
        if (spec.hosts?.length) await guard.begin();
        return describeInstance(record, undefined);
      }),

    async stop(id, graceMs) {
      const record = readRecord(id);
      if (!record || readExit(id)) return;
      const folder = resolveFolder(id);
      if (detectPhase(folder, record) === 'starting') await lock(id, async () => undefined); // wait until the start has finished
      await stopSandbox(folder, record, graceMs);
      await conclude(id);
    },

    remove: (id) =>
      lock(id, async () => {
        const record = readRecord(id);
        if (record && !readExit(id) && detectPhase(resolveFolder(id), record) !== 'ended') throw new Error(`Instance ${id} still runs.`);
        if (record) await releaseResources(host, resolveFolder(id), record);
        await removeFolder(resolveFolder(id).path, host.mode);
        instances.forget(id);
        observed.forget(id);
      }),

    list: async () => observed.all(listIds(parent)),
    find: (id) => observed.one(id),

    async close() {
      await swept;
      await guard.close();
      await spares?.close();
      await enforcement.stop();
    },
  };

  /** Reads an instance from the host. The first caller to find that the instance has exited records its result. */
  async function observe(id: string): Promise<Instance | undefined> {
    const record = readRecord(id);
    if (!record) return undefined;
    if (!readExit(id)) endLeftovers(resolveFolder(id), record);
    const ended = readExit(id) ?? (detectPhase(resolveFolder(id), record) === 'ended' ? await conclude(id) : undefined);
    return ended === 'gone' ? undefined : describeInstance(record, ended);
  }

  function conclude(id: string): Promise<ExitRecord | 'gone'> {
    return lock(id, async () => {
      const record = readRecord(id);
      if (!record) return 'gone';
      return readExit(id) ?? concludeExit(host, resolveFolder(id), record); // cached once it is on disk
    });
  }

  /** The instance that runs or has run under the id. If the starter died halfway, nothing runs and the remains are removed. */
  async function alreadyThere(id: string): Promise<Instance | undefined> {
    const folder = resolveFolder(id);
    const record = readRecord(id);
    if (record && readSupervisor(folder)) {
      const ended = readExit(id) ?? (detectPhase(folder, record) === 'ended' ? await concludeExit(host, folder, record) : undefined);
      return describeInstance(record, ended);
    }
    if (record) await concludeExit(host, folder, record);
    await removeFolder(folder.path, host.mode);
    mkdirSync(parent, { recursive: true, mode: 0o700 });
    return undefined;
  }
}

/** The driver's methods for host rules. */
const hostHolding = (
  guard: Guard,
  { resolveFolder, readRecord, readExit }: Instances,
): Pick<RuntimeDriver, 'holdToHosts' | 'onRefusedHost'> => ({
  async holdToHosts(id, rules) {
    const record = readRecord(id);
    if (!record || readExit(id)) throw new Error(`Instance ${id} does not run.`);
    await guard.hold(resolveFolder(id), record, rules);
  },
  onRefusedHost: guard.onRefused,
});

/** Asks the agent to exit, and kills it after `graceMs`. */
async function stopSandbox(folder: Folder, record: SandboxRecord, graceMs: number): Promise<void> {
  const deadline = performance.now() + graceMs;
  while (detectPhase(folder, record) !== 'ended' && performance.now() < deadline && !requestExit(folder, record)) await sleep(10);
  if (await waitForEnd(folder, record, Math.max(0, deadline - performance.now()))) return;
  await killUntilEnded(folder, record, {
    name: `Instance ${record.id}`,
    hasEnded: (withinMs) => waitForEnd(folder, record, withinMs),
  });
}

async function sweepLeftovers(host: Host, parent: string, lock: (id: string, work: () => Promise<void>) => Promise<void>): Promise<void> {
  const steps = join(host.dataDir, 'steps');
  try {
    await removeUnrecorded(host, parent, lock);
    await sweepHost(host, (id) => isInUse(sandboxFolder(parent, id)) || isInUse(sandboxFolder(steps, id)));
  } catch (error) {
    host.log.warn({ err: error }, 'What a crash may have left on this machine could not be cleaned up.');
  }
}

const isInUse = (folder: Folder) => existsSync(folder.path) && !existsSync(folder.exit);
