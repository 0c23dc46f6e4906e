import type { RuleOfKind } from '@paddock/contract/policy-rules';
import { type HostIndex, type HostRule, hostIndex } from '@paddock/runtime';
import { recordSystemAction } from '../../../audit/record-system-action.ts';
import type { Sql } from '../../../db/connect.ts';
import type { ActiveRule, ActiveRules } from './active-rules.ts';

type ActiveHostRule = ActiveRule<RuleOfKind<'hosts'>>;

/** Rules of active policies about the hosts that a team's agents may call. */
export interface HostPolicies {
  rules: (team_id: string) => Promise<HostRule[]>;
  /** Why an agent may not call a host, as a sentence, which is recorded; undefined if no rule refuses it any more. */
  refused: (d: { team_id: string; id: string }, host: string) => Promise<string | undefined>;
}

/** A host that an agent requests repeatedly is recorded once in this time, with a maximum number of hosts per agent. */
const recordedMs = 3_600_000;
const recordedOfOne = 100;
const maxAgents = 10_000;

export function hostPolicies(sql: Sql, active: Pick<ActiveRules, 'of'>): HostPolicies {
  const activeOf = async (team_id: string) => arranged(await active.of(team_id, 'hosts'));
  let recorded = new Map<string, Set<string>>();
  let begunMs = performance.now();

  function isNew(id: string, what: string): boolean {
    if (performance.now() - begunMs > recordedMs || recorded.size > maxAgents) {
      recorded = new Map();
      begunMs = performance.now();
    }
    const known = recorded.get(id) ?? new Set();
    recorded.set(id, known);
    if (known.has(what) || known.size >= recordedOfOne) return false;
    known.add(what);
    return true;
  }

  return {
    rules: async (team_id) => (await activeOf(team_id)).rules,

    async refused({ team_id, id }, host) {
      const by = (await activeOf(team_id)).index().refusing(host);
      if (!by) return undefined;
      if (isNew(id, `${by.policy_id} ${by.text} ${host}`)) {
        const output = { policy: by.policy, rule: by.text, deployment_id: id, host };
        await recordSystemAction(sql, { team_id, action: 'policy.enforce', id: by.policy_id, output });
      }
      return `The policy "${by.policy}" does not let this agent call ${host}: ${by.text}`;
    },
  };
}

interface Arranged {
  rules: HostRule[];
  index: () => HostIndex<HostRule & Omit<ActiveHostRule, 'rule'>>;
}
const known = new WeakMap<readonly ActiveHostRule[], Arranged>();

/** Prepares the rules of a team once, until one of its policies changes. */
function arranged(active: readonly ActiveHostRule[]): Arranged {
  const before = known.get(active);
  if (before) return before;
  const rules = active.map(({ rule }): HostRule => ({ effect: rule.which, hosts: rule.hosts }));
  let index: ReturnType<Arranged['index']> | undefined;
  const arrange = () => hostIndex(active.map(({ rule, ...by }) => ({ ...by, effect: rule.which, hosts: rule.hosts })));
  const made: Arranged = { rules, index: () => (index ??= arrange()) };
  known.set(active, made);
  return made;
}
