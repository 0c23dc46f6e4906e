import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Service, ServiceRunner } from '@paddock/runtime';
import type { DatabaseAddress, DatabaseSpec } from '../driver.ts';
import { admitted } from './admission.ts';
import type { Engine, Room } from './engine.ts';
import { exchange } from './folders.ts';
import { lastWords } from './last-words.ts';
import { choosePort, isFree } from './ports.ts';
import { isDiskFull, reason } from './reason.ts';
import type { RoomRecord, Rooms } from './rooms.ts';
import { turns } from './turns.ts';

/** An orderly end writes all that is in memory to disk first. */
export const GRACE_MS = 30_000;
const MAKING_MS = 60_000;
/** A server that was killed reads its journal first. */
const READY_MS = 120_000;
const STATE_EVERY_MS = 200;
const ATTEMPTS = 3;
/** Beside one for each connection: what PostgreSQL has in the background, Redis's threads, the sandbox. */
const OTHER_PROCESSES = 128;
const OPEN_FILES = 4_096;
/** No limit of one file's size: what a database may hold is measured, not cut off in the middle of a write. */
const FILE_SIZE_MB = 1_000_000;

export class ServerEnded extends Error {}

/** How servers get to run. Bound to the rooms and the runner of one driver. */
export function starter(runner: ServiceRunner, rooms: Rooms) {
  // Making a storage takes a core and the disk for a second or more: many at once would all take too long.
  const makeInTurn = turns(Math.max(1, availableParallelism()));
  const find = async (id: string): Promise<Service | undefined> => (await runner.list()).find((service) => service.id === id);

  /** The room of a database, made when it is new. */
  async function enter(spec: DatabaseSpec): Promise<{ room: Room; record: RoomRecord }> {
    const known = rooms.recordOf(spec.id);
    if (known && known.type !== spec.type) throw new Error(`The database ${spec.id} is of type ${known.type}, not ${spec.type}.`);
    if (known) return { room: await rooms.furnish(spec.id, known), record: known };
    let record: RoomRecord | undefined;
    let room: Room | undefined;
    await choosePort(taken(spec.id), async (port) => {
      record = { type: spec.type, user: port, port, made: false };
      room = await rooms.furnish(spec.id, record);
    });
    if (!record || !room) throw new Error(`No room was made for the database ${spec.id}.`);
    return { room, record };
  }

  /** Ports of the other rooms, and their first ones: a user follows from those. */
  const taken = (id: string) =>
    new Set(
      rooms
        .ids()
        .filter((other) => other !== id)
        .flatMap((other) => {
          const record = rooms.recordOf(other);
          return record ? [record.port, record.user] : [];
        }),
    );

  /**
   * Sees to it that the server runs and accepts connections. `undone` tells why the content that a restore had put in place was given
   * up for the one before.
   */
  async function bringUp(engine: Engine, spec: DatabaseSpec, signal: AbortSignal): Promise<{ address: DatabaseAddress; undone?: Error }> {
    const { room } = await enter(spec);
    const folders = exchange(room);
    await folders.recover();
    const onTrial = folders.isOnTrial();
    try {
      const address = existsSync(room.data)
        ? await run(engine, spec, room, signal)
        : await makeInTurn(() => run(engine, spec, room, signal), signal);
      if (onTrial) await folders.keep();
      return { address };
    } catch (error) {
      signal.throwIfAborted(); // a start that was called off says nothing about the content
      if (!onTrial) throw isDiskFull(error) ? new Error(`The database could not be started: ${reason(error)}`, { cause: error }) : error;
      await runner.stop(spec.id, GRACE_MS);
      await folders.putBack();
      return { address: await run(engine, spec, room, signal), undone: error as Error };
    }
  }

  async function run(engine: Engine, spec: DatabaseSpec, room: Room, signal: AbortSignal): Promise<DatabaseAddress> {
    for (let attempt = 1; ; attempt++) {
      const running = (await find(spec.id))?.state === 'running';
      const port = running ? rooms.recordOf(spec.id)!.port : await launch(engine, spec, room, signal);
      try {
        const version = await untilAnswers(engine, spec, port, signal);
        const address = { host: '127.0.0.1', port, version };
        await admitted(runner, spec, () => engine.settle(spec, address));
        const record = rooms.recordOf(spec.id)!;
        if (!record.made) rooms.save(spec.id, { ...record, made: true });
        return address;
      } catch (error) {
        if (!(error instanceof ServerEnded) || attempt === ATTEMPTS) throw error;
        // It was about to end when it was found, or another program has taken the port in the moment between the look and the start.
        if (!running && (await isFree(port))) throw error;
      }
    }
  }

  async function launch(engine: Engine, spec: DatabaseSpec, room: Room, signal: AbortSignal): Promise<number> {
    const record = rooms.recordOf(spec.id)!;
    if (record.made && !existsSync(room.data))
      throw new Error(`The data of the database ${spec.id} is missing: ${room.data} is not there. Put it back, or restore a backup.`);
    let { port } = record;
    if (!(await isFree(port))) {
      port = await choosePort(taken(spec.id), (chosen) => rooms.save(spec.id, { ...record, port: chosen }));
    }
    const { command, mounts, env } = await engine.command(room, spec, port);
    rooms.unmarkStopped(spec.id);
    const { memory_mb, cpus, connections } = spec.limits;
    await runner.start(
      {
        ...{ id: spec.id, user: record.user, command, env, cwd: '/store', stop_signal: engine.stop_signal },
        mounts: [{ from: room.store, at: '/store', writable: true }, ...mounts],
        limits: { memory_mb, cpus, processes: connections + OTHER_PROCESSES, open_files: OPEN_FILES, disk_mb: FILE_SIZE_MB },
      },
      signal,
    );
    return port;
  }

  async function untilAnswers(engine: Engine, spec: DatabaseSpec, port: number, signal: AbortSignal): Promise<string> {
    const patienceMs = rooms.recordOf(spec.id)?.made ? READY_MS : MAKING_MS;
    const begun = performance.now();
    let nextLook = begun;
    for (let pause = 10; ; pause = Math.min(pause * 1.3, 250)) {
      signal.throwIfAborted();
      const version = await admitted(runner, spec, () => engine.answers(spec, port));
      if (version !== undefined) return version;
      const now = performance.now();
      if (now >= nextLook && (await find(spec.id))?.state !== 'running') {
        throw withItsWords(spec.id, (said) => new ServerEnded(`The database server ended while it was starting. ${said}`));
      }
      if (now >= nextLook) nextLook = now + STATE_EVERY_MS;
      if (now - begun > patienceMs) {
        await runner.stop(spec.id, GRACE_MS);
        const within = `within ${patienceMs / 1000} s`;
        throw withItsWords(spec.id, (said) => new Error(`The database server did not accept connections ${within}. ${said}`));
      }
      await sleep(pause, undefined, { signal });
    }
  }

  function withItsWords(id: string, failure: (said: string) => Error): Error {
    const output = runner.tail(id, 12);
    const said = lastWords(output);
    const error = failure(said ? `It last said: ${said}` : 'It said nothing.');
    // A full disk may have been told before the last words.
    return isDiskFull(new Error(output)) ? Object.assign(error, { code: 'ENOSPC' }) : error;
  }

  return { find, enter, bringUp, stop: (id: string) => runner.stop(id, GRACE_MS) };
}

export type Starter = ReturnType<typeof starter>;
