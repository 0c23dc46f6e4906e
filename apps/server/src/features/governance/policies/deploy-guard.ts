import { type Deployment, normalAddress } from '@paddock/contract';
import type { Actor } from '../../../http/actor.ts';
import type { ActiveRule, ActiveRules } from './active-rules.ts';
import type { SpentToday } from './policy-alerts.ts';
import { refusal } from './refusal.ts';

/** The properties of a deployment that policies check before it is created. */
export type DeployInput = Pick<Deployment, 'environment' | 'database_mode'>;

/** Throws policy_refused for the first rule that does not allow a deployment. */
export const createDeployGuard =
  ({ active, spentToday }: { active: Pick<ActiveRules, 'of'>; spentToday: SpentToday }) =>
  async (actor: Actor, wanted: DeployInput): Promise<void> => {
    const { team_id } = actor;
    refuseIf((await active.of(team_id, 'environments')).find(({ rule }) => !rule.environments.includes(wanted.environment)));
    refuseIf((await active.of(team_id, 'database_modes')).find(({ rule }) => !rule.modes.includes(wanted.database_mode)));
    refuseIf((await active.of(team_id, 'deployers')).find(({ rule }) => !isNamed(rule, actor)));
    const budgets = await active.of(team_id, 'budget');
    if (budgets.length === 0) return;
    const spent = await spentToday(team_id);
    refuseIf(budgets.find(({ rule }) => spent > rule.usd));
  };

/** A key counts only by its own name: otherwise everybody who may create keys would lend their name to any program. */
export function isNamed(rule: { people: string[]; keys: string[] }, { key_name, email }: Pick<Actor, 'key_name' | 'email'>): boolean {
  if (key_name !== null) return rule.keys.includes(key_name.trim().split(/\s+/).join(' ').toLowerCase());
  return rule.people.some((person) => normalAddress(person) === normalAddress(email));
}

function refuseIf(broken: ActiveRule | undefined): void {
  if (broken) throw refusal(broken);
}
