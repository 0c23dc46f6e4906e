export type DatabaseType = 'postgresql' | 'redis';

export interface DatabaseLimits {
  memory_mb: number;
  cpus: number;
  connections: number;
}

/** One managed database: a server of its own with one user. */
export interface DatabaseSpec {
  /** Letters, digits, `_` and `-`; unique for ever. */
  id: string;
  type: DatabaseType;
  /** Of the user `agent`, whose connection string agents and people get. Safe in URLs: letters, digits, `_` and `-`. */
  password: string;
  /** Of the platform's own user. The same for all databases of a project, so that a backup of one opens in another. */
  admin_password: string;
  limits: DatabaseLimits;
}

/** Where a running server answers; the port is kept over restarts unless another program has taken it meanwhile. */
export interface DatabaseAddress {
  host: string;
  port: number;
  /** Of the server program, such as 18.4. */
  version: string;
}

export interface DatabaseState {
  id: string;
  type: DatabaseType;
  /** `exited`: it ended though nobody asked it to. */
  state: 'running' | 'stopped' | 'exited';
  /** Of an exited one: why, as far as its own last lines and its exit tell, in one sentence without secrets. */
  reason?: string;
}

/** Figures of this moment; counters count since the server's start. Null: the type has no such figure. */
export interface DatabaseFigures {
  /** PostgreSQL: its databases on disk. Redis: memory that its data takes. */
  size_bytes: number;
  memory_bytes: number;
  connections: number;
  transactions: number;
  cache_hits: number;
  cache_reads: number;
  keys: number | null;
  evictions: number | null;
  /** When the server started, in ms since 1970: after a restart the counters begin at 0. */
  started_ms: number;
}

export interface BackupResult {
  size_bytes: number;
  /** Of the file, in hexadecimal. */
  sha256: string;
  version: string;
}

/** A backup that is not what was written: nothing was changed. The message is a sentence for the person. */
export class BackupRefused extends Error {}

/** `available` says why not and what to do, for the person. */
export type Availability = { ok: true; version: string } | { ok: false; reason: string; remedy: string };

/**
 * Runs managed databases on one kind of host. Drivers keep no memory of their own: servers outlive the platform and are found
 * again by `list`. Every driver passes `driver.suite.ts`. All calls for one id come one after the other; the caller sees to that.
 */
export interface DatabaseDriver {
  readonly name: 'process';
  available(type: DatabaseType): Promise<Availability>;
  /**
   * Sees to it that the server runs and accepts connections: makes its storage first if there is none, adopts one that runs.
   * Half-made storage of an interrupted start is made anew; storage that was once complete is never touched.
   */
  start(spec: DatabaseSpec, signal: AbortSignal): Promise<DatabaseAddress>;
  /** Ends the server in order; its data stays. Stopping a stopped or unknown one is no error. */
  stop(id: string): Promise<void>;
  /** Ends the server and deletes its data. Its backups are the caller's. */
  remove(id: string): Promise<void>;
  list(): Promise<DatabaseState[]>;
  /** Of a running one. Throws when it does not answer within 5 s. */
  measure(spec: DatabaseSpec, address: DatabaseAddress): Promise<DatabaseFigures>;
  /**
   * Gives the user another password, `spec.password`. From then on nothing that the one before opened is good: connections that are open end.
   */
  setPassword(spec: DatabaseSpec, address: DatabaseAddress): Promise<void>;
  /**
   * `read_only`: new transactions may not write unless they say so themselves, as somebody who makes room must. `refused`: the user's
   * connections end and no new ones are accepted. Redis refuses writes by itself when its memory is used up: there it is no change.
   */
  setWriting(spec: DatabaseSpec, address: DatabaseAddress, writing: 'allowed' | 'read_only' | 'refused'): Promise<void>;
  /** Writes a consistent copy of a running one to `file`, which appears complete or not at all. */
  backup(spec: DatabaseSpec, address: DatabaseAddress, target: { file: string; signal: AbortSignal }): Promise<BackupResult>;
  /**
   * Replaces the content by a backup's, of this database or another of the project and type, and starts the server. What was there
   * before stays until the restored server accepts connections; if it never does, it comes back. Throws `BackupRefused`, with the
   * server as it was, when the file is not the one that `sha256` tells. After a crash halfway the next `start` finds one or the other, whole.
   */
  restore(spec: DatabaseSpec, backup: { file: string; sha256: string }, signal: AbortSignal): Promise<DatabaseAddress>;
  /** Frees what the servers' own output takes on disk; to be called every minute or so. */
  tidy(): Promise<void>;
  close(): Promise<void>;
}

/** The user and the database that every connection string names. */
export const USER = 'agent';
export const DATABASE = 'app';

export const connectionString = (type: DatabaseType, { host, port }: { host: string; port: number }, password: string): string =>
  type === 'postgresql' ? `postgresql://${USER}:${password}@${host}:${port}/${DATABASE}` : `redis://${USER}:${password}@${host}:${port}/0`;
