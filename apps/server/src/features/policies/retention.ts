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

/** The shortest time that the active policies of one team give data of a kind; undefined where none says anything of it. */
export const shortest =
  (active: Pick<ActiveRules, 'of'>) =>
  async (team_id: string, data: RetainedData): Promise<KeptAtMost | undefined> => {
    const rules = (await active.of(team_id, 'retention')).filter(({ rule }) => rule.data.includes(data));
    const [by] = rules.toSorted((a, b) => a.rule.days - b.rule.days);
    return by && { team_id, days: by.rule.days, by };
  };

/** Of each team that has a rule about it: the shortest time of all its active policies. */
export const retaining =
  (store: Pick<WatchStore, 'teamsWithActive'>, active: Pick<ActiveRules, 'of'>): KeptAtMostOf =>
  async (data) => {
    const kept: KeptAtMost[] = [];
    for (const team_id of await store.teamsWithActive()) {
      const one = await shortest(active)(team_id, data);
      if (one) kept.push(one);
    }
    return kept;
  };
