import type { UnderstoodRule } from '@paddock/contract';
import { advisoryEffect, understandRule } from '@paddock/contract/policy-rules';

/** The effect of a rule while its policy is active. */
export function understood(rule: string): UnderstoodRule {
  const effect = understandRule(rule)?.effect;
  return { rule, is_enforced: effect !== undefined, effect: effect ?? advisoryEffect(rule) };
}
