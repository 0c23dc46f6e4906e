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
  /** Password of the user `agent`, for whom agents and people get the connection string. Safe in URLs: letters, digits, `_` and `-`. */
  password: string;
  /** Password of the platform's user. The same for all databases of a project, so that a backup of one opens in another. */
  admin_password: string;
  limits: DatabaseLimits;
}

/** The address of a running server. The port is kept over restarts unless another program has taken it meanwhile. */
export interface DatabaseAddress {
  host: string;
  port: number;
  /** Version of the server program, such as 18.4. */
  version: string;
}

export interface DatabaseState {
  id: string;
  type: DatabaseType;
  /** `exited`: the server ended although nobody asked it to. */
  state: 'running' | 'stopped' | 'exited';
  /** Why a server exited, as far as its last lines and its exit tell, in one sentence without secrets. */
  reason?: string;
}

/** Figures of this moment; counters count since the server's start. Null where the type has no such figure. */
export interface DatabaseFigures {
  /** PostgreSQL: its databases on disk. Redis: the memory of its data. */
  size_bytes: number;
  memory_bytes: number;
  connections: number;
  transactions: number;
  cache_hits: number;
  cache_reads: number;
  keys: number | null;
  evictions: number | null;
  /** Start of the server, in ms since 1970: after a restart the counters begin at 0. */
  started_ms: number;
}

export interface BackupResult {
  size_bytes: number;
  /** Checksum of the file, in hexadecimal. */
  sha256: string;
  version: string;
}

/** A backup differs from the one that was written, or cannot be used. Nothing was changed. The message is a sentence for the person. */
export class BackupRefused extends Error {}

/** `reason` and `remedy` are sentences for the person. */
export type Availability = { ok: true; version: string } | { ok: false; reason: string; remedy: string };

/**
 * Runs managed databases on one kind of host. Drivers keep no memory of their own: servers outlive the platform and are found
 * again by `list`. Every driver passes `driver.suite.ts`. All calls for one id come one after the other; the caller sees to that.
 */
export interface DatabaseDriver {
  readonly name: 'process';
  available(type: DatabaseType): Promise<Availability>;
  /**
   * Makes sure that the server runs and accepts connections: makes missing storage first, adopts a server that runs.
   * Half-made storage of an interrupted start is made anew; storage that was once complete is never replaced.
   */
  start(spec: DatabaseSpec, signal: AbortSignal): Promise<DatabaseAddress>;
  /** Ends the server in order; its data stays. Stopping a stopped or unknown database is no error. */
  stop(id: string): Promise<void>;
  /** Ends the server and deletes its data. Backups stay: they belong to the caller. */
  remove(id: string): Promise<void>;
  list(): Promise<DatabaseState[]>;
  /** The figures of a running server. Throws when it does not answer within 5 s. */
  measure(spec: DatabaseSpec, address: DatabaseAddress): Promise<DatabaseFigures>;
  /**
   * Gives the user another password, `spec.password`. Connections that the earlier password opened are ended.
   */
  setPassword(spec: DatabaseSpec, address: DatabaseAddress): Promise<void>;
  /**
   * `read_only`: new transactions may write only if they ask for it themselves, as a person who makes room must. `refused`: the user's
   * connections end and no new connections are accepted. Redis refuses writes by itself when its memory is used up: `read_only` changes
   * nothing there.
   */
  setWriting(spec: DatabaseSpec, address: DatabaseAddress, writing: 'allowed' | 'read_only' | 'refused'): Promise<void>;
  /** Writes a consistent copy of a running database to `file`, which appears complete or not at all. */
  backup(spec: DatabaseSpec, address: DatabaseAddress, target: { file: string; signal: AbortSignal }): Promise<BackupResult>;
  /**
   * Replaces the content by a backup of this database, or of another database of the project and type, and starts the server. The old
   * content stays until the restored server accepts connections; if it never does, the old content comes back. Throws `BackupRefused`, with
   * the server as it was, when `sha256` does not match. After a crash halfway the next `start` finds one content or the other, whole.
   */
  restore(spec: DatabaseSpec, backup: { file: string; sha256: string }, signal: AbortSignal): Promise<DatabaseAddress>;
  /** Frees the disk space of the servers' output; to be called every minute or so. */
  tidy(): Promise<void>;
  close(): Promise<void>;
}

/** The user and the database that every connection string names. */
export const USER = 'agent';
export const DATABASE = 'app';

export const connectionString = (type: DatabaseType, { host, port }: { host: string; port: number }, password: string): string =>
  type === 'postgresql' ? `postgresql://${USER}:${password}@${host}:${port}/${DATABASE}` : `redis://${USER}:${password}@${host}:${port}/0`;
