import type { ActiveRule, ActiveRules } from './active-rules.ts';

/** The idle timeout of a team's sessions in minutes, and its rule; undefined if no active policy has one. */
export type IdleLimit = (team_id: string) => Promise<({ minutes: number } & Pick<ActiveRule, 'policy' | 'text'>) | undefined>;

/** Returns the strictest of several policies. */
export const strictestOnIdleSessions =
  (active: Pick<ActiveRules, 'of'>): IdleLimit =>
  async (team_id) => {
    const [by] = (await active.of(team_id, 'idle_sessions')).toSorted((a, b) => a.rule.minutes - b.rule.minutes);
    return by && { minutes: by.rule.minutes, policy: by.policy, text: by.text };
  };
