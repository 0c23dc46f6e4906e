import type { RetainedData } from '@paddock/contract/policy-rules';
import type { ActiveRule, ActiveRules } from './active-rules.ts';
import type { WatchStore } from './policy-alert-store.ts';

/** Maximum retention of a kind of data for a team, with the rule that requires it. */
export interface RetentionLimit {
  team_id: string;
  days: number;
  by: Pick<ActiveRule, 'policy_id' | 'policy' | 'text'>;
}
export type FindRetentionLimits = (data: RetainedData) => Promise<RetentionLimit[]>;

/** The shortest retention in one team's active policies for a kind of data; undefined if there is none. */
export const minRetention =
  (active: Pick<ActiveRules, 'of'>) =>
  async (team_id: string, data: RetainedData): Promise<RetentionLimit | undefined> => {
    const rules = (await active.of(team_id, 'retention')).filter(({ rule }) => rule.data.includes(data));
    const [by] = rules.toSorted((a, b) => a.rule.days - b.rule.days);
    return by && { team_id, days: by.rule.days, by };
  };

/** The shortest retention of each team that has a rule about the data. */
export const retentionLimits =
  (store: Pick<WatchStore, 'teamsWithActive'>, active: Pick<ActiveRules, 'of'>): FindRetentionLimits =>
  async (data) => {
    const kept: RetentionLimit[] = [];
    for (const team_id of await store.teamsWithActive()) {
      const one = await minRetention(active)(team_id, data);
      if (one) kept.push(one);
    }
    return kept;
  };
