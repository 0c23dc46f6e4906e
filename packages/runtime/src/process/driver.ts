import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Egress, Instance, RuntimeDriver } from '../driver.ts';
import { askToExit, concludeEnding, type Ending, endLeftovers, endSupervisor, giveBack, killSandbox, waitForEnd } from './end/ending.ts';
import { sweepHost } from './end/sweep.ts';
import { thisHost } from './host/host.ts';
import { withLock } from './host/lock.ts';
import type { Log } from './host/log.ts';
import { enforceLimits } from './limits/enforce.ts';
import { diskUsage, processUsage } from './limits/usage.ts';
import { exposePort, instancePorts } from './network/expose.ts';
import { spareNetworks } from './network/spare-networks.ts';
import { releaseFile } from './output/release-file.ts';
import { processActivity } from './proc/activity.ts';
import { looksAt } from './records/observer.ts';
import { type Folder, listIds, phaseOf, readJson, type SandboxRecord, sandboxFolder, supervisorOf } from './records/records.ts';
import { SANDBOX_PORT } from './sandbox/bwrap.ts';
import { removeFolder } from './start/create-sandbox.ts';
import { startInstance } from './start/start-instance.ts';

export interface ProcessDriverOptions {
  /** Folder of this driver alone; made when missing. */
  dataDir: string;
  /** Label of this installation: with the folder it decides which processes, networks and control groups are ours. */
  installation: string;
  /** Runs agents as plain processes of the host, without any isolation. */
  unsandboxed?: boolean;
  /** Ports of the host that no instance may get. */
  platformPorts?: number[];
  /** As root: how many networks are kept ready for the next starts, and for which egress. None where it is left out. */
  spares?: { count: number; egress: Egress };
  log: Log;
}

/** Runs each instance as a sandboxed process of this machine. */
export function processDriver(options: ProcessDriverOptions): RuntimeDriver {
  const host = thisHost(options);
  const parent = join(host.dataDir, 'instances');
  const records = new Map<string, SandboxRecord>();
  const endings = new Map<string, Ending>();

  const folders = new Map<string, Folder>();

  /** Made once for each: what looks at all instances twice a second asks for hundreds of paths. */
  function folderOf(id: string): Folder {
    const folder = folders.get(id) ?? sandboxFolder(parent, id);
    folders.set(id, folder);
    return folder;
  }
  const enforcement = enforceLimits(host, parent);
  const swept = sweepHost(
    host,
    (id) => isInUse(sandboxFolder(parent, id)) || isInUse(sandboxFolder(join(host.dataDir, 'steps'), id)),
  ).catch((error: unknown) => host.log.warn({ err: error }, 'What a crash may have left on this machine could not be cleaned up.'));
  const spares =
    options.spares && host.mode === 'root' ? spareNetworks(host, options.spares.egress, options.spares.count, swept) : undefined;
  const lock = <T>(id: string, work: () => Promise<T>) => withLock(`instance ${host.tag} ${id}`, work, 60_000);

  function recordOf(id: string): SandboxRecord | undefined {
    const record = records.get(id) ?? readJson<SandboxRecord>(folderOf(id).record, host.troubles);
    if (record && supervisorOf(folderOf(id))) records.set(id, record); // complete from here on
    return record;
  }

  function endingOf(id: string): Ending | undefined {
    const ending = endings.get(id) ?? readJson<Ending>(folderOf(id).exit, host.troubles);
    if (ending) endings.set(id, ending);
    return ending;
  }

  function known(id: string): { folder: Folder; record: SandboxRecord } {
    const record = recordOf(id);
    if (!record) throw new Error(`There is no instance ${id}.`);
    return { folder: folderOf(id), record };
  }

  /** Reads an instance from the host; the first one to find that it has ended records how. */
  async function observe(id: string): Promise<Instance | undefined> {
    const record = recordOf(id);
    if (!record) return undefined;
    if (!endingOf(id)) endLeftovers(folderOf(id), record);
    const ended = endingOf(id) ?? (phaseOf(folderOf(id), record) === 'ended' ? await conclude(id) : undefined);
    return ended === 'gone' ? undefined : describe(record, ended);
  }

  function conclude(id: string): Promise<Ending | 'gone'> {
    return lock(id, async () => {
      const record = recordOf(id);
      if (!record) return 'gone';
      return endingOf(id) ?? concludeEnding(host, folderOf(id), record); // remembered once it is on disk
    });
  }

  const looks = looksAt(host, 'instance', observe);

  return {
    name: 'process',
    isolated: host.mode !== 'unsandboxed',

    start: (spec, signal) =>
      lock(spec.id, async () => {
        const present = await alreadyThere(spec.id);
        if (present) return present;
        const record = await startInstance(host, folderOf(spec.id), spec, signal, spares);
        records.set(spec.id, record);
        return describe(record, undefined);
      }),

    async stop(id, graceMs) {
      const record = recordOf(id);
      if (!record || endingOf(id)) return;
      const folder = folderOf(id);
      if (phaseOf(folder, record) === 'starting') await lock(id, async () => undefined); // let the start come to its end
      const deadline = performance.now() + graceMs;
      while (phaseOf(folder, record) !== 'ended' && performance.now() < deadline && !askToExit(folder, record)) await sleep(10);
      if (!(await waitForEnd(folder, record, Math.max(0, deadline - performance.now())))) {
        killSandbox(folder, record);
        if (!(await waitForEnd(folder, record, KILL_TIMEOUT_MS))) {
          endSupervisor(folder);
          if (!(await waitForEnd(folder, record, KILL_TIMEOUT_MS))) throw new Error(`Instance ${id} did not end after SIGKILL.`);
        }
      }
      await conclude(id);
    },

    remove: (id) =>
      lock(id, async () => {
        const record = recordOf(id);
        if (record && !endingOf(id) && phaseOf(folderOf(id), record) !== 'ended') throw new Error(`Instance ${id} still runs.`);
        if (record) await giveBack(host, folderOf(id), record);
        await removeFolder(folderOf(id).path, host.mode);
        for (const memory of [records, endings, folders]) memory.delete(id);
        looks.forget(id);
      }),

    list: async () => looks.all(listIds(parent)),
    find: (id) => looks.one(id),

    async listening(id) {
      const { folder, record } = known(id);
      return endingOf(id) ? [] : instancePorts(folder, record);
    },

    async activity(id) {
      const { folder, record } = known(id);
      return endingOf(id) ? { cpu_ms: 0, read_bytes: 0, received_bytes: 0, is_waiting: false } : processActivity(folder, record);
    },

    direct(id) {
      const { record } = known(id);
      return record.network && { host: record.network.address, port: SANDBOX_PORT };
    },

    async expose(id, port) {
      const { folder, record } = known(id);
      return exposePort(folder, record, port);
    },

    output(id) {
      const { stdout, stderr } = folderOf(id);
      return { stdout, stderr };
    },

    async releaseOutput(id, offsets) {
      const { folder } = known(id);
      await releaseFile(folder.stdout, offsets.stdout);
      await releaseFile(folder.stderr, offsets.stderr);
    },

    async usage(id) {
      const { folder, record } = known(id);
      const ending = endingOf(id);
      const live = ending ? { cpu_ms: ending.cpu_ms, memory_bytes: 0, processes: 0 } : processUsage(folder, record);
      return { ...live, disk_bytes: await diskUsage(folder, record) };
    },

    async close() {
      await swept;
      await spares?.close();
      await enforcement.stop();
    },
  };

  /** What is known under the id already. A start whose starter died halfway left nothing that runs: it is cleared away. */
  async function alreadyThere(id: string): Promise<Instance | undefined> {
    const folder = folderOf(id);
    const record = recordOf(id);
    if (record && supervisorOf(folder)) {
      const ended = endingOf(id) ?? (phaseOf(folder, record) === 'ended' ? await concludeEnding(host, folder, record) : undefined);
      return describe(record, ended);
    }
    if (record) await concludeEnding(host, folder, record);
    await removeFolder(folder.path, host.mode);
    mkdirSync(parent, { recursive: true, mode: 0o700 });
    return undefined;
  }
}

const isInUse = (folder: Folder) => existsSync(folder.path) && !existsSync(folder.exit);

const KILL_TIMEOUT_MS = 5_000;

function describe(record: SandboxRecord, ended: Ending | undefined): Instance {
  const { id, deployment_id, generation, started_at } = record;
  if (!ended) return { id, deployment_id, generation, state: 'running', started_at };
  const { code, signal, oom, disk_full, at } = ended;
  return { id, deployment_id, generation, state: 'exited', started_at, exit: { code, signal, oom, disk_full, at } };
}
