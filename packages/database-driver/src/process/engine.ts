import type { Mount } from '@paddock/runtime';
import type { Availability, DatabaseAddress, DatabaseFigures, DatabaseSpec } from '../driver.ts';

/**
 * The folder of one database. The server sees `store`, writable, as /store; the content is in `data` below it. All other files belong to
 * the platform.
 */
export interface Room {
  path: string;
  store: string;
  /** The folder `store`/data. It only exists complete: it is created as `store`/draft and renamed. */
  data: string;
  /**
   * For files that the server reads and must never write. The server only sees them if the engine mounts the folder; see `writeSetting`.
   */
  settings: string;
  /** User id that must own the files that the server writes; undefined for our own. */
  owner: number | undefined;
}

export interface EngineOptions {
  unsandboxed: boolean;
  /** Folders separated by colons, which are searched for programs that Paddock does not bring. */
  path: string;
  extensions?: Extensions;
}

/** Extensions that PostgreSQL does not bring. */
export interface Extensions {
  /** Every server sees this folder, also what is added to it later. */
  folder: string;
  /** The folder of pgvector below it, with `lib` and `share/extension`; it may be missing. */
  vector: string;
  /** Called before each start. Resolves when the extensions are there, or could not be had in a bounded time. */
  prepare(): Promise<void>;
}

/** A backup that an engine takes from a running server. */
export interface BackupJob {
  room: Room;
  spec: DatabaseSpec;
  address: DatabaseAddress;
  /** Packs files into the backup. May be called repeatedly, one call after the other. */
  pack: Pack;
  signal: AbortSignal;
}

/** The differences between PostgreSQL and Redis. `driver.ts` does the rest: rooms, ports, start, stop, files, checksums. */
export interface Engine {
  available(): Promise<Availability>;
  /**
   * Writes the files that the server needs besides its data (settings, access rules, password hashes) and returns its command, as the
   * sandbox sees it. The command creates the storage if `room.data` is missing. Called before each start.
   */
  command(room: Room, spec: DatabaseSpec, port: number): Promise<{ command: string[]; mounts: Mount[]; env: Record<string, string> }>;
  stop_signal: 'SIGTERM' | 'SIGINT';
  /** The version of the server once it accepts connections; undefined before. */
  answers(spec: DatabaseSpec, port: number): Promise<string | undefined>;
  /** Creates users, databases and passwords as in `spec`. Called once the server responds, before anybody uses it. Idempotent. */
  settle(spec: DatabaseSpec, address: DatabaseAddress): Promise<void>;
  /** Does not include the memory of the server, which the driver knows. */
  measure(spec: DatabaseSpec, address: DatabaseAddress): Promise<Omit<DatabaseFigures, 'memory_bytes'>>;
  setPassword(room: Room, spec: DatabaseSpec, address: DatabaseAddress): Promise<void>;
  setWriting(spec: DatabaseSpec, address: DatabaseAddress, writing: 'allowed' | 'read_only' | 'refused'): Promise<void>;
  /** Packs the files of a consistent copy while the server runs. A restore unpacks all of them into one folder, which becomes `data`. */
  backup(job: BackupJob): Promise<void>;
  /**
   * Prepares the unpacked folder so that a server can start on it. The folder contains only plain files and folders; owners are set
   * afterwards. Throws `BackupRefused` if this engine cannot run the content.
   */
  unpacked(folder: string): Promise<void>;
}

/** Names are relative to their folder and separated by `/`. */
export interface Part {
  /** Read as the server's own user. */
  folder: string;
  /** Names to pack; everything if absent. */
  include?: string[];
  /** Patterns of names that are not packed. `*` matches any characters including `/`. `pg_wal/*` still packs the folder itself. */
  exclude?: string[];
  /** Files that do not exist in the folder. */
  extra?: { name: string; content: string | Buffer }[];
}

export type Pack = (parts: Part[]) => Promise<void>;
