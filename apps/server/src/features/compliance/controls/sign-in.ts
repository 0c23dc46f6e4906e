import { randomInt } from 'node:crypto';
import { above, below, clauseLimits } from '../clause-limits.ts';
import type { Control } from '../control.ts';
import type { ControlDeps } from '../control-deps.ts';
import { count, toFinding, unverifiedResult } from '../finding.ts';
import { peopleStore } from './people-store.ts';

const { letters: lengths } = clauseLimits['IAM-03'];
const { attempts, lockMinutes } = clauseLimits['IAM-04'];
const waiver = 'Require a second factor, and accept the rest of this control with a reason';

/** Passwords that are long enough, but in every list of common passwords. */
const guessedFirst = ['password1', 'qwertyuiop', '1234567890', 'iloveyou1', 'football1'];
const letters = 'abcdefghijkmnpqrstuvwxyzACDEFGHJKLMNPQRTUVWXY346789';
const randomPassword = (length: number) => Array.from({ length }, () => letters[randomInt(letters.length)]).join('');

/** IAM-03: the running server takes no passwords that are short or guessed first. */
export const passwordControl = ({ sql, passwordRefusal }: Pick<ControlDeps, 'sql' | 'passwordRefusal'>): Control => ({
  id: 'IAM-03',
  of: 'installation',
  async check() {
    const { people, with_password } = await peopleStore(sql).passwords();
    const shortest = await minAcceptedLength(passwordRefusal);
    if (shortest === null)
      return unverifiedResult('Random passwords of up to 64 letters.', 'The server takes none of them, so its rule is not known.');
    const taken = [];
    for (const password of guessedFirst) if ((await passwordRefusal(password)) === null) taken.push(password);
    const evidence = { shortest_taken: shortest, guessed_first: guessedFirst.length, guessed_first_taken: taken, people, with_password };
    const rule = { type: 'installation', id: 'password-rule', name: 'Password rule', evidence };
    return {
      looked_at: `Random passwords of each length, ${count(guessedFirst.length, 'password')} that guessers try first, and how ${count(people, 'person', 'people')} can sign in.`,
      resources: [
        toFinding(
          { ...rule, fix: { text: `${waiver}, or let everybody sign in through a provider`, path: '/governance' } },
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
            problems: taken.length > 0 ? [`${count(taken.length, 'password')} that guessers try first would be taken.`] : [],
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

/** IAM-04: wrong passwords lock the sign-in, for long enough. */
export const lockoutControl = ({ proveLockout }: Pick<ControlDeps, 'proveLockout'>): Control => ({
  id: 'IAM-04',
  of: 'installation',
  async check() {
    const { answered, tries, lock_seconds } = await proveLockout();
    const evidence = { answered, tries, lock_seconds };
    const minutes = Math.round(lock_seconds / 60);
    return {
      looked_at: `What up to ${tries} wrong passwords for an address that nobody has meet at the counter that each sign-in passes.`,
      resources: [
        toFinding(
          { type: 'installation', id: 'lockout', name: 'Lockout', evidence },
          {
            problems:
              answered === null
                ? [`${tries} wrong passwords were answered, and the next one was not refused.`]
                : above(attempts, answered, ({ limit, by }) => `${answered} wrong passwords were answered; ${by} allows ${limit}.`),
            fine: `After ${answered} wrong passwords the next one was refused.`,
          },
        ),
        toFinding(
          {
            type: 'installation',
            id: 'lockout-duration',
            name: 'Duration of a lockout',
            evidence,
            fix: { text: `The operator sets PADDOCK_LOCKOUT_MINUTES to ${lockMinutes[0].limit}. Or: ${waiver}`, path: '/governance' },
          },
          {
            problems: below(
              lockMinutes,
              lock_seconds / 60,
              ({ limit, by }) => `A lockout lasts ${minutes} minutes; ${by} asks for ${limit}.`,
            ),
            fine: `A lockout lasts ${minutes} minutes.`,
          },
        ),
      ],
    };
  },
});
