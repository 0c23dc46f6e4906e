import { plural } from '@paddock/contract/plural';
import { above, clauseLimits, strictestMax } from '../clause-limits.ts';
import type { Control } from '../control.ts';
import type { ControlDeps } from '../control-deps.ts';
import { daysSince, toFinding } from '../finding.ts';
import { loadPeople, personSubject } from './team-people.ts';

const { unseenDays } = clauseLimits['IAM-07'];

/** IAM-07: nobody has access who was not seen for long. */
export const inactivityControl = ({ sql }: Pick<ControlDeps, 'sql'>): Control => ({
  id: 'IAM-07',
  of: 'team',
  async check(team_id) {
    const people = await loadPeople(sql, team_id);
    return {
      looked_at: `When ${plural(people.length, 'person', 'people')} of the team last signed in or used the console; at most ${strictestMax(unseenDays)} days ago.`,
      resources: people.map((person) => {
        const days = daysSince(person.seen_at);
        return toFinding(
          {
            ...personSubject(person),
            evidence: { seen_at: person.seen_at },
            fix: { text: 'Delete the account, or sign in if it is still needed', path: '/settings' },
          },
          {
            problems: above(unseenDays, days, ({ limit, by }) => `Not seen for ${days} days; ${by} allows ${limit}.`),
            fine: `Seen ${plural(days, 'day')} ago.`,
          },
        );
      }),
    };
  },
});
