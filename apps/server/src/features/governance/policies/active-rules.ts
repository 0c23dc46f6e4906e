import { type PolicyRule, type PolicyRuleKind, type RuleOfKind, understandRule } from '@paddock/contract/policy-rules';
import type { Changes } from '../../../db/changes.ts';
import type { ActivePolicy, PolicyStore } from './store.ts';

/** An enforced rule, and its policy. */
export interface ActiveRule<Rule extends PolicyRule = PolicyRule> {
  policy_id: string;
  policy: string;
  /** The text of the rule as it was written. */
  text: string;
  rule: Rule;
}
export type ActiveRules = ReturnType<typeof activeRules>;

/** Maximum cache time, because notifications may be lost while their connection is down. */
const keptMs = 10_000;
const maxTeams = 10_000;

type RulesByKind = ReadonlyMap<PolicyRuleKind, ActiveRule[]>;

interface CacheEntry {
  asked: Promise<RulesByKind>;
  until: number;
}

/** Enforced rules by team, cached until a policy of that team changes. */
export function activeRules(store: Pick<PolicyStore, 'active'>, changes: Pick<Changes, 'on'>) {
  const known = new Map<string, CacheEntry>();

  const forget = (team_id: string) => {
    if (team_id === '') known.clear();
    else known.delete(team_id);
  };
  changes.on('policies', forget);

  function loadRules(team_id: string): Promise<RulesByKind> {
    const found = known.get(team_id);
    if (found && found.until > performance.now()) return found.asked;
    const asked = store.active(team_id).then(parseRules);
    known.delete(team_id);
    known.set(team_id, { asked, until: performance.now() + keptMs });
    if (known.size > maxTeams) known.delete(known.keys().next().value!);
    asked.catch(() => known.get(team_id)?.asked === asked && known.delete(team_id));
    return asked;
  }

  return {
    /** Called after a change by this server, before its notification arrives. */
    forget,
    /** Returns the same array as long as no policy of the team changes, within some seconds. */
    async of<Kind extends PolicyRuleKind>(team_id: string, kind: Kind): Promise<readonly ActiveRule<RuleOfKind<Kind>>[]> {
      return ((await loadRules(team_id)).get(kind) ?? []) as ActiveRule<RuleOfKind<Kind>>[];
    },
  };
}

function parseRules(policies: readonly ActivePolicy[]): RulesByKind {
  const rules = policies.flatMap(({ id, name, rules: texts }) =>
    texts.flatMap((text): ActiveRule[] => {
      const rule = understandRule(text);
      return rule ? [{ policy_id: id, policy: name, text, rule }] : [];
    }),
  );
  return Map.groupBy(rules, ({ rule }) => rule.kind);
}
