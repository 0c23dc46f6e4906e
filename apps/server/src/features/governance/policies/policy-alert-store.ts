import type { Sql } from '../../../db/connect.ts';

export type WatchStore = ReturnType<typeof policyAlertStore>;

/** All SQL that finds causes of policy alerts. */
export const policyAlertStore = (sql: Sql) => ({
  async teamsWithActive(): Promise<string[]> {
    const rows = await sql<{ team_id: string }[]>`
      select distinct team_id
      from policies
      where status = 'active'`;
    return rows.map(({ team_id }) => team_id);
  },

  /** Failed sign-ins of the last hour by account of the team, from the audit trail. The most first. */
  failedSignIns: (team_id: string) => sql<{ name: string | null; failed: number }[]>`
    select u.name, count(*)::int as failed
    from audit_records r
    left join users u on u.id = r.actor_id
    where r.team_id = ${team_id}
      and r.status = 'error'
      and r.timestamp > now() - interval '1 hour'
      and r.action = 'session.open'
    group by r.actor_id, u.name
    order by failed desc
    limit 1`,
});
