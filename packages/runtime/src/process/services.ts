import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Service, ServiceRunner } from '../driver.ts';
import { concludeEnding, type Ending, endLeftovers, endSupervisor, giveBack, killSandbox } from './end/ending.ts';
import { sweepHost } from './end/sweep.ts';
import { type HostOptions, thisHost } from './host/host.ts';
import { withLock } from './host/lock.ts';
import { processUsage } from './limits/usage.ts';
import { ensureServiceRules, removeServiceRules, serviceUid } from './network/service-rules.ts';
import { releaseFile } from './output/release-file.ts';
import { mainProcess } from './proc/members.ts';
import { descendants, signal as send } from './proc/processes.ts';
import { looksAt } from './records/observer.ts';
import { listIds, phaseOf, readJson, type SandboxRecord, sandboxFolder, supervisorOf } from './records/records.ts';
import { removeFolder } from './start/create-sandbox.ts';
import { startService } from './start/start-service.ts';

/** So much of each output stays on disk, and is looked through for its last lines. */
const KEPT_BYTES = 64 * 1024;
const KILL_TIMEOUT_MS = 5_000;
/** A start waits for another one, or for the record of an end. */
const LOCK_TIMEOUT_MS = 60_000;

/** Runs services as sandboxed processes in this machine's own network. Any number of processes may run one on the same folder. */
export function serviceRunner(options: HostOptions): ServiceRunner {
  const host = thisHost(options);
  const parent = join(host.dataDir, 'services');
  const folderOf = (id: string) => sandboxFolder(parent, id);
  // Nothing is remembered here: another process may have started the same id anew.
  const recordOf = (id: string) => readJson<SandboxRecord>(folderOf(id).record, host.troubles);
  const endingOf = (id: string) => readJson<Ending>(folderOf(id).exit, host.troubles);
  const isInUse = (id: string) => existsSync(folderOf(id).record) && !existsSync(folderOf(id).exit);
  const lock = <T>(id: string, work: () => Promise<T>) => withLock(`service ${host.tag} ${id}`, work, LOCK_TIMEOUT_MS);
  const ready = adopt();

  /** What a crash left goes; what runs is closed off again, should somebody have flushed the rules of the machine. */
  async function adopt(): Promise<void> {
    try {
      await sweepHost(host, isInUse);
      if (listIds(parent).some(isInUse)) await closeOff();
      else await openUp();
    } catch (error) {
      host.log.warn({ err: error }, 'What a crash may have left of services on this machine could not be cleaned up.');
    }
  }

  async function closeOff(signal?: AbortSignal): Promise<void> {
    if (host.mode === 'root') await withLock(`services ${host.tag}`, () => ensureServiceRules(host.tag, signal));
  }

  /** With the last service the rules go. A start makes its folder before it asks for them. */
  async function openUp(): Promise<void> {
    if (host.mode !== 'root') return;
    await withLock(`services ${host.tag}`, async () => {
      if (!listIds(parent).some(isInUse)) await removeServiceRules(host.tag);
    });
  }

  /** Records an end, if it is one: meanwhile the id may have been started anew. Call it under the lock. */
  async function conclude(id: string): Promise<Ending | undefined> {
    const record = recordOf(id);
    const known = endingOf(id);
    if (!record || known || phaseOf(folderOf(id), record) !== 'ended') return known;
    const ending = await concludeEnding(host, folderOf(id), record);
    await openUp();
    return ending;
  }

  async function observe(id: string): Promise<Service | undefined> {
    const record = recordOf(id);
    if (!record) return undefined;
    let ending: Ending | undefined;
    if (!endingOf(id)) {
      endLeftovers(folderOf(id), record);
      if (phaseOf(folderOf(id), record) === 'ended') ending = await lock(id, () => conclude(id));
    }
    const now = recordOf(id);
    // What was concluded may not be on disk, if that is full.
    return now && describe(now, endingOf(id) ?? (now.started_at === record.started_at ? ending : undefined));
  }

  const looks = looksAt(host, 'service', observe);

  /** Waits until this very run is over; false when the time is. */
  async function hasEnded(id: string, record: SandboxRecord, deadline: number): Promise<boolean> {
    const folder = folderOf(id);
    for (let pause = 2; ; pause = Math.min(pause * 1.3, 50)) {
      if (recordOf(id)?.started_at !== record.started_at || phaseOf(folder, record) === 'ended') return true;
      const left = deadline - performance.now();
      if (left <= 0) return false;
      endLeftovers(folder, record);
      await sleep(Math.min(pause, left));
    }
  }

  return {
    serviceUser: (user) => (host.mode === 'root' ? serviceUid(user) : undefined),

    start: (spec, signal) =>
      lock(spec.id, async () => {
        await ready;
        const folder = folderOf(spec.id);
        const present = recordOf(spec.id);
        if (present && supervisorOf(folder) && phaseOf(folder, present) !== 'ended') return describe(present, undefined);
        // It has ended, or the process that started it died halfway.
        if (present && !endingOf(spec.id)) await concludeEnding(host, folder, present);
        await removeFolder(folder.path, host.mode);
        try {
          const record = await startService(host, folder, spec, () => closeOff(signal), signal);
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
      if (phaseOf(folder, record) === 'starting') {
        await lock(id, async () => undefined); // let the start come to its end
        record = recordOf(id);
        if (!record) return;
      }
      const deadline = performance.now() + graceMs;
      let asked = false;
      while (!asked && phaseOf(folder, record) !== 'ended' && performance.now() < deadline) {
        const main = mainProcess(folder, record);
        if (main !== undefined) send(main, record.stop_signal ?? 'SIGTERM');
        asked = main !== undefined;
        if (!asked) await sleep(10);
      }
      if (!(await hasEnded(id, record, deadline))) {
        killSandbox(folder, record);
        if (!(await hasEnded(id, record, performance.now() + KILL_TIMEOUT_MS))) {
          endSupervisor(folder);
          if (!(await hasEnded(id, record, performance.now() + KILL_TIMEOUT_MS)))
            throw new Error(`Service ${id} did not end after SIGKILL.`);
        }
      }
      await lock(id, () => conclude(id));
    },

    remove: (id) =>
      lock(id, async () => {
        const record = recordOf(id);
        if (record && !endingOf(id) && phaseOf(folderOf(id), record) !== 'ended') throw new Error(`Service ${id} still runs.`);
        if (record) await giveBack(host, folderOf(id), record);
        await removeFolder(folderOf(id).path, host.mode);
        looks.forget(id);
        await openUp();
      }),

    list: async () => looks.all(listIds(parent)),

    tail(id, lines) {
      const { stdout, stderr } = folderOf(id);
      // Programs write to one of them; of both the one that was written last has the last word.
      const outputs = [stdout, stderr].filter((file) => existsSync(file)).sort((a, b) => statSync(a).mtimeMs - statSync(b).mtimeMs);
      const all = outputs.flatMap((file) => endOf(file).trimEnd().split('\n')).filter((line) => line !== '');
      return all.slice(-lines).join('\n');
    },

    async trimOutput(id) {
      const { stdout, stderr } = folderOf(id);
      for (const file of [stdout, stderr]) {
        const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
        if (size > KEPT_BYTES) await releaseFile(file, size - KEPT_BYTES);
      }
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

    async close() {
      await ready;
    },
  };
}

function describe({ id, started_at }: SandboxRecord, ended: Ending | undefined): Service {
  if (!ended) return { id, state: 'running', started_at };
  const { code, signal, oom, at } = ended;
  return { id, state: 'exited', started_at, exit: { code, signal, oom, at } };
}

function endOf(file: string): string {
  const descriptor = openSync(file, 'r');
  try {
    const { size } = statSync(file);
    const length = Math.min(size, KEPT_BYTES);
    const buffer = Buffer.alloc(length);
    const read = readSync(descriptor, buffer, 0, length, size - length);
    return buffer.toString('utf8', 0, read).replaceAll('\0', ''); // what was freed reads as zeros
  } finally {
    closeSync(descriptor);
  }
}
