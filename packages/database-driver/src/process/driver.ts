import { join, resolve } from 'node:path';
import { type Log, type Service, type ServiceRunner, serviceRunner } from '@paddock/runtime';
import { removeTree } from '@paddock/safe-files';
import type { DatabaseDriver, DatabaseSpec, DatabaseState, DatabaseType } from '../driver.ts';
import { admitted } from './admission.ts';
import { databaseFolders } from './database-folders.ts';
import type { Engine, Extensions } from './engine.ts';
import { databaseEngines } from './engines.ts';
import { readLogTail } from './log-tail.ts';
import { restoreBackup } from './restore.ts';
import { starter } from './start-database.ts';
import { type Manifest, writeBackup } from './write-backup.ts';

export interface ProcessDatabaseDriverOptions {
  /** The platform's folder. Databases are below `databases`, the records of their servers below `database-servers`. */
  dataDir: string;
  /** Label of this installation. */
  installation: string;
  /** Runs servers as plain processes of the host, without any isolation. */
  unsandboxed?: boolean;
  log: Log;
  /** Folders separated by colons, which are searched for programs that Paddock does not bring. */
  path: string;
  /** Without them, databases have the extensions of PostgreSQL itself. */
  extensions?: Extensions;
}

const MEASURE_MS = 5_000;
/** Short, because the data is deleted, too: the server need not write anything. */
const REMOVE_GRACE_MS = 500;
const REASON_LINES = 3;

/** Runs each managed database as a sandboxed server process of this machine. */
export function processDatabaseDriver(options: ProcessDatabaseDriverOptions): DatabaseDriver {
  const { installation, unsandboxed = false, log, path, extensions } = options;
  const dataDir = resolve(options.dataDir);
  const runner = serviceRunner({ dataDir: join(dataDir, 'database-servers'), installation, unsandboxed, log });
  const engines = databaseEngines({ unsandboxed, path, ...(extensions === undefined ? {} : { extensions }) });
  return databaseDriver({ runner, engines, parent: join(dataDir, 'databases'), log });
}

interface DatabaseDriverParts {
  runner: ServiceRunner;
  engines: Record<DatabaseType, Engine>;
  /** The folder of the databases. */
  parent: string;
  log: Log;
}

/** The driver of databases that run as services. */
function databaseDriver({ runner, engines, parent, log }: DatabaseDriverParts): DatabaseDriver {
  const rooms = databaseFolders(parent, (user) => runner.serviceUser(user));
  const starting = starter(runner, rooms);
  const letIn = <T>(spec: DatabaseSpec, work: () => Promise<T>) => admitted(runner, spec, work);

  const findRoom = (id: string) => {
    const record = rooms.readRecord(id);
    if (!record) throw new Error(`There is no database ${id} on this machine.`);
    return rooms.buildRoom(id, record);
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
      if (!rooms.readRecord(id)) return;
      // Marked before the server ends. If this process dies in between, the end does not look like a crash.
      try {
        rooms.markStopped(id);
      } catch (error) {
        // The disk is full. The server is stopped anyway, which may free space.
        log.warn({ err: error, database: id }, 'That a database is stopped could not be noted.');
      }
      await starting.stop(id);
    },

    async remove(id) {
      await runner.stop(id, REMOVE_GRACE_MS);
      await runner.remove(id);
      await removeTree(rooms.resolvePath(id));
    },

    async list() {
      const services = new Map((await runner.list()).map((service) => [service.id, service]));
      return rooms.ids().flatMap((id): DatabaseState[] => {
        const type = rooms.readRecord(id)?.type;
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

    setPassword: (spec, address) => letIn(spec, () => engines[spec.type].setPassword(findRoom(spec.id), spec, address)),
    setWriting: (spec, address, writing) => letIn(spec, () => engines[spec.type].setWriting(spec, address, writing)),

    backup(spec, address, { file, signal }) {
      const room = findRoom(spec.id);
      const manifest: Manifest = { format: 1, type: spec.type, version: address.version };
      return writeBackup(
        { file, room, manifest },
        (pack, ending) => engines[spec.type].backup({ room, spec, address, pack, signal: ending }),
        signal,
      );
    },

    restore: (spec, backup, signal) => restoreBackup(starting, { engine: engines[spec.type], spec, backup, signal }),

    async tidy() {
      for (const id of rooms.ids()) {
        await runner.trimOutput(id).catch((error: unknown) => log.warn({ err: error, database: id }, "A database's output was not freed."));
      }
    },

    close: () => runner.close(),
  };
}

/** The reason why a server exited, in one sentence. The output of servers contains no statement and no parameter. */
function whyEnded(service: Service | undefined, lastLines: string): string {
  if (!service?.exit) return 'Nobody knows how it ended: the machine was restarted, or what supervised it was killed.';
  const { code, signal, oom } = service.exit;
  if (oom) return 'It was ended because it used more memory than it may.';
  // The second pattern is Redis's.
  if (/No space left on device|Short write while writing/.test(lastLines))
    return 'It ended because the disk is full. Free some space, then start it.';
  const how = howEnded(code, signal);
  const said = readLogTail(lastLines);
  return said ? `${how}; it last said: ${said}` : `${how}.`;
}

function howEnded(code: number | null, signal: string | null): string {
  if (signal) return `It was ended by ${signal}`;
  return code === null ? 'It ended' : `It ended with exit code ${code}`;
}
