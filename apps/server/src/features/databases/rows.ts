import type { Database } from '@paddock/contract';
import type { DatabaseAddress, DatabaseSpec } from '@paddock/database-driver';

/** A managed database as the node that has it sees it, with its secret still sealed. */
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

/** A database that runs on this node, ready to be spoken to. */
export interface LiveDatabase {
  row: ManagedRow;
  spec: DatabaseSpec;
  address: DatabaseAddress;
}

/** Something to be done with one managed database. Its other tasks wait meanwhile. */
export interface Task {
  id: string;
  team_id: string;
  database_id: string;
  kind: 'rotate' | 'backup' | 'restore';
  backup_id: string | null;
  secret_sealed: Buffer | null;
  secret_key_id: string | null;
  attempts: number;
  /** Of a restore: the server did not start when it was asked for. */
  of_failed: boolean;
}

/**
 * Carries a task out; throws with a sentence for the person when it failed for good. After a crash of the server it is called again.
 * `live` is there while the database runs; a task that needs it throws otherwise.
 */
export type TaskHandler = (
  task: Task,
  at: { row: ManagedRow; spec: DatabaseSpec; live: LiveDatabase | undefined },
  signal: AbortSignal,
) => Promise<void>;
export type TaskHandlers = Record<Task['kind'], TaskHandler>;
