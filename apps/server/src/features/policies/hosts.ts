import { type HostRule, refusingRule } from '@paddock/runtime';
import { noteOwn } from '../../audit/note-own.ts';
import type { Sql } from '../../db/connect.ts';
import type { ActiveRules } from './active.ts';

/** What active policies say of the hosts that a team's agents may call. */
export interface HostPolicies {
  rules: (team_id: string) => Promise<HostRule[]>;
  /** Why an agent may not call a host, as a sentence, which is recorded; undefined where no rule says so any more. */
  refused: (d: { team_id: string; id: string }, host: string) => Promise<string | undefined>;
}

/** A host that an agent goes on asking for is recorded once in this time, and so many hosts of one agent. */
const recordedMs = 3_600_000;
const recordedOfOne = 100;
const mostAgents = 10_000;

export function hostPolicies(sql: Sql, active: Pick<ActiveRules, 'of'>): HostPolicies {
  const activeOf = async (team_id: string) =>
    (await active.of(team_id, 'hosts')).map(({ rule, ...by }) => ({ ...by, effect: rule.which, hosts: rule.hosts }));
  let recorded = new Map<string, Set<string>>();
  let begunMs = performance.now();

  function isNew(id: string, what: string): boolean {
    if (performance.now() - begunMs > recordedMs || recorded.size > mostAgents) {
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
    rules: async (team_id) => (await activeOf(team_id)).map(({ effect, hosts }) => ({ effect, hosts })),

    async refused({ team_id, id }, host) {
      const by = refusingRule(await activeOf(team_id), host);
      if (!by) return undefined;
      if (isNew(id, `${by.policy_id} ${by.text} ${host}`)) {
        const output = { policy: by.policy, rule: by.text, deployment_id: id, host };
        await noteOwn(sql, { team_id, action: 'policy.enforce', id: by.policy_id, output });
      }
      return `The policy "${by.policy}" does not let this agent call ${host}: ${by.text}`;
    },
  };
}
