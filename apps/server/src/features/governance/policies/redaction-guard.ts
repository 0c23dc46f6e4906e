import { type DataProtectionSettings, piiTypes } from '@paddock/contract/data-protection';
import type { ActiveRules } from './active-rules.ts';
import { refusal } from './refusal.ts';

/** Throws policy_refused for settings that allow values that a policy wants redacted. */
export type CheckRedaction = (team_id: string, settings: Pick<DataProtectionSettings, 'rules'>) => Promise<void>;

export const createRedactionGuard =
  (active: Pick<ActiveRules, 'of'>): CheckRedaction =>
  async (team_id, { rules }) => {
    const allowed = piiTypes.filter((type) => rules[type].action === 'allow');
    const broken = (await active.of(team_id, 'redact')).find(({ rule }) => allowed.some((type) => rule.types.includes(type)));
    if (broken) throw refusal(broken);
  };
