import type { Sql } from '../db/connect.ts';

/** A node that has been silent for too long. */
export interface DeadNode {
  label: string;
  host: string;
  machine: string;
  /** For how long at least it has been silent. */
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

/** All SQL about nodes. Every time is the database's, so that clocks of machines do not matter. */
export const nodeStore = (sql: Sql, label: string) => {
  const seconds = (count: number) => `${count} seconds`;
  return {
    /** What is known of this node from before. `silent_s` counts from its last sign of life. */
    async find(): Promise<{ owner: string | null; host: string; silent_s: number } | undefined> {
      const [row] = await sql<{ owner: string | null; host: string; silent_s: number }[]>`
        select owner, host, extract(epoch from clock_timestamp() - seen_at)::float8 as silent_s
        from nodes
        where label = ${label}`;
      return row;
    },

    register: (node: Registration) => sql`
      insert into nodes ${sql({ label, ...node })}
      on conflict (label) do update
      set owner = excluded.owner, host = excluded.host, machine = excluded.machine, blob_store = excluded.blob_store,
        timeout_s = excluded.timeout_s, started_at = now(), steady_since = now(), seen_at = now()`,

    /** A sign of life. False when another process speaks for this node now. After a gap its time as a witness begins anew. */
    async beat(owner: string, gap_s: number): Promise<boolean> {
      const [row] = await sql`
        update nodes
        set steady_since = case when seen_at < now() - ${seconds(gap_s)}::interval then now() else steady_since end,
          seen_at = now()
        where label = ${label}
          and owner = ${owner}
        returning label`;
      return row !== undefined;
    },

    /** The last word. `isEmpty`: nothing of it runs any more, so that nobody needs to wait. */
    leave: (owner: string, isEmpty: boolean) => sql`
      update nodes
      set owner = null, seen_at = case when ${isEmpty} then to_timestamp(0) else now() end
      where label = ${label}
        and owner = ${owner}`,

    /** Other nodes that were heard within the time. */
    living: (timeout_s: number) => sql<{ label: string; host: string; machine: string; blob_store: string }[]>`
      select label, host, machine, blob_store
      from nodes
      where label <> ${label}
        and owner is not null
        and seen_at > now() - ${seconds(timeout_s)}::interval`,

    /** Silent nodes that still have deployments. Nobody is called dead unless this node was heard for all of that time itself. */
    dead: (timeout_s: number) => sql<DeadNode[]>`
      select n.label, n.host, n.machine, greatest(n.timeout_s, ${timeout_s})::int as timeout_s
      from nodes n
      join nodes me on me.label = ${label}
      where n.label <> ${label}
        and n.seen_at < now() - greatest(n.timeout_s, ${timeout_s}) * interval '1 second'
        and me.steady_since < now() - ${seconds(timeout_s)}::interval
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

    /** Forgets nodes that have not been heard for a month and run nothing. */
    sweep: () => sql`
      delete from nodes n
      where label <> ${label}
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
