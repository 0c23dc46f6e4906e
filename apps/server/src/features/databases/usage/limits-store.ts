import { plansInForce } from '@paddock/contract/plans';
import { recordSystemAction } from '../../../audit/record-system-action.ts';
import type { Sql } from '../../../db/connect.ts';
import type { ManagedRow } from '../rows.ts';

export type StorageStore = ReturnType<typeof storageStore>;

export interface StorageRow
  extends Pick<ManagedRow, 'id' | 'team_id' | 'project_id' | 'type' | 'status' | 'is_read_only' | 'storage_limit_bytes'> {
  status_message: string | null;
  /** Size of all the team's managed PostgreSQL databases at their last measurement. */
  team_bytes: number;
}

/** Bytes by plan; null: no limit. */
const storageOfPlans = Object.fromEntries(
  Object.entries(plansInForce).map(([id, { limits }]) => [id, limits.storage_gb === null ? null : limits.storage_gb * 1e9]),
);

/** All SQL about storage limits on one node. */
export const storageStore = (sql: Sql, node: string) => {
  const mine = sql`b.mode = 'managed' and b.node = ${node}`;
  return {
    async storage(id: string): Promise<StorageRow | undefined> {
      const [row] = await sql<StorageRow[]>`
        select
          b.id, b.team_id, b.project_id, b.type, b.status, b.status_message, b.is_read_only,
          b.storage_limit_bytes::float8 as storage_limit_bytes,
          (
            select coalesce(sum(o.size_bytes), 0)
            from databases o
            where o.team_id = b.team_id
              and o.mode = 'managed'
              and o.type = 'postgresql'
          )::float8 as team_bytes
        from databases b
        where ${mine}
          and b.id = ${id}`;
      return row;
    },

    setLimits: (of: { postgresql: number | null; isByPlan: boolean; redis: number }) => sql`
      update databases b
      set storage_limit_bytes = l.bytes
      from (
        select
          d.id,
          case
            when d.type = 'redis' then ${of.redis}::bigint
            when ${of.isByPlan} then (${sql.json(storageOfPlans)}::jsonb ->> coalesce(a.plan, 'free'))::bigint
            else ${of.postgresql}::bigint
          end as bytes
        from databases d
        left join billing_accounts a on a.team_id = d.team_id
      ) l
      where ${mine}
        and b.id = l.id
        and b.storage_limit_bytes is distinct from l.bytes`,

    /** Only while the database is available: otherwise its message explains why it is not. A message that is not about storage is kept. */
    note: (id: string, { is_read_only, message }: { is_read_only: boolean; message: string | null }) =>
      sql.begin(async (tx) => {
        const [before] = await tx<{ team_id: string; is_read_only: boolean }[]>`
          select b.team_id, b.is_read_only
          from databases b
          where ${mine}
            and b.id = ${id}
            and b.status = 'available'
            and (
              b.is_read_only <> ${is_read_only}
              or (${message}::text is null and b.status_message like 'Storage: %')
              or (${message}::text is not null and b.status_message is distinct from ${message})
            )
          for no key update`;
        if (!before) return;
        await tx`
          update databases b
          set
            is_read_only = ${is_read_only},
            status_message = case when ${message}::text is null and b.status_message not like 'Storage: %' then b.status_message else ${message} end
          where b.id = ${id}`;
        if (before.is_read_only === is_read_only) return;
        const action = is_read_only ? 'database.end-writing' : 'database.allow-writing';
        await recordSystemAction(tx, { team_id: before.team_id, action, id });
      }),
  };
};
