import type { AdmitByPolicy } from '../../../http/authenticate.ts';
import type { ActiveRules } from './active-rules.ts';
import { refusal } from './refusal.ts';

interface Deps {
  active: Pick<ActiveRules, 'of'>;
  hasSecondFactor: (user_id: string) => Promise<boolean>;
}

/** Decisions of policies about callers: both throw policy_refused. */
export const createAdmission = ({ active, hasSecondFactor }: Deps): AdmitByPolicy => ({
  async key({ actor, age_days }) {
    const broken = (await active.of(actor.team_id, 'key_age')).find(({ rule }) => age_days > rule.days);
    if (broken) throw refusal(broken, 'This key is older. Sign in and create another one.');
  },

  async changeByPerson({ team_id, user_id }) {
    const [rule] = await active.of(team_id, 'two_factor');
    if (rule && !(await hasSecondFactor(user_id)))
      throw refusal(rule, 'Turn on two-factor sign-in in the settings, under Profile (/settings).');
  },
});
