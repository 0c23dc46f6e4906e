import type { RetainedData } from '@paddock/contract/policy-rules';
import type { ActiveRule, ActiveRules } from './active.ts';
import type { WatchStore } from './watch-store.ts';

/** How long a team wants data of a kind kept, at the most, and by which rule. */
export interface KeptAtMost {
  team_id: string;
  days: number;
  by: Pick<ActiveRule, 'policy_id' | 'policy' | 'text'>;
}
export type KeptAtMostOf = (data: RetainedData) => Promise<KeptAtMost[]>;

/** Of each team that has a rule about it: the shortest time of all its active policies. */
export const retaining =
  (store: Pick<WatchStore, 'teamsWithActive'>, active: Pick<ActiveRules, 'of'>): KeptAtMostOf =>
  async (data) => {
    const kept: KeptAtMost[] = [];
    for (const team_id of await store.teamsWithActive()) {
      const rules = (await active.of(team_id, 'retention')).filter(({ rule }) => rule.data.includes(data));
      const [by] = rules.toSorted((a, b) => a.rule.days - b.rule.days);
      if (by) kept.push({ team_id, days: by.rule.days, by });
    }
    return kept;
  };
