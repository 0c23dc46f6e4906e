import type { AlertRuleName } from '@paddock/contract';
import type { Sql } from '../../../../db/connect.ts';

/** An agent that serves production. */
export interface LiveAgent {
  deployment_id: string;
  project_id: string;
  name: string;
  deployed_at: string | null;
  /** The last minute with a sample from its node. */
  sampled_at: string | null;
  now: string;
}
export interface Switched {
  project_id: string;
  rule: AlertRuleName;
  is_on: boolean;
}

const most = 2_000;

/** The monitoring of agents. Read only. */
export const monitorStore = (sql: Sql) => ({
  live: (team_id: string) => sql<LiveAgent[]>`
    select d.id as deployment_id, d.project_id, p.name, d.deployed_at, u.at as sampled_at, now() as now
    from deployments d
    join projects p on p.id = d.project_id
    left join lateral (
      select m.at
      from usage_minutes m
      where m.deployment_id = d.id
      order by m.at desc
      limit 1
    ) u on true
    where d.team_id = ${team_id}
      and d.environment = 'production'
      and d.is_current
      and d.status = 'active'
      and p.deleting_at is null
    order by p.name, d.id
    limit ${most}`,

  /** The alert rules that the team switched on or off. */
  switched: (team_id: string, rules: readonly AlertRuleName[]) => sql<Switched[]>`
    select project_id, rule, is_on
    from alert_rules
    where team_id = ${team_id}
      and rule = any(${rules as string[]})`,
});
