import { above, clauseLimits, strictestMax } from '../clause-limits.ts';
import type { Control } from '../control.ts';
import type { ControlDeps } from '../control-deps.ts';
import { count, daysSince, toFinding } from '../finding.ts';
import { keyStore } from './key-store.ts';
import { type PersonRow, peopleStore } from './people-store.ts';

const most = { recordDays: 90 };
const unseen = clauseLimits['IAM-07'].unseenDays;
const resourceOf = ({ id, name }: PersonRow) => ({ type: 'user', id, name });

/** IAM-02: everybody signs in with a second factor. */
export const secondFactorControl = ({ sql }: Pick<ControlDeps, 'sql'>): Control => ({
  id: 'IAM-02',
  of: 'team',
  async check(team_id) {
    const people = await peopleStore(sql).people(team_id);
    return {
      looked_at: `Whether ${count(people.length, 'person', 'people')} of the team signs in with a second factor.`,
      resources: people.map((person) => {
        const { has_password, has_second_factor } = person;
        const evidence = { has_password, has_second_factor };
        // Only the sign-in provider knows its own requirements.
        if (!has_second_factor && !has_password)
          return {
            ...resourceOf(person),
            status: 'unverified',
            finding: 'This person signs in through a provider, and nothing here shows whether that asks for a second factor.',
            evidence,
            fix: { text: 'Turn on two-factor sign-in', path: '/settings' },
          };
        return toFinding(
          { ...resourceOf(person), evidence, fix: { text: 'Turn on two-factor sign-in', path: '/settings' } },
          { problems: has_second_factor ? [] : ['This person signs in with a password only.'], fine: 'A second factor is asked for.' },
        );
      }),
    };
  },
});

/** IAM-07: nobody has access who was not seen for long. */
export const inactivityControl = ({ sql }: Pick<ControlDeps, 'sql'>): Control => ({
  id: 'IAM-07',
  of: 'team',
  async check(team_id) {
    const people = await peopleStore(sql).people(team_id);
    return {
      looked_at: `When ${count(people.length, 'person', 'people')} of the team last signed in or used the console; at most ${strictestMax(unseen)} days ago.`,
      resources: people.map((person) => {
        const days = daysSince(person.seen_at);
        return toFinding(
          {
            ...resourceOf(person),
            evidence: { seen_at: person.seen_at },
            fix: { text: 'Delete the account, or sign in if it is still needed', path: '/settings' },
          },
          {
            problems: above(unseen, days, ({ limit, by }) => `Not seen for ${days} days; ${by} allows ${limit}.`),
            fine: `Seen ${count(days, 'day')} ago.`,
          },
        );
      }),
    };
  },
});

/** IAM-08: each record names its actor, and each key has an owner in the team. */
export const actorControl = ({ sql }: Pick<ControlDeps, 'sql'>): Control => ({
  id: 'IAM-08',
  of: 'team',
  async check(team_id) {
    const [{ looked_at, nameless, examples }, keys] = await Promise.all([
      peopleStore(sql).withoutActor(team_id, most.recordDays),
      keyStore(sql).liveKeys(team_id),
    ]);
    return {
      looked_at: `${count(looked_at, 'record')} of people and keys in ${most.recordDays} days, and ${count(keys.length, 'live API key')}.`,
      absence: `There is no record of a person or a key in ${most.recordDays} days, and no live API key.`,
      resources: [
        ...(looked_at > 0 ? [recordsOf(team_id, { looked_at, nameless, examples })] : []),
        ...keys.map(({ id, name, has_owner }) =>
          toFinding(
            { type: 'api_key', id, name, evidence: { has_owner }, fix: { text: 'Revoke the key', path: '/api-keys' } },
            {
              problems: has_owner ? [] : ['The person this key acts for is not in the team.'],
              fine: 'The key acts for one person of the team.',
            },
          ),
        ),
      ],
    };
  },
});

const recordsOf = (team_id: string, evidence: { looked_at: number; nameless: number; examples: string[] }) =>
  toFinding(
    {
      type: 'team',
      id: team_id,
      name: 'Audit trail',
      evidence,
      fix: { text: 'Look at what recorded these without a name', path: '/governance' },
    },
    {
      problems:
        evidence.nameless > 0
          ? [`${count(evidence.nameless, 'record')} of a person or a key ${evidence.nameless === 1 ? 'does' : 'do'} not say which.`]
          : [],
      fine: 'Each record names who did it.',
    },
  );
