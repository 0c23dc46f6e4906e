import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Service, ServiceRunner } from '../driver.ts';
import { concludeExit, type ExitRecord, endLeftovers, killUntilEnded, releaseResources } from './end/conclude-exit.ts';
import { removeUnrecorded, sweepHost } from './end/sweep.ts';
import { type Host, type HostOptions, thisHost } from './host/host.ts';
import { withLock } from './host/lock.ts';
import { processUsage } from './limits/usage.ts';
import { blockServiceEgress, serviceUid, unblockServiceEgress } from './network/service-rules.ts';
import { lastLines, trimFile } from './output/tail.ts';
import { mainProcess } from './proc/members.ts';
import { descendants, signal as send } from './proc/processes.ts';
import { observer } from './records/observer.ts';
import { detectPhase, type Folder, listIds, readJson, readSupervisor, type SandboxRecord, sandboxFolder } from './records/records.ts';
import { removeFolder } from './start/create-sandbox.ts';
import { startService } from './start/start-service.ts';

/** Maximum wait of a start for another start of the same id, or for the record of an exit. */
const LOCK_TIMEOUT_MS = 120_000;

/** Runs services as sandboxed processes in this machine's own network. Any number of processes may use a runner on the same folder. */
export function serviceRunner(options: HostOptions): ServiceRunner {
  const host = thisHost(options);
  const parent = join(host.dataDir, 'services');
  const records = serviceRecords(host, parent);
  const { folderOf, recordOf, endingOf, isInUse } = records;
  const lock = <T>(id: string, work: () => Promise<T>) => withLock(`service ${host.tag} ${id}`, work, LOCK_TIMEOUT_MS);
  const isAnyInUse = () => listIds(parent).some(isInUse);
  const openUp = () => unblockServiceEgress(host, isAnyInUse);
  const { conclude, observe, hasEnded } = serviceEndings(host, records, { lock, openUp });
  const observed = observer(host, 'service', observe);
  const ready = adopt();

  return {
    ...serviceReadings(records),
    serviceUser: (user) => (host.mode === 'root' ? serviceUid(user) : undefined),

    start: (spec, signal) =>
      lock(spec.id, async () => {
        await ready;
        const folder = folderOf(spec.id);
        const present = recordOf(spec.id);
        if (present && readSupervisor(folder) && detectPhase(folder, present) !== 'ended') return describe(present, undefined);
        // The service has exited, or the process that started it died halfway.
        if (present && !endingOf(spec.id)) await concludeExit(host, folder, present);
        await removeFolder(folder.path, host.mode);
        try {
          const record = await startService(host, folder, { spec, signal, closeOff: () => blockServiceEgress(host, signal) });
          return describe(record, undefined);
        } catch (error) {
          await openUp();
          throw error;
        }
      }),

    async stop(id, graceMs) {
      let record = recordOf(id);
      if (!record || endingOf(id)) return;
      const folder = folderOf(id);
      if (detectPhase(folder, record) === 'starting') {
        await lock(id, async () => undefined); // wait until the start has finished
        record = recordOf(id);
        if (!record) return;
      }
      const run = record;
      const deadline = performance.now() + graceMs;
      await askToEnd(folder, run, deadline);
      if (!(await hasEnded(run, deadline))) {
        await killUntilEnded(folder, run, {
          name: `Service ${id}`,
          hasEnded: (withinMs) => hasEnded(run, performance.now() + withinMs),
        });
      }
      await lock(id, () => conclude(id));
    },

    remove: (id) =>
      lock(id, async () => {
        const record = recordOf(id);
        if (record && !endingOf(id) && detectPhase(folderOf(id), record) !== 'ended') throw new Error(`Service ${id} still runs.`);
        if (record) await releaseResources(host, folderOf(id), record);
        await removeFolder(folderOf(id).path, host.mode);
        observed.forget(id);
        await openUp();
      }),

    list: async () => observed.all(listIds(parent)),

    async close() {
      await ready;
    },
  };

  /** Removes the remains of a crash, and writes the rules for the running services. */
  async function adopt(): Promise<void> {
    try {
      await removeUnrecorded(host, parent, lock);
      await sweepHost(host, isInUse);
      if (isAnyInUse()) await blockServiceEgress(host);
      else await openUp();
    } catch (error) {
      host.log.warn({ err: error }, 'What a crash may have left of services on this machine could not be cleaned up.');
    }
  }
}

type Records = ReturnType<typeof serviceRecords>;

/** The records of the services below `parent`. Each call reads the disk, since another process may have started the same id again. */
function serviceRecords({ troubles }: Host, parent: string) {
  const folderOf = (id: string) => sandboxFolder(parent, id);
  return {
    folderOf,
    recordOf: (id: string) => readJson<SandboxRecord>(folderOf(id).record, troubles),
    endingOf: (id: string) => readJson<ExitRecord>(folderOf(id).exit, troubles),
    isInUse: (id: string) => existsSync(folderOf(id).record) && !existsSync(folderOf(id).exit),
  };
}

/** Detects the end of a service's run and records its result. */
function serviceEndings(
  host: Host,
  { folderOf, recordOf, endingOf }: Records,
  { lock, openUp }: { lock: <T>(id: string, work: () => Promise<T>) => Promise<T>; openUp: () => Promise<void> },
) {
  /** Records the result of a service that has exited. Call this under the lock: the id may have been started again since. */
  async function conclude(id: string): Promise<ExitRecord | undefined> {
    const record = recordOf(id);
    const known = endingOf(id);
    if (!record || known || detectPhase(folderOf(id), record) !== 'ended') return known;
    const ending = await concludeExit(host, folderOf(id), record);
    await openUp();
    return ending;
  }

  async function observe(id: string): Promise<Service | undefined> {
    const record = recordOf(id);
    if (!record) return undefined;
    let ending: ExitRecord | undefined;
    if (!endingOf(id)) {
      endLeftovers(folderOf(id), record);
      if (detectPhase(folderOf(id), record) === 'ended') ending = await lock(id, () => conclude(id));
    }
    const now = recordOf(id);
    // On a full disk the result is not in its file.
    return now && describe(now, endingOf(id) ?? (now.started_at === record.started_at ? ending : undefined));
  }

  /** Waits until this run is over; false at the deadline. If the id was started again, that is another run. */
  async function hasEnded(run: SandboxRecord, deadline: number): Promise<boolean> {
    const folder = folderOf(run.id);
    for (let pause = 2; ; pause = Math.min(pause * 1.3, 50)) {
      if (recordOf(run.id)?.started_at !== run.started_at || detectPhase(folder, run) === 'ended') return true;
      const left = deadline - performance.now();
      if (left <= 0) return false;
      endLeftovers(folder, run);
      await sleep(Math.min(pause, left));
    }
  }

  return { conclude, observe, hasEnded };
}

type Readings = Pick<ServiceRunner, 'tail' | 'trimOutput' | 'usage' | 'processes'>;

/** The runner's methods that read one service and do not affect whether it runs. */
function serviceReadings({ folderOf, recordOf, endingOf }: Records): Readings {
  return {
    tail(id, lines) {
      const { stdout, stderr } = folderOf(id);
      return lastLines([stdout, stderr], lines);
    },

    async trimOutput(id) {
      const { stdout, stderr } = folderOf(id);
      for (const file of [stdout, stderr]) await trimFile(file);
    },

    async usage(id) {
      const record = recordOf(id);
      if (!record) throw new Error(`There is no service ${id}.`);
      const ending = endingOf(id);
      return ending ? { cpu_ms: ending.cpu_ms, memory_bytes: 0, processes: 0 } : processUsage(folderOf(id), record);
    },

    async processes(id) {
      const record = recordOf(id);
      const program = record && !endingOf(id) ? mainProcess(folderOf(id), record) : undefined;
      return program === undefined ? [] : [program, ...descendants(program).map(({ pid }) => pid)];
    },
  };
}

/** Sends the service's signal to its first process, as soon as that process exists. */
async function askToEnd(folder: Folder, record: SandboxRecord, deadline: number): Promise<void> {
  while (detectPhase(folder, record) !== 'ended' && performance.now() < deadline) {
    const main = mainProcess(folder, record);
    if (main !== undefined) return send(main, record.stop_signal ?? 'SIGTERM');
    await sleep(10);
  }
}

function describe({ id, started_at }: SandboxRecord, ended: ExitRecord | undefined): Service {
  if (!ended) return { id, state: 'running', started_at };
  const { code, signal, oom, at } = ended;
  return { id, state: 'exited', started_at, exit: { code, signal, oom, at } };
}
