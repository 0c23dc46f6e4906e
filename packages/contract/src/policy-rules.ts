// Shared by the console and the server, without zod. The console shows the effect of a rule while the user types it.
import { effectOf } from './policy-rules/effects.ts';
import { listRules } from './policy-rules/lists.ts';
import type { PolicyRule } from './policy-rules/rule.ts';
import { sentences } from './policy-rules/sentences.ts';

export type { PolicyRule, PolicyRuleKind, RetainedData, RuleOfKind } from './policy-rules/rule.ts';

export const policyTypes = ['data_retention', 'access_control', 'data_privacy', 'security'] as const;
export type PolicyType = (typeof policyTypes)[number];
export const policyStatuses = ['draft', 'active', 'archived'] as const;
export type PolicyStatus = (typeof policyStatuses)[number];

/** Longer texts are not parsed. */
export const maxRuleLetters = 300;

/**
 * The parsed rule and its effect while its policy is active; undefined for a rule that nothing enforces. Case, spaces and a final full stop
 * are ignored.
 */
export function understandRule(text: string): (PolicyRule & { effect: string }) | undefined {
  if (text.length > maxRuleLetters) return undefined;
  const words = text.trim().split(/\s+/).join(' ').toLowerCase();
  const rule = readRule(words.endsWith('.') ? words.slice(0, -1).trimEnd() : words);
  return rule && { ...rule, effect: effectOf(rule) };
}

function readRule(text: string): PolicyRule | undefined {
  const colon = text.indexOf(':');
  const label = colon < 0 ? '' : text.slice(0, colon).trim();
  const list = Object.hasOwn(listRules, label) ? listRules[label] : undefined;
  const ofMany = label.endsWith('s') && Object.hasOwn(listRules, label.slice(0, -1)) ? listRules[label.slice(0, -1)] : undefined;
  const readList = list ?? ofMany;
  if (readList) return readList(text.slice(colon + 1).trim());
  for (const { form, read } of sentences) {
    const match = form.exec(text);
    if (match) return read(...match.slice(1));
  }
  return undefined;
}

/** Number of hosts in the rules that Paddock understands. */
export const countHosts = (rules: readonly string[]): number =>
  rules.reduce((sum, text) => {
    const rule = hostRule.test(text.slice(0, maxRuleLetters)) ? understandRule(text) : undefined;
    return sum + (rule?.kind === 'hosts' ? rule.hosts.length : 0);
  }, 0);

const hostRule = /^\s*(?:blocked|allowed) hosts?\s*:/i;

/** A sentence on the effect of a rule that is not understood. */
export const advisoryEffect = (text: string): string =>
  hostRule.test(text.slice(0, maxRuleLetters))
    ? 'Nothing enforces this: write names such as api.example.com, *.example.com for all names below one, or IPv4 addresses, with commas between them.'
    : 'Nothing enforces this: it tells people what to do.';

/** Templates to begin with. */
export const ruleTemplates: Record<PolicyType, readonly string[]> = {
  data_retention: ['Delete logs after 30 days', 'Delete traces after 7 days', 'Delete audit payloads after 90 days'],
  access_control: [
    'API keys expire within 90 days',
    'Require two-factor authentication',
    'End idle sessions after 15 minutes',
    'Alert after 3 failed logins',
    'Deployments only by: ada@example.com, key CI',
  ],
  data_privacy: ['Redact all personal data', 'Redact Email, SSN, Credit Card'],
  security: [
    'Allowed environments: production',
    'Allowed database modes: managed, none',
    'Allowed hosts: api.openai.com, *.example.com',
    'Require health path',
    'Budget $50 per day',
  ],
};
