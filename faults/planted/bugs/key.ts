import type { PlantedBug } from '../bug.ts';

const keys = 'apps/server/src/features/api-keys';
const own = `${keys}/api-keys.test.ts`;
const races = `${keys}/key-races.test.ts`;
const authenticate = 'apps/server/src/http/authenticate.ts';

/** Bugs in API keys, their scopes and their limits. */
export const keyBugs: PlantedBug[] = [
  {
    bug: 'a key may make any call',
    promise: 'R17: the scope decides per route',
    file: authenticate,
    from: "if (access !== 'any' && !use.scopes.some((scope) => scope === access))",
    to: "if (access !== 'any' && !use.scopes.length)",
    caught_by: { file: 'apps/server/src/http/scope-matrix.test.ts', test: 'each call takes exactly the keys' },
  },
  {
    bug: 'a key may do what is for sessions alone',
    promise: 'R17: a key creates no stronger key',
    file: authenticate,
    from: "if (access === 'session') throw new ApiError('session_needed');",
    to: "if (access === 'session') return use.actor;",
    caught_by: { file: 'apps/server/src/http/scope-matrix.test.ts', test: 'each call takes exactly the keys whose scope it names' },
  },
  {
    bug: 'what merely looks like a key is looked for',
    promise: 'R16: a malformed key costs no query',
    file: `${keys}/key-form.ts`,
    from: 'return body !== undefined && check === computeChecksum(body);',
    to: 'return body !== undefined && check !== undefined;',
    caught_by: { file: own, test: 'a key that is changed in any way' },
  },
  {
    bug: 'a revoked key goes on',
    promise: 'R18: revoking acts on the next request',
    file: `${keys}/count-request.ts`,
    from: 'and k.revoked_at is null',
    to: '',
    caught_by: { file: own, test: 'a key is shown once' },
  },
  {
    bug: 'revoking leaves what took the place of the key',
    promise: 'R18: revoking beats a rotation at the same time',
    file: `${keys}/store.ts`,
    from: 'and family_id in (',
    to: 'and id = ${id} and family_id in (',
    caught_by: { file: races, test: 'a hundred parallel rotations' },
  },
  {
    bug: 'one request more than the limit passes',
    promise: 'R19: limits are exact',
    file: `${keys}/count-request.ts`,
    from: 'is_over: window_count > rate_limit,',
    to: 'is_over: window_count > rate_limit + 1,',
    caught_by: { file: races, test: 'of two hundred parallel requests' },
  },
  {
    bug: 'a repeated creation makes a second key',
    promise: 'P9: nothing is done twice',
    file: 'apps/server/src/http/idempotency.ts',
    from: "if (isSecret) throw new ApiError('secret_shown_once');",
    to: 'if (isSecret) return { status, body: await call(uuidv7()), replayed: false };',
    caught_by: { file: own, test: 'creating or rotating again' },
  },
  {
    bug: 'live logs go on with a revoked key',
    promise: 'R49: live logs close within five seconds',
    file: 'apps/server/src/features/logs/reader-auth.ts',
    from: "if (!live.has(identity.session_id ?? identity.key_id ?? '')) end();",
    to: 'if (identity.session_id && !live.has(identity.session_id)) end();',
    caught_by: { file: 'apps/server/src/features/logs/logs.test.ts', test: 'a key that is revoked, and a ticket of one' },
  },
];
