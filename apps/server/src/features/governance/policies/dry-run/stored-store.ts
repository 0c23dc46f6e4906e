import type { RetainedData } from '@paddock/contract/policy-rules';
import type { Sql } from '../../../../db/connect.ts';

export type StoredStore = ReturnType<typeof storedStore>;

/** Maximum number of counted rows per kind of data. */
export const maxCounted = 1_000_000;

/** All SQL that counts data stored for longer than a rule allows. */
export const storedStore = (sql: Sql) => {
  const older = (days: number) => sql`now() - make_interval(days => ${days}::int)`;
  const counts: Record<RetainedData, (team_id: string, days: number) => PromiseLike<readonly { count: number }[]>> = {
    logs: (team_id, days) => sql`
      select count(*)::int as count
      from (
        select 1
        from deployments d
        join log_lines l on l.deployment_id = d.id
        where d.team_id = ${team_id}
          and l.created_at < ${older(days)}
        limit ${maxCounted}
      ) counted`,
    traces: (team_id, days) => sql`
      select count(*)::int as count
      from (
        select 1
        from deployments d
        join traces t on t.deployment_id = d.id
        where d.team_id = ${team_id}
          and t.started_at < ${older(days)}
        limit ${maxCounted}
      ) counted`,
    'audit payloads': (team_id, days) => sql`
      select count(*)::int as count
      from (
        select 1
        from audit_payloads
        where team_id = ${team_id}
          and recorded_at < ${older(days)}
        limit ${maxCounted}
      ) counted`,
  };
  return {
    async olderThan(team_id: string, data: RetainedData, days: number): Promise<number> {
      const [row] = await counts[data](team_id, days);
      return row?.count ?? 0;
    },
  };
};
