import type { DryRun } from '@paddock/contract';
import { advisoryEffect, type PolicyRule, understandRule } from '@paddock/contract/policy-rules';
import { type EvaluatorDeps, evaluators, type RuleResult } from './evaluators.ts';
import { lookbackDays } from './trail-store.ts';

export type DryRuns = (team_id: string, rules: readonly string[]) => Promise<DryRun>;

const maxExamples = 10;
const nothing = (looked_at: string): RuleResult => ({ looked_at, calls: [], rows: 0 });

/** Reports what rules would have refused or removed. A call that several rules would have refused counts once in the sum. */
export const dryRuns =
  (parts: EvaluatorDeps): DryRuns =>
  async (team_id, texts) => {
    const calls = new Set<string>();
    let rows = 0;
    const rules: DryRun['rules'] = [];
    for (const text of texts) {
      const rule = understandRule(text);
      const outcome = rule ? await judge(parts, team_id, rule) : nothing(advisoryEffect(text));
      for (const { audit_id } of outcome.calls) calls.add(audit_id);
      rows += outcome.rows;
      const told = [...outcome.calls, ...(outcome.examples ?? []).map((one) => ({ ...one, audit_id: null }))];
      const examples = told.slice(0, maxExamples).map(({ at, what, audit_id }) => ({ at, what, audit_id }));
      rules.push({
        rule: text,
        is_enforced: rule !== undefined,
        refused: outcome.calls.length + outcome.rows,
        looked_at: outcome.looked_at,
        examples,
      });
    }
    return { days: lookbackDays, refused: calls.size + rows, rules };
  };

const judge = (parts: EvaluatorDeps, team_id: string, rule: PolicyRule): Promise<RuleResult> =>
  (evaluators[rule.kind] as (parts: EvaluatorDeps, team_id: string, rule: PolicyRule) => Promise<RuleResult>)(parts, team_id, rule);
