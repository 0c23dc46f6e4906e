import type { ActiveRules } from './active-rules.ts';
import { refusal } from './refusal.ts';

/** Throws policy_refused for a key that would live too long. Null: it would never expire. */
export type AssertKeyLifetime = (team_id: string, expires_in_days: number | null) => Promise<void>;

export const createKeyGuard =
  (active: Pick<ActiveRules, 'of'>): AssertKeyLifetime =>
  async (team_id, expires_in_days) => {
    const broken = (await active.of(team_id, 'key_age')).find(({ rule }) => exceedsLifetime(rule.days, expires_in_days));
    if (broken) throw refusal(broken, 'Create a key that expires soon enough.');
  };

export const exceedsLifetime = (days: number, expires_in_days: number | null): boolean =>
  expires_in_days === null || expires_in_days > days;
