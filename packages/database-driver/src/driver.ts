export type DatabaseType = 'postgresql' | 'redis';

export interface DatabaseLimits {
  memory_mb: number;
  cpus: number;
  connections: number;
}

/** A managed database: a separate server with one user. */
export interface DatabaseSpec {
  /** Letters, digits, `_` and `-`. Never reused. */
  id: string;
  type: DatabaseType;
  /** Password of the user `agent`, in the connection string for agents and people. Safe in URLs: letters, digits, `_` and `-`. */
  password: string;
  /**
   * Password of the platform's user. It is the same for all databases of a project, so that a backup of one can be restored into another.
   */
  admin_password: string;
  limits: DatabaseLimits;
}

/** The address of a running server. The port is kept across restarts unless another program has taken it. */
export interface DatabaseAddress {
  host: string;
  port: number;
  /** Version of the server program, such as 18.4. */
  version: string;
}

export interface DatabaseState {
  id: string;
  type: DatabaseType;
  /** `exited`: the server ended without being asked to. */
  state: 'running' | 'stopped' | 'exited';
  /** The reason why a server exited, as far as its last lines and its exit status show it, in one sentence without secrets. */
  reason?: string;
}

/** Current figures. Counters count since the server's start. Null if the type has no such figure. */
export interface DatabaseFigures {
  /** PostgreSQL: size of its databases on disk. Redis: memory of its data. */
  size_bytes: number;
  memory_bytes: number;
  connections: number;
  transactions: number;
  cache_hits: number;
  cache_reads: number;
  keys: number | null;
  evictions: number | null;
  /** Start of the server, in ms since 1970. The counters restart at 0 with the server. */
  started_ms: number;
}

export interface BackupResult {
  size_bytes: number;
  /** Checksum of the file, in hexadecimal. */
  sha256: string;
  version: string;
}

/** A backup differs from the one that was written, or cannot be used. Nothing was changed. The message is a sentence for the user. */
export class BackupRefused extends Error {}

/** `reason` and `remedy` are sentences for the user. */
export type Availability = { ok: true; version: string } | { ok: false; reason: string; remedy: string };

/**
 * Runs managed databases on one kind of host. Drivers keep no state of their own: servers outlive the platform and are found again by
 * `list`. Every driver passes `driver.suite.ts`. The caller must serialize all calls for one id.
 */
export interface DatabaseDriver {
  readonly name: 'process';
  available(type: DatabaseType): Promise<Availability>;
  /**
   * Ensures that the server runs and accepts connections: creates missing storage first, adopts a running server. Incomplete storage of an
   * interrupted start is created again; storage that was once complete is never replaced.
   */
  start(spec: DatabaseSpec, signal: AbortSignal): Promise<DatabaseAddress>;
  /** Shuts the server down cleanly and keeps its data. Stopping a stopped or unknown database is not an error. */
  stop(id: string): Promise<void>;
  /** Stops the server and deletes its data. Backups are kept: they belong to the caller. */
  remove(id: string): Promise<void>;
  list(): Promise<DatabaseState[]>;
  /** The figures of a running server. Throws if it does not respond within 5 s. */
  measure(spec: DatabaseSpec, address: DatabaseAddress): Promise<DatabaseFigures>;
  /** Changes the user's password to `spec.password`. Connections opened with the earlier password are closed. */
  setPassword(spec: DatabaseSpec, address: DatabaseAddress): Promise<void>;
  /**
   * `read_only`: new transactions may write only if they request it themselves, which a user needs to free space. `refused`: the user's
   * connections are closed and no new ones are accepted. Redis itself refuses writes when its memory is used up, so `read_only` has no
   * effect there.
   */
  setWriting(spec: DatabaseSpec, address: DatabaseAddress, writing: 'allowed' | 'read_only' | 'refused'): Promise<void>;
  /** Writes a consistent copy of a running database to `file`, which appears complete or not at all. */
  backup(spec: DatabaseSpec, address: DatabaseAddress, target: { file: string; signal: AbortSignal }): Promise<BackupResult>;
  /**
   * Replaces the content by a backup of this database, or of another database of the project and type, and starts the server. The old
   * content is kept until the restored server accepts connections, and is restored if it never does. Throws `BackupRefused`, with the
   * server unchanged, if `sha256` does not match. After a crash halfway the next `start` finds one content or the other, complete.
   */
  restore(spec: DatabaseSpec, backup: { file: string; sha256: string }, signal: AbortSignal): Promise<DatabaseAddress>;
  /** Frees the disk space of the servers' output. Call it about every minute. */
  tidy(): Promise<void>;
  close(): Promise<void>;
}

/** The user and the database that every connection string names. */
export const USER = 'agent';
export const DATABASE = 'app';

export const connectionString = (type: DatabaseType, { host, port }: { host: string; port: number }, password: string): string =>
  type === 'postgresql' ? `postgresql://${USER}:${password}@${host}:${port}/${DATABASE}` : `redis://${USER}:${password}@${host}:${port}/0`;
