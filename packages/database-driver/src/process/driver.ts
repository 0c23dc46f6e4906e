import { join, resolve } from 'node:path';
import { type Log, type Service, type ServiceRunner, serviceRunner } from '@paddock/runtime';
import { removeTree } from '@paddock/safe-files';
import type { DatabaseDriver, DatabaseSpec, DatabaseState, DatabaseType } from '../driver.ts';
import { admitted } from './admission.ts';
import { starter } from './bring-up.ts';
import type { Engine } from './engine.ts';
import { databaseEngines } from './engines.ts';
import { lastWords } from './last-words.ts';
import { restoreBackup } from './restore.ts';
import { databaseRooms } from './rooms.ts';
import { writeBackup } from './write-backup.ts';

export interface ProcessDatabaseDriverOptions {
  /** The platform's; databases lie below `databases`, what runs them below `database-servers`. */
  dataDir: string;
  /** Label of this installation. */
  installation: string;
  /** Runs servers as plain processes of the host, without any isolation. */
  unsandboxed?: boolean;
  log: Log;
  /** Where programs are looked for that Paddock does not bring: folders separated by colons. */
  path: string;
}

const MEASURE_MS = 5_000;
/** Its data goes, too: it need not write anything any more. */
const REMOVE_GRACE_MS = 500;
const REASON_LINES = 3;

/** Runs each managed database as a sandboxed server process of this machine. */
export function processDatabaseDriver(options: ProcessDatabaseDriverOptions): DatabaseDriver {
  const { installation, unsandboxed = false, log, path } = options;
  const dataDir = resolve(options.dataDir);
  const runner = serviceRunner({ dataDir: join(dataDir, 'database-servers'), installation, unsandboxed, log });
  return databaseDriver(runner, databaseEngines({ unsandboxed, path }), join(dataDir, 'databases'), log);
}

/** The same over given parts. `parent` is the folder that holds the databases. */
export function databaseDriver(runner: ServiceRunner, engines: Record<DatabaseType, Engine>, parent: string, log: Log): DatabaseDriver {
  const rooms = databaseRooms(parent, (user) => runner.serviceUser(user));
  const starting = starter(runner, rooms);
  const letIn = <T>(spec: DatabaseSpec, work: () => Promise<T>) => admitted(runner, spec, work);

  const roomOf = (id: string) => {
    const record = rooms.recordOf(id);
    if (!record) throw new Error(`There is no database ${id} on this machine.`);
    return rooms.roomOf(id, record);
  };

  return {
    name: 'process',
    available: (type) => engines[type].available(),

    async start(spec, signal) {
      const { address, undone } = await starting.bringUp(engines[spec.type], spec, signal);
      if (undone)
        log.warn({ err: undone, database: spec.id }, 'A restored database did not start: its content before the restore is back.');
      return address;
    },

    async stop(id) {
      if (!rooms.recordOf(id)) return;
      // Before the end: should we die in between, nobody takes it for a crash.
      try {
        rooms.markStopped(id);
      } catch (error) {
        // A full disk: it is ended all the same, which may be what makes room.
        log.warn({ err: error, database: id }, 'That a database is stopped could not be noted.');
      }
      await starting.stop(id);
    },

    async remove(id) {
      await runner.stop(id, REMOVE_GRACE_MS);
      await runner.remove(id);
      await removeTree(rooms.pathOf(id));
    },

    async list() {
      const services = new Map((await runner.list()).map((service) => [service.id, service]));
      return rooms.ids().flatMap((id): DatabaseState[] => {
        const type = rooms.recordOf(id)?.type;
        if (!type) return [];
        const service = services.get(id);
        if (service?.state === 'running') return [{ id, type, state: 'running' }];
        if (rooms.isStopped(id)) return [{ id, type, state: 'stopped' }];
        return [{ id, type, state: 'exited', reason: whyEnded(service, service ? runner.tail(id, REASON_LINES) : '') }];
      });
    },

    async measure(spec, address) {
      const late = AbortSignal.timeout(MEASURE_MS);
      const tooLate = new Promise<never>((_, reject) =>
        late.addEventListener('abort', () => reject(new Error(`The database ${spec.id} did not answer within ${MEASURE_MS / 1000} s.`))),
      );
      const figures = Promise.all([letIn(spec, () => engines[spec.type].measure(spec, address)), runner.usage(spec.id)]);
      const [engine, usage] = await Promise.race([figures, tooLate]);
      return { ...engine, memory_bytes: usage.memory_bytes };
    },

    setPassword: (spec, address) => letIn(spec, () => engines[spec.type].setPassword(roomOf(spec.id), spec, address)),
    setWriting: (spec, address, writing) => letIn(spec, () => engines[spec.type].setWriting(spec, address, writing)),

    backup(spec, address, file, signal) {
      const room = roomOf(spec.id);
      const manifest = { format: 1 as const, type: spec.type, version: address.version };
      const bring: Parameters<typeof writeBackup>[1] = (pack, ending) => engines[spec.type].backup(room, spec, address, pack, ending);
      return writeBackup({ file, room, manifest }, bring, signal);
    },

    restore: (spec, backup, signal) => restoreBackup(starting, engines[spec.type], spec, backup, signal),

    async tidy() {
      for (const id of rooms.ids()) {
        await runner.trimOutput(id).catch((error: unknown) => log.warn({ err: error, database: id }, "A database's output was not freed."));
      }
    },

    close: () => runner.close(),
  };
}

/** In one sentence. What servers print names no statement and no parameter. */
function whyEnded(service: Service | undefined, lastLines: string): string {
  if (!service?.exit) return 'Nobody knows how it ended: the machine was restarted, or what supervised it was killed.';
  const { code, signal, oom } = service.exit;
  if (oom) return 'It was ended because it used more memory than it may.';
  // Of Redis: it wrote less than it wanted to.
  if (/No space left on device|Short write while writing/.test(lastLines))
    return 'It ended because the disk is full. Free some space, then start it.';
  const how = signal ? `It was ended by ${signal}` : code === null ? 'It ended' : `It ended with exit code ${code}`;
  const said = lastWords(lastLines);
  return said ? `${how}; it last said: ${said}` : `${how}.`;
}
