import type { PlantedBug } from '../bug.ts';

const accounts = 'apps/server/src/features/accounts';

export const signInBugs: PlantedBug[] = [
  {
    bug: "the counter of an account's sign-ins is named by the address as it was typed",
    promise: 'each spelling of an address shares one counter',
    file: `${accounts}/guess-counters.ts`,
    from: '  key: `login:account:${normalAddress(email)}`,',
    to: '  key: `login:account:${email.toLowerCase()}`,',
    caught_by: { file: `${accounts}/addresses.test.ts`, test: 'each spelling of an address' },
  },
  {
    bug: "a known browser's sign-ins count with those of strangers",
    promise: 'nobody can keep anybody out by guessing',
    file: `${accounts}/guess-counters.ts`,
    from: 'if (known !== undefined) return [',
    to: 'if (known === `${user_id}`) return [',
    caught_by: { file: `${accounts}/lock-out.test.ts`, test: 'a stranger who guesses' },
  },
];
