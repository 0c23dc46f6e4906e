import type { PlantedBug } from '../bug.ts';

const accounts = 'apps/server/src/features/accounts';

/** Bugs in the profile, in sessions and in two-factor sign-in. */
export const profileBugs: PlantedBug[] = [
  {
    bug: 'a code of the authenticator app works again and again',
    promise: 'RFC 6238: each time step is used once',
    file: `${accounts}/two-factor/two-factor-store.ts`,
    from: 'and last_step < ${step}',
    to: '',
    caught_by: { file: `${accounts}/two-factor/two-factor.test.ts`, test: 'a code signs in once' },
  },
  {
    bug: 'a recovery code works again and again',
    promise: 'a recovery code is used once',
    file: `${accounts}/two-factor/two-factor-store.ts`,
    from: '      delete from recovery_codes',
    to: '      update recovery_codes set code_hash = code_hash',
    caught_by: { file: `${accounts}/two-factor/two-factor.test.ts`, test: 'a recovery code signs in once' },
  },
  {
    bug: 'guesses at the second factor are not counted',
    promise: 'R5: guesses are limited, through whichever door',
    file: `${accounts}/two-factor/two-factor.ts`,
    from: 'const maxAttempts = 10;',
    to: 'const maxAttempts = 1000;',
    caught_by: { file: `${accounts}/two-factor/two-factor.test.ts`, test: 'guesses at the code are limited' },
  },
  {
    bug: 'the second factor is asked for before the password was looked at',
    promise: 'R4: nothing about an account is told before the password is right',
    file: `${accounts}/routes.ts`,
    from: "      if (!found || !right) throw new ApiError('credentials_wrong');",
    to: "      if (found) await secondFactor.demand(found.id, code);\n      if (!found || !right) throw new ApiError('credentials_wrong');",
    caught_by: { file: `${accounts}/two-factor/two-factor.test.ts`, test: 'nothing tells of a second factor' },
  },
  {
    bug: 'a password change leaves the other sessions',
    promise: 'R7: a password change ends all other sessions',
    file: `${accounts}/profile/profile-store.ts`,
    from: '      await endOtherSessions(tx, user_id, keep);',
    to: '',
    caught_by: { file: `${accounts}/profile/profile.test.ts`, test: 'a password change asks for the current one' },
  },
  {
    bug: 'a password change leaves the link to a new address that a thief asked for',
    promise: 'R7: whoever lost the password has no way back in',
    file: `${accounts}/profile/profile-store.ts`,
    from: '      await links.voidOfOthers(user_id, keep, tx);',
    to: '',
    caught_by: { file: `${accounts}/profile/profile.test.ts`, test: 'a link to a new address dies' },
  },
  {
    bug: 'anybody ends the session of anybody whose id they know',
    promise: 'R9, R22: own sessions alone',
    file: `${accounts}/profile/own-session-store.ts`,
    from: '        and user_id = ${user_id}',
    to: '',
    caught_by: { file: `${accounts}/profile/own-sessions.test.ts`, test: 'own sessions are listed' },
  },
];
