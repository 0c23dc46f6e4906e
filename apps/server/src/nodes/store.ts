import type { Sql } from '../db/connect.ts';

/** A node whose last heartbeat is too old. */
export interface DeadNode {
  label: string;
  host: string;
  machine: string;
  /** The node has been silent for at least this long. */
  timeout_s: number;
}

export interface Registration {
  owner: string;
  host: string;
  machine: string;
  blob_store: string;
  timeout_s: number;
}

export type NodeStore = ReturnType<typeof nodeStore>;

/** All SQL about nodes; `own` is the name of this one. All times are the database's, so that clocks of machines do not matter. */
export const nodeStore = (sql: Sql, own: string) => {
  const interval = (seconds: number) => `${seconds} seconds`;
  return {
    /** The row that an earlier process, or a copy, of this node left. `silent_s` counts from the last heartbeat. */
    async find(): Promise<{ owner: string | null; host: string; silent_s: number } | undefined> {
      const [row] = await sql<{ owner: string | null; host: string; silent_s: number }[]>`
        select owner, host, extract(epoch from clock_timestamp() - seen_at)::float8 as silent_s
        from nodes
        where label = ${own}`;
      return row;
    },

    register: (node: Registration) => sql`
      insert into nodes ${sql({ label: own, ...node })}
      on conflict (label) do update
      set owner = excluded.owner, host = excluded.host, machine = excluded.machine, blob_store = excluded.blob_store,
        timeout_s = excluded.timeout_s, started_at = now(), steady_since = now(), seen_at = now()`,

    /**
     * Writes a heartbeat. False when another process has registered as this node. After a gap the time for which this node counts as steady
     * restarts.
     */
    async beat(owner: string, gapSeconds: number): Promise<boolean> {
      const [row] = await sql`
        update nodes
        set steady_since = case when seen_at < now() - ${interval(gapSeconds)}::interval then now() else steady_since end,
          seen_at = now()
        where label = ${own}
          and owner = ${owner}
        returning label`;
      return row !== undefined;
    },

    /** Signs this node off. `isEmpty`: none of its agents runs any more, so that other nodes can start them at once. */
    leave: (owner: string, isEmpty: boolean) => sql`
      update nodes
      set owner = null, seen_at = case when ${isEmpty} then to_timestamp(0) else now() end
      where label = ${own}
        and owner = ${owner}`,

    /** Other nodes with a heartbeat within the time. */
    living: (timeoutSeconds: number) => sql<{ label: string; host: string; machine: string; blob_store: string }[]>`
      select label, host, machine, blob_store
      from nodes
      where label <> ${own}
        and owner is not null
        and seen_at > now() - ${interval(timeoutSeconds)}::interval`,

    /** Silent nodes that still have deployments. A node counts as dead only if this node sent heartbeats during all of that time. */
    dead: (timeoutSeconds: number) => sql<DeadNode[]>`
      select n.label, n.host, n.machine, greatest(n.timeout_s, ${timeoutSeconds})::int as timeout_s
      from nodes n
      join nodes me on me.label = ${own}
      where n.label <> ${own}
        and n.seen_at < now() - greatest(n.timeout_s, ${timeoutSeconds}) * interval '1 second'
        and me.steady_since < now() - ${interval(timeoutSeconds)}::interval
        and exists (
          select 1
          from deployments d
          where d.lease_owner = n.owner
            or (d.node = n.label and (d.status in ('building', 'deploying', 'active') or d.drain_until is not null))
            or (
              d.database_mode = 'managed'
              and d.status in ('queued', 'building', 'deploying')
              and exists (
                select 1
                from databases b
                where b.project_id = d.project_id
                  and b.environment = d.environment
                  and b.mode = 'managed'
                  and b.is_attached
                  and b.node = n.label
              )
            )
        )`,

    /** Deletes nodes that were silent for a month and run nothing. */
    sweep: () => sql`
      delete from nodes n
      where label <> ${own}
        and seen_at < now() - interval '30 days'
        and not exists (
          select 1
          from deployments d
          where d.node = n.label
            and d.status = 'active'
        )
        and not exists (
          select 1
          from databases b
          where b.node = n.label
            and b.wanted <> 'deleted'
        )`,
  };
};
