import type { ActiveRule, ActiveRules } from './active-rules.ts';

/** After how many minutes without use the sessions of a team end, and by which rule; undefined where no active policy says. */
export type IdleLimit = (team_id: string) => Promise<({ minutes: number } & Pick<ActiveRule, 'policy' | 'text'>) | undefined>;

/** Of several policies the strictest counts. */
export const strictestOnIdleSessions =
  (active: Pick<ActiveRules, 'of'>): IdleLimit =>
  async (team_id) => {
    const [by] = (await active.of(team_id, 'idle_sessions')).toSorted((a, b) => a.rule.minutes - b.rule.minutes);
    return by && { minutes: by.rule.minutes, policy: by.policy, text: by.text };
  };
