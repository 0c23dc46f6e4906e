import type { Plan } from '@paddock/builder';
import { recordSystemAction } from '../../../audit/record-system-action.ts';
import type { Sql } from '../../../db/connect.ts';
import type { ActiveRules } from './active-rules.ts';
import { describeRule } from './refusal.ts';

/** Why a deployment with this plan may not be started, as a sentence, which is recorded; undefined if it may. */
export type PlanRefusal = (d: { team_id: string; id: string }, plan: Pick<Plan, 'health'>) => Promise<string | undefined>;

export const createPlanGuard =
  (sql: Sql, active: Pick<ActiveRules, 'of'>): PlanRefusal =>
  async ({ team_id, id }, { health }) => {
    const [by] = health === undefined ? await active.of(team_id, 'health_path') : [];
    if (!by) return undefined;
    const output = { policy: by.policy, rule: by.text, deployment_id: id };
    await recordSystemAction(sql, { team_id, action: 'policy.enforce', id: by.policy_id, output });
    return `${describeRule(by)} Name the path in paddock.yaml, as in 'health: /healthz', and deploy again.`;
  };
