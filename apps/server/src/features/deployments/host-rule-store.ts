import { type HostRule, hostRulesDigest } from '@paddock/runtime';
import type { Sql } from '../../db/connect.ts';

export type HostRuleStore = ReturnType<typeof hostRuleStore>;

export interface HostRuleStatus {
  deployment_id: string;
  team_id: string;
  rules: readonly HostRule[];
  /** Why the rules are not in force; null: they are, as reported by the kernel of the agent's machine. */
  problem: string | null;
}

/** All SQL about the enforcement of host rules, as reported by the agents' nodes. */
export const hostRuleStore = (sql: Sql) => ({
  note: ({ deployment_id, team_id, rules, problem }: HostRuleStatus) => sql`
    insert into host_holds (deployment_id, team_id, rules, problem, seen_at)
    select id, team_id, ${hostRulesDigest(rules)}, ${problem}, now()
    from deployments
    where team_id = ${team_id}
      and id = ${deployment_id}
    on conflict (deployment_id) do update
    set rules = excluded.rules, problem = excluded.problem, seen_at = excluded.seen_at`,

  forget: (team_id: string, deployment_id: string) => sql`
    delete from host_holds
    where team_id = ${team_id}
      and deployment_id = ${deployment_id}`,
});
