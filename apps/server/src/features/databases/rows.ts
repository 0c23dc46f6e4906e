import type { Database } from '@paddock/contract';
import type { DatabaseAddress, DatabaseSpec } from '@paddock/database-driver';

/** A managed database as its node sees it, with its secret still sealed. */
export interface ManagedRow {
  id: string;
  team_id: string;
  project_id: string;
  environment: Database['environment'];
  type: Database['type'];
  status: Database['status'];
  wanted: 'running' | 'stopped' | 'deleted';
  port: number | null;
  version: string | null;
  secret_sealed: Buffer;
  secret_key_id: string;
  storage_limit_bytes: number | null;
  is_read_only: boolean;
}

/** A database that runs on this node, with its address and credentials. */
export interface LiveDatabase {
  row: ManagedRow;
  spec: DatabaseSpec;
  address: DatabaseAddress;
}

/** A task for one managed database. Its other tasks wait meanwhile. */
export interface Task {
  id: string;
  team_id: string;
  database_id: string;
  kind: 'rotate' | 'backup' | 'restore';
  backup_id: string | null;
  secret_sealed: Buffer | null;
  secret_key_id: string | null;
  attempts: number;
  /** For a restore: the database server did not start when the restore was requested. */
  of_failed: boolean;
}

/**
 * Runs a task; throws with a sentence for the user when it failed for good. It is called again after a crash of the server. `live` is
 * defined while the database runs; a task that needs it throws otherwise.
 */
export type TaskHandler = (
  task: Task,
  at: { row: ManagedRow; spec: DatabaseSpec; live: LiveDatabase | undefined },
  signal: AbortSignal,
) => Promise<void>;
export type TaskHandlers = Record<Task['kind'], TaskHandler>;
