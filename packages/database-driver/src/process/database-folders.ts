import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { chown } from 'node:fs/promises';
import { join } from 'node:path';
import type { DatabaseType } from '../driver.ts';
import type { Room } from './engine.ts';
import { giveTo } from './ownership.ts';

/** The record of a database, stored beside its data. */
export interface RoomRecord {
  type: DatabaseType;
  /** User of the service that runs the server. It is chosen once: as root the owner of the files is derived from it. */
  user: number;
  /** Port on 127.0.0.1, kept across restarts. */
  port: number;
  /** The storage was complete once. If it is missing later, somebody removed it, and it must not be replaced by empty storage. */
  made: boolean;
}

const ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,79}$/;

/** The folders of all databases below `parent`. */
export function databaseFolders(parent: string, ownerOf: (user: number) => number | undefined) {
  const resolvePath = (id: string) => {
    if (!ID.test(id)) throw new Error(`"${id}" cannot be the id of a database.`);
    return join(parent, id);
  };
  const readRecord = (id: string): RoomRecord | undefined => {
    const file = join(resolvePath(id), 'room.json');
    return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as RoomRecord) : undefined;
  };
  const buildRoom = (id: string, record: RoomRecord): Room => {
    const path = resolvePath(id);
    const store = join(path, 'store');
    const settings = join(path, 'settings');
    return { path, store, data: join(store, 'data'), settings, owner: ownerOf(record.user) };
  };
  const stoppedFile = (id: string) => join(resolvePath(id), 'stopped');
  const ids = (): string[] => {
    mkdirSync(parent, { recursive: true, mode: 0o700 });
    return readdirSync(parent).filter((name) => ID.test(name) && readRecord(name) !== undefined);
  };

  return {
    resolvePath,
    readRecord,
    buildRoom,
    ids,
    /** The ports of all other databases, and their first ports, which are also their users. */
    portsOfOthers(id: string): Set<number> {
      const records = ids()
        .filter((other) => other !== id)
        .map(readRecord);
      return new Set(records.flatMap((record) => (record ? [record.port, record.user] : [])));
    },
    save(id: string, record: RoomRecord): void {
      const file = join(resolvePath(id), 'room.json');
      writeFileSync(`${file}.draft`, JSON.stringify(record), { mode: 0o600, flush: true });
      renameSync(`${file}.draft`, file);
    },
    /** Creates missing folders. A new room counts as stopped. */
    async furnish(id: string, record: RoomRecord): Promise<Room> {
      const room = buildRoom(id, record);
      if (!existsSync(room.path)) {
        mkdirSync(room.path, { recursive: true, mode: 0o700 });
        this.markStopped(id);
      }
      for (const folder of [room.store, room.settings]) mkdirSync(folder, { recursive: true, mode: 0o700 });
      // The owner changes if an ordinary user created the room and root now runs the server.
      await giveTo(room.owner, room.data);
      if (room.owner !== undefined) await chown(room.store, room.owner, room.owner);
      if (readRecord(id) === undefined) this.save(id, record);
      return room;
    },
    /** Records that the server was asked to stop, which distinguishes a stopped server from one that exited by itself. */
    markStopped: (id: string) => writeFileSync(stoppedFile(id), '', { mode: 0o600 }),
    unmarkStopped: (id: string) => rmSync(stoppedFile(id), { force: true }),
    isStopped: (id: string) => existsSync(stoppedFile(id)),
  };
}

export type Rooms = ReturnType<typeof databaseFolders>;
