import type { Sql } from '../db/connect.ts';

/** Whether each node has sent a heartbeat within its time-out; the last seen first. */
export const nodeStates = (sql: Sql, limit: number) => sql<{ label: string; is_up: boolean }[]>`
  select label, owner is not null and seen_at > now() - timeout_s * interval '1 second' as is_up
  from nodes
  order by seen_at desc
  limit ${limit}`;
