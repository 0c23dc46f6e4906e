import { ApiError } from '@paddock/contract';
import { setPolicyRefusal } from '../../../audit/call.ts';
import type { ActiveRule } from './active-rules.ts';

/** Refuses the current call, whose record names policy and rule. `how`: a sentence on what to do. */
export function refusal({ policy_id, policy, text }: ActiveRule, how?: string): ApiError {
  setPolicyRefusal({ policy_id, policy, rule: text });
  return new ApiError('policy_refused', { detail: [describeRule({ policy, text }), how].filter(Boolean).join(' ') });
}

/** The text about a rule that does not allow something. */
export const describeRule = ({ policy, text }: Pick<ActiveRule, 'policy' | 'text'>): string =>
  `The policy "${policy}" does not allow this: ${text}${text.endsWith('.') ? '' : '.'}`;
