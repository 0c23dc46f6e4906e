import { randomInt } from 'node:crypto';
import { plural } from '@paddock/contract/plural';
import type { Sql } from '../../../../db/connect.ts';
import { below, clauseLimits } from '../clause-limits.ts';
import type { Control } from '../control.ts';
import type { ControlDeps } from '../control-deps.ts';
import { toFinding, unverifiedResult } from '../finding.ts';

const { letters: lengths } = clauseLimits['IAM-03'];

/** Passwords that are long enough, but in every list of common passwords. */
const guessedFirst = ['password1', 'qwertyuiop', '1234567890', 'iloveyou1', 'football1'];
const letters = 'abcdefghijkmnpqrstuvwxyzACDEFGHJKLMNPQRTUVWXY346789';
const randomPassword = (length: number) => Array.from({ length }, () => letters[randomInt(letters.length)]).join('');

/** IAM-03: the running server takes no passwords that are short or guessed first. */
export const passwordControl = ({ sql, passwordRefusal }: Pick<ControlDeps, 'sql' | 'passwordRefusal'>): Control => ({
  id: 'IAM-03',
  of: 'installation',
  async check() {
    const { people, with_password } = await countPasswords(sql);
    const shortest = await minAcceptedLength(passwordRefusal);
    if (shortest === null)
      return unverifiedResult('Random passwords of up to 64 letters.', 'The server takes none of them, so its rule is not known.');
    const taken = [];
    for (const password of guessedFirst) if ((await passwordRefusal(password)) === null) taken.push(password);
    const evidence = { shortest_taken: shortest, guessed_first: guessedFirst.length, guessed_first_taken: taken, people, with_password };
    const rule = { type: 'installation', id: 'password-rule', name: 'Password rule', evidence };
    return {
      looked_at: `Random passwords of each length, ${plural(guessedFirst.length, 'password')} that guessers try first, and how ${plural(people, 'person', 'people')} can sign in.`,
      resources: [
        toFinding(
          {
            ...rule,
            fix: {
              text: 'Require a second factor, and accept the rest of this control with a reason, or let everybody sign in through a provider',
              path: '/governance?tab=compliance',
            },
          },
          {
            problems:
              with_password > 0
                ? below(lengths, shortest, ({ limit, by }) => `Passwords of ${shortest} letters are taken; ${by} asks for ${limit}.`)
                : [],
            fine: with_password === 0 ? 'Nobody signs in with a password.' : `Passwords have at least ${shortest} letters.`,
          },
        ),
        toFinding(
          { type: 'installation', id: 'guessed-passwords', name: 'Passwords that are guessed first', evidence },
          {
            problems: taken.length > 0 ? [`${plural(taken.length, 'password')} that guessers try first would be taken.`] : [],
            fine: 'Passwords that guessers try first are refused.',
          },
        ),
      ],
    };
  },
});

async function minAcceptedLength(refusal: ControlDeps['passwordRefusal']): Promise<number | null> {
  for (let length = 1; length <= 64; length++) if ((await refusal(randomPassword(length))) === null) return length;
  return null;
}

/** People of the whole installation, and how many can sign in with a password. */
async function countPasswords(sql: Sql): Promise<{ people: number; with_password: number }> {
  const [row] = await sql<[{ people: number; with_password: number }]>`
    select count(*)::int as people, count(password_hash)::int as with_password
    from users`;
  return row;
}
