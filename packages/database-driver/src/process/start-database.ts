import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { createSemaphore } from '@paddock/network';
import type { ServiceRunner } from '@paddock/runtime';
import type { DatabaseAddress, DatabaseSpec } from '../driver.ts';
import type { RoomRecord, Rooms } from './database-folders.ts';
import type { Engine, Room } from './engine.ts';
import { exchange } from './folders.ts';
import { choosePort } from './ports.ts';
import { isDiskFull, reason } from './reason.ts';
import { GRACE_MS, type ServerStart, serverStarter } from './run-server.ts';

/** Starts and stops the databases of one driver. */
export function starter(runner: ServiceRunner, rooms: Rooms) {
  const servers = serverStarter(runner, rooms);
  // Creating storage takes a core and the disk for a second or more, so creating many at once would take too long for all.
  const makeInTurn = createSemaphore(Math.max(1, availableParallelism()));

  /** The room of a database. A new database gets a port and a room. */
  async function enter(spec: DatabaseSpec): Promise<Room> {
    const known = rooms.readRecord(spec.id);
    if (known && known.type !== spec.type) throw new Error(`The database ${spec.id} is of type ${known.type}, not ${spec.type}.`);
    if (known) return rooms.furnish(spec.id, known);
    let room: Room | undefined;
    await choosePort(rooms.portsOfOthers(spec.id), async (port) => {
      const record: RoomRecord = { type: spec.type, user: port, port, made: false };
      room = await rooms.furnish(spec.id, record);
    });
    if (!room) throw new Error(`No room was made for the database ${spec.id}.`);
    return room;
  }

  /**
   * Ensures that the server runs and accepts connections. If the content of a restore failed, the previous content is restored, and
   * `undone` gives the reason.
   */
  async function bringUp(engine: Engine, spec: DatabaseSpec, signal: AbortSignal): Promise<{ address: DatabaseAddress; undone?: Error }> {
    const room = await enter(spec);
    const start: ServerStart = { engine, spec, room, signal };
    const folders = exchange(room);
    await folders.recover();
    const onTrial = folders.isOnTrial();
    try {
      const address = existsSync(room.data) ? await servers.run(start) : await makeInTurn(() => servers.run(start), { signal });
      if (onTrial) await folders.keep();
      return { address };
    } catch (error) {
      signal.throwIfAborted(); // a cancelled start says nothing about the content
      if (!onTrial) throw isDiskFull(error) ? new Error(`The database could not be started: ${reason(error)}`, { cause: error }) : error;
      await runner.stop(spec.id, GRACE_MS);
      await folders.putBack();
      return { address: await servers.run(start), undone: error as Error };
    }
  }

  return { enter, bringUp, stop: (id: string) => runner.stop(id, GRACE_MS) };
}

export type Starter = ReturnType<typeof starter>;
