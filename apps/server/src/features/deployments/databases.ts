import type { DatabaseType, Environment } from '@paddock/contract';
import type { LoopbackService } from '@paddock/runtime';
import type { Tx } from '../../db/connect.ts';
import type { Claimed } from './leases.ts';

export interface DatabaseUrls {
  redis_url?: string | undefined;
  postgres_url?: string | undefined;
}

/** Attaches the requested databases in the transaction that creates a deployment. */
export type AttachTo = (
  mode: 'managed' | 'byo' | 'none',
  asked: { team_id: string; urls?: DatabaseUrls; signal: AbortSignal },
) => Promise<(tx: Tx, team_id: string, of: { project_id: string; environment: Environment }) => Promise<void>>;

/** Functions of the databases feature used by an agent's start. */
export interface DatabasesOfAgents {
  /** Claims databases without a node, so that they are prepared while the build runs. */
  take: (d: Pick<Claimed, 'project_id' | 'environment'>) => Promise<unknown>;
  /** Waits until they are available, or returns why they are not. */
  give: (
    d: Pick<Claimed, 'project_id' | 'environment' | 'database_mode'>,
    signal: AbortSignal,
  ) => Promise<
    | {
        kind: 'ready';
        urls: Partial<Record<DatabaseType, string>>;
        services: LoopbackService[];
        warnings: string[];
        isCurrent: () => Promise<boolean>;
      }
    | { kind: 'missing'; message: string }
    | { kind: 'elsewhere' }
  >;
}
export type ReadyDatabases = Extract<Awaited<ReturnType<DatabasesOfAgents['give']>>, { kind: 'ready' }>;
