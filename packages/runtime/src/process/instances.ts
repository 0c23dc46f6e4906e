import type { Instance, RuntimeDriver } from '../driver.ts';
import type { ExitRecord } from './end/conclude-exit.ts';
import type { Host } from './host/host.ts';
import { diskUsage, processUsage } from './limits/usage.ts';
import { exposePort, instancePorts } from './network/expose.ts';
import { releaseFile } from './output/release-file.ts';
import { noActivity, processActivity } from './proc/activity.ts';
import { type Folder, readJson, readSupervisor, type SandboxRecord, sandboxFolder } from './records/records.ts';
import { SANDBOX_PORT } from './sandbox/bwrap.ts';

export type Instances = ReturnType<typeof knownInstances>;

/** The records of the instances below `parent`. Files that no longer change are read from disk once. */
export function knownInstances(host: Host, parent: string) {
  const folders = new Map<string, Folder>();
  const records = new Map<string, SandboxRecord>();
  const endings = new Map<string, ExitRecord>();

  /** Cached, because checks of all instances twice a second need hundreds of paths. */
  function resolveFolder(id: string): Folder {
    const folder = folders.get(id) ?? sandboxFolder(parent, id);
    folders.set(id, folder);
    return folder;
  }

  function readRecord(id: string): SandboxRecord | undefined {
    const record = records.get(id) ?? readJson<SandboxRecord>(resolveFolder(id).record, host.troubles);
    if (record && readSupervisor(resolveFolder(id))) records.set(id, record); // complete from here on
    return record;
  }

  function readExit(id: string): ExitRecord | undefined {
    const ending = endings.get(id) ?? readJson<ExitRecord>(resolveFolder(id).exit, host.troubles);
    if (ending) endings.set(id, ending);
    return ending;
  }

  /** Throws if there is no such instance. */
  function known(id: string): { folder: Folder; record: SandboxRecord } {
    const record = readRecord(id);
    if (!record) throw new Error(`There is no instance ${id}.`);
    return { folder: resolveFolder(id), record };
  }

  return {
    resolveFolder,
    readRecord,
    readExit,
    known,
    remember: (record: SandboxRecord) => void records.set(record.id, record),
    forget(id: string): void {
      for (const memory of [records, endings, folders]) memory.delete(id);
    },
  };
}

type Readings = Pick<RuntimeDriver, 'listening' | 'activity' | 'direct' | 'expose' | 'output' | 'releaseOutput' | 'load' | 'usage'>;

/** The driver's methods that read one instance and do not affect whether it runs. */
export function instanceReadings({ resolveFolder, readExit, known }: Instances): Readings {
  function load(id: string) {
    const { folder, record } = known(id);
    const ending = readExit(id);
    return ending ? { cpu_ms: ending.cpu_ms, memory_bytes: 0, processes: 0 } : processUsage(folder, record);
  }

  return {
    load: async (id) => load(id),

    async listening(id) {
      const { folder, record } = known(id);
      return readExit(id) ? [] : instancePorts(folder, record);
    },

    async activity(id) {
      const { folder, record } = known(id);
      return readExit(id) ? noActivity : processActivity(folder, record);
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
      const { stdout, stderr } = resolveFolder(id);
      return { stdout, stderr };
    },

    async releaseOutput(id, offsets) {
      const { folder } = known(id);
      await releaseFile(folder.stdout, offsets.stdout);
      await releaseFile(folder.stderr, offsets.stderr);
    },

    async usage(id) {
      const { folder, record } = known(id);
      return { ...load(id), disk_bytes: await diskUsage(folder, record) };
    },
  };
}

export function describeInstance(record: SandboxRecord, ended: ExitRecord | undefined): Instance {
  const { id, deployment_id, generation, started_at } = record;
  if (!ended) return { id, deployment_id, generation, state: 'running', started_at };
  const { code, signal, oom, disk_full, at } = ended;
  return { id, deployment_id, generation, state: 'exited', started_at, exit: { code, signal, oom, disk_full, at } };
}
