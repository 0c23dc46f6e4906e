import type { Mount } from '@paddock/runtime';
import type { Availability, DatabaseAddress, DatabaseFigures, DatabaseSpec } from '../driver.ts';

/**
 * The folder of one database. `store` is what the server sees, writable, as /store; the content is in `data` below it. Everything else
 * is the platform's.
 */
export interface Room {
  path: string;
  store: string;
  /** `store`/data: exists only complete. Made as `store`/draft and renamed. */
  data: string;
  /** For what the server reads and must never write. The server sees it only if the engine mounts it; `writeSetting` writes into it. */
  settings: string;
  /** User id that must own what the server writes; undefined: our own. */
  owner: number | undefined;
}

/** What differs between PostgreSQL and Redis. `driver.ts` does the rest: rooms, ports, start, stop, files, checksums. */
export interface Engine {
  available(): Promise<Availability>;
  /**
   * Writes what the server needs besides its data (settings, access rules, passwords as hashes) and returns its command, as the
   * sandbox sees it. The command makes the storage itself when `room.data` is not there. Called before each start.
   */
  command(room: Room, spec: DatabaseSpec, port: number): Promise<{ command: string[]; mounts: Mount[]; env: Record<string, string> }>;
  stop_signal: 'SIGTERM' | 'SIGINT';
  /** Whether it accepts connections now; the version once it does. */
  answers(spec: DatabaseSpec, port: number): Promise<string | undefined>;
  /** Once it answers, before anybody uses it: users, databases, passwords as `spec` has them. Idempotent. */
  settle(spec: DatabaseSpec, address: DatabaseAddress): Promise<void>;
  /** What the server takes of the machine's memory is known to the driver. */
  measure(spec: DatabaseSpec, address: DatabaseAddress): Promise<Omit<DatabaseFigures, 'memory_bytes'>>;
  setPassword(room: Room, spec: DatabaseSpec, address: DatabaseAddress): Promise<void>;
  setWriting(spec: DatabaseSpec, address: DatabaseAddress, writing: 'allowed' | 'read_only' | 'refused'): Promise<void>;
  /**
   * Brings the files of a consistent copy together while the server runs and hands them to `pack`, as often as it takes, one call after the
   * other. Restoring unpacks them all into one folder, which becomes `data`.
   */
  backup(room: Room, spec: DatabaseSpec, address: DatabaseAddress, pack: Pack, signal: AbortSignal): Promise<void>;
  /**
   * Mends the unpacked folder so that a server starts on it. It holds plain files and folders only; owners are set afterwards.
   * Throws `BackupRefused` when it is not what this engine can run.
   */
  unpacked(folder: string): Promise<void>;
}

/** Names are relative to their folder, with `/` between the parts. */
export interface Part {
  /** Read as the server's own user. */
  folder: string;
  /** What is packed of it; everything when left out. */
  include?: string[];
  /** Patterns of what is not: `*` stands for any characters, `/` too. `pg_wal/*` leaves the folder itself in. */
  exclude?: string[];
  /** Files that exist nowhere. */
  extra?: { name: string; content: string | Buffer }[];
}

export type Pack = (parts: Part[]) => Promise<void>;
