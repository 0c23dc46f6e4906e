import { plural } from '@paddock/contract/plural';
import type { Control } from '../control.ts';
import type { ControlDeps } from '../control-deps.ts';
import { toFinding, unverified } from '../finding.ts';
import { loadPeople, personSubject } from './team-people.ts';

const fix = { text: 'Turn on two-factor sign-in', path: '/settings' };

/** IAM-02: everybody signs in with a second factor. */
export const secondFactorControl = ({ sql }: Pick<ControlDeps, 'sql'>): Control => ({
  id: 'IAM-02',
  of: 'team',
  async check(team_id) {
    const people = await loadPeople(sql, team_id);
    return {
      looked_at: `Whether ${plural(people.length, 'person', 'people')} of the team signs in with a second factor.`,
      resources: people.map((person) => {
        const { has_password, has_second_factor } = person;
        const evidence = { has_password, has_second_factor };
        // Only the sign-in provider knows its own requirements.
        if (!has_second_factor && !has_password)
          return unverified(
            personSubject(person),
            'This person signs in through a provider, and nothing here shows whether that asks for a second factor.',
            { evidence, fix },
          );
        return toFinding(
          { ...personSubject(person), evidence, fix },
          { problems: has_second_factor ? [] : ['This person signs in with a password only.'], fine: 'A second factor is asked for.' },
        );
      }),
    };
  },
});
