import type { PlantedBug } from '../bug.ts';

const accounts = 'apps/server/src/features/accounts';

/** Bugs in accounts, sessions, sealed values and repeated requests. */
export const accountBugs: PlantedBug[] = [
  {
    bug: 'the end of a session is not looked at',
    promise: 'P5, R8: a session that has expired opens nothing',
    file: `${accounts}/session-store.ts`,
    from: 'and s.expires_at > now()`',
    to: '`',
    caught_by: { file: `${accounts}/accounts.test.ts`, test: 'an expired session' },
  },
  {
    bug: 'signing out leaves the session',
    promise: 'P5: an ended session takes effect on the next request',
    file: `${accounts}/session-store.ts`,
    from: '        where id = ${session_id}',
    to: '        where id = ${session_id} and false',
    caught_by: { file: `${accounts}/accounts.test.ts`, test: 'a person signs up' },
  },
  {
    bug: 'attempts are not counted up',
    promise: 'R5: guesses are limited, in parallel too',
    file: 'apps/server/src/http/rate-limit.ts',
    from: 'set count = rate_limits.count + 1',
    to: 'set count = excluded.count',
    caught_by: { file: `${accounts}/accounts.test.ts`, test: 'of fifty parallel guesses' },
  },
  {
    bug: 'for an unknown account no password is hashed',
    promise: 'R4: known and unknown accounts take the same time',
    file: `${accounts}/passwords.ts`,
    from: 'const right = await turn(async () => verify(stored ?? (await dummy), password.normalize(',
    to: 'const right = stored !== undefined && await turn(async () => verify(stored ?? (await dummy), password.normalize(',
    caught_by: { file: `${accounts}/passwords.test.ts`, test: 'an account that does not exist' },
  },
  {
    bug: 'a sealed value is not bound to its variable',
    promise: 'P7: a sealed value opens for its owner alone',
    file: 'apps/server/src/secrets/contexts.ts',
    from: '`variable:${project_id}:${environment}:${key}`',
    to: '`variable:${[project_id, environment, key].length}`',
    caught_by: { file: 'apps/server/src/features/variables/variables.test.ts', test: 'a sealed value that is moved' },
  },
  {
    bug: 'the Idempotency-Key is ignored',
    promise: 'P9: a repeated request does a thing once',
    file: 'apps/server/src/http/serve.ts',
    from: "takesIdempotencyKey(route) ? header(request, 'idempotency-key') : undefined",
    to: "route.path === '' ? header(request, 'idempotency-key') : undefined",
    caught_by: { file: 'apps/server/src/features/projects/projects.test.ts', test: 'a POST repeated with its Idempotency-Key' },
  },
];
