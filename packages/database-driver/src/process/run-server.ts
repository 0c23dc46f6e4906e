import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Service, ServiceRunner } from '@paddock/runtime';
import type { DatabaseAddress, DatabaseSpec } from '../driver.ts';
import { admitted } from './admission.ts';
import type { Rooms } from './database-folders.ts';
import type { Engine, Room } from './engine.ts';
import { readLogTail } from './log-tail.ts';
import { choosePort, isFree } from './ports.ts';
import { isDiskFull } from './reason.ts';

/** A clean shutdown first writes everything in memory to disk. */
export const GRACE_MS = 30_000;
const MAKING_MS = 60_000;
/** A server that was killed replays its journal first. */
const READY_MS = 120_000;
const STATE_EVERY_MS = 200;
const ATTEMPTS = 3;
/** Processes in addition to one for each connection: PostgreSQL's background processes, Redis's threads, the sandbox. */
const OTHER_PROCESSES = 128;
const OPEN_FILES = 4_096;
/** Practically unlimited: the size of a database is measured instead of being cut off in the middle of a write. */
const FILE_SIZE_MB = 1_000_000;

class ServerEnded extends Error {}

/** A server to start in its room. */
export interface ServerStart {
  engine: Engine;
  spec: DatabaseSpec;
  room: Room;
  signal: AbortSignal;
}

/** Starts the servers of one driver, and waits until they respond. */
export function serverStarter(runner: ServiceRunner, rooms: Rooms) {
  const find = async (id: string): Promise<Service | undefined> => (await runner.list()).find((service) => service.id === id);

  /** Resolves once the server accepts connections and has its users and databases. A running server is adopted. */
  async function run(start: ServerStart): Promise<DatabaseAddress> {
    const { engine, spec } = start;
    for (let attempt = 1; ; attempt++) {
      const running = (await find(spec.id))?.state === 'running';
      const port = running ? rooms.readRecord(spec.id)!.port : await launch(start);
      try {
        const version = await untilAnswers(start, port);
        const address = { host: '127.0.0.1', port, version };
        await admitted(runner, spec, () => engine.settle(spec, address));
        const record = rooms.readRecord(spec.id)!;
        if (!record.made) rooms.save(spec.id, { ...record, made: true });
        return address;
      } catch (error) {
        if (!(error instanceof ServerEnded) || attempt === ATTEMPTS) throw error;
        // The server was shutting down when it was found, or another program took the port just before the start.
        if (!running && (await isFree(port))) throw error;
      }
    }
  }

  async function launch({ engine, spec, room, signal }: ServerStart): Promise<number> {
    const record = rooms.readRecord(spec.id)!;
    if (record.made && !existsSync(room.data))
      throw new Error(`The data of the database ${spec.id} is missing: ${room.data} is not there. Put it back, or restore a backup.`);
    let { port } = record;
    if (!(await isFree(port))) {
      port = await choosePort(rooms.portsOfOthers(spec.id), (chosen) => rooms.save(spec.id, { ...record, port: chosen }));
    }
    const { command, mounts, env } = await engine.command(room, spec, port);
    rooms.unmarkStopped(spec.id);
    const { memory_mb, cpus, connections } = spec.limits;
    await runner.start(
      {
        id: spec.id,
        user: record.user,
        command,
        env,
        cwd: '/store',
        stop_signal: engine.stop_signal,
        mounts: [{ from: room.store, at: '/store', writable: true }, ...mounts],
        limits: { memory_mb, cpus, processes: connections + OTHER_PROCESSES, open_files: OPEN_FILES, disk_mb: FILE_SIZE_MB },
      },
      signal,
    );
    return port;
  }

  /** The version of the server, once it accepts connections. */
  async function untilAnswers({ engine, spec, signal }: ServerStart, port: number): Promise<string> {
    const patienceMs = rooms.readRecord(spec.id)?.made ? READY_MS : MAKING_MS;
    const begun = performance.now();
    let nextLook = begun;
    for (let pause = 10; ; pause = Math.min(pause * 1.3, 250)) {
      signal.throwIfAborted();
      const version = await admitted(runner, spec, () => engine.answers(spec, port));
      if (version !== undefined) return version;
      const now = performance.now();
      if (now >= nextLook && (await find(spec.id))?.state !== 'running') {
        throw withLastWords(spec.id, (said) => new ServerEnded(`The database server ended while it was starting. ${said}`));
      }
      if (now >= nextLook) nextLook = now + STATE_EVERY_MS;
      if (now - begun > patienceMs) {
        await runner.stop(spec.id, GRACE_MS);
        const within = `within ${patienceMs / 1000} s`;
        throw withLastWords(spec.id, (said) => new Error(`The database server did not accept connections ${within}. ${said}`));
      }
      await sleep(pause, undefined, { signal });
    }
  }

  function withLastWords(id: string, failure: (said: string) => Error): Error {
    const output = runner.tail(id, 12);
    const said = readLogTail(output);
    const error = failure(said ? `It last said: ${said}` : 'It said nothing.');
    // The server may have reported a full disk before its last lines.
    return isDiskFull(new Error(output)) ? Object.assign(error, { code: 'ENOSPC' }) : error;
  }

  return { find, run };
}
