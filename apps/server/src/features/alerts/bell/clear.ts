import type { Sql, Tx } from '../../../db/connect.ts';
import { type Clear, ofCause } from './cause.ts';

/** Clears alerts whose cause is gone. */
export const createClear = (sql: Sql) => ({
  /** The cause is gone: open alerts are resolved, and its next occurrence is a new alert. */
  clear: (async (team_id, cause) => {
    await sql`
      update alerts
      set cleared_at = now(), resolved_at = coalesce(resolved_at, now())
      where ${ofCause(sql, team_id, cause)}
        and cleared_at is null`;
  }) as Clear,

  /** A deployment works: alerts of older deployments of its environment are cleared. */
  async clearOlder(tx: Tx, deployment_id: string): Promise<void> {
    await tx`
      update alerts a
      set cleared_at = now(), resolved_at = coalesce(resolved_at, now())
      from deployments d
      where d.id = ${deployment_id}
        and a.team_id = d.team_id
        and a.project_id = d.project_id
        and a.environment = d.environment
        and a.cleared_at is null
        and (
          select o.created_at
          from deployments o
          where o.id = a.deployment_id
        ) < d.created_at`;
  },

  /** Alerts of these rules about agents in production whose cause is not known to be gone. */
  listUncleared: (rules: readonly string[]) => sql<{ team_id: string; project_id: string; rule: string }[]>`
    select distinct team_id, project_id, rule
    from alerts
    where rule = any(${rules as string[]})
      and environment = 'production'
      and project_id is not null
      and cleared_at is null`,

  /** Teams with an uncleared alert of a rule that has no subject, and its message. */
  unclearedTeams: (rule: string) => sql<{ team_id: string; message: string }[]>`
    select team_id, message
    from alerts
    where rule = ${rule}
      and environment is null
      and deployment_id is null
      and database_id is null
      and cleared_at is null`,

  /** Deployments after this one with an uncleared alert of the rule, in the order of their ids. */
  async uncleared(rule: string, after: string, limit: number): Promise<string[]> {
    const rows = await sql<{ deployment_id: string }[]>`
      select distinct deployment_id
      from alerts
      where rule = ${rule}
        and environment is not null
        and deployment_id > ${after}
        and cleared_at is null
      order by deployment_id
      limit ${limit}`;
    return rows.map((row) => row.deployment_id);
  },
  clearDeployments: (rule: string, ids: string[]) => sql`
    update alerts
    set cleared_at = now(), resolved_at = coalesce(resolved_at, now())
    where rule = ${rule}
      and environment is not null
      and deployment_id = any(${ids})
      and cleared_at is null`,

  /** Clears the alerts of a deleted database. */
  clearDatabase: (team_id: string, database_id: string, within: Tx = sql) => within`
    update alerts
    set cleared_at = now(), resolved_at = coalesce(resolved_at, now())
    where team_id = ${team_id}
      and database_id = ${database_id}
      and cleared_at is null`,
});
