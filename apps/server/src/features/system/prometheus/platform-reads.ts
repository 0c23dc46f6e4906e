import type { Sql } from '../../../db/connect.ts';
import { jobStates } from '../../../jobs/job-states.ts';
import { countWaitingMails } from '../../../mail/store.ts';
import { nodeStates } from '../../../nodes/node-states.ts';

export interface Queue {
  queued: number;
  building: number;
  deploying: number;
  active: number;
  /** 0 when no deployment waits. */
  oldest_s: number;
}

/** The queries of other features, over all teams. */
export interface OwnersReads {
  /** Gateways whose audit trail lacks space. */
  shortages: () => PromiseLike<readonly { cause: string; state: string; spools: number }[]>;
  databases: (limit: number) => PromiseLike<readonly DatabaseRow[]>;
}
export interface DatabaseRow {
  id: string;
  project: string;
  environment: string;
  type: string;
  mode: string;
  is_up: boolean | null;
  size_bytes: number | null;
  storage_limit_bytes: number | null;
  connections: number | null;
  memory_bytes: number | null;
}
export type PlatformReads = ReturnType<typeof platformReads>;

/** Maximum rows of a list that grows with the installation. */
const maxEntries = 500;

/** Everything that Prometheus is told of the platform itself. */
export const platformReads = (sql: Sql, owners: OwnersReads) => ({
  ...owners,
  nodes: () => nodeStates(sql, maxEntries),
  jobs: () => jobStates(sql, maxEntries),
  mails: () => countWaitingMails(sql),

  async queue(): Promise<Queue> {
    const [row] = await sql<[Queue]>`
      select
        count(*) filter (where status = 'queued') as queued,
        count(*) filter (where status = 'building') as building,
        count(*) filter (where status = 'deploying') as deploying,
        coalesce(extract(epoch from now() - min(created_at) filter (where status = 'queued')), 0)::float8 as oldest_s,
        (
          select count(*)
          from deployments
          where status = 'active'
        ) as active
      from deployments
      where status in ('queued', 'building', 'deploying')`;
    return row;
  },
});
