import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { type Problem, type Scope, scopes } from '@paddock/contract';
import { ask, reads, keyWorld as world } from '../../../test/keys.ts';
import { apiOf } from '../../../test/server.ts';
import type { Sql } from '../../db/connect.ts';
import { createLog } from '../../log.ts';
import { newKey } from './key-form.ts';
import { apiKeyStore } from './store.ts';

const codeOf = async (answer: Response) => ((await answer.json()) as Problem).code;

test('a key is shown once, listed by its ends, used, and refused from the next request on once it is revoked', async (t) => {
  const { origin, ada, make, mailsTo } = await world(t);
  const { api_key, key_info, warning } = await make({
    name: '  Deploy from CI ',
    scopes: ['projects:read', 'agents:read'],
    expires_in_days: 30,
  });
  assert.match(api_key, /^pk_live_[0-9A-Za-z]{42}$/);
  assert.match(warning, /shown once/);
  assert.deepEqual(
    { ...key_info, id: '', created_at: '', expires_at: '' },
    {
      id: '',
      name: 'Deploy from CI',
      key_prefix: api_key.slice(0, 12),
      key_suffix: api_key.slice(-4),
      is_test_key: false,
      scopes: ['agents:read', 'projects:read'],
      is_active: true,
      rate_limit: 300,
      total_requests: 0,
      created_at: '',
      expires_at: '',
      last_used_at: null,
      last_used_ip: null,
      revoked_at: null,
      created_by: 'Ada',
      created_by_key: null,
    },
  );
  assert.equal(Math.round((Date.parse(key_info.expires_at!) - Date.parse(key_info.created_at)) / 86_400_000), 30);
  const answer = await ask(origin, api_key);
  assert.equal(answer.status, 200);
  assert.deepEqual(
    ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'].map((name) => answer.headers.get(name)),
    ['300', '299', '60'],
  );
  const [listed] = (await ada.api.apiKeys.list()).api_keys;
  assert.equal(listed?.total_requests, 1);
  assert.equal(listed?.last_used_ip, '127.0.0.1');
  assert.ok(listed?.last_used_at);
  await ada.api.apiKeys.revoke({ id: key_info.id });
  const refused = await ask(origin, api_key);
  assert.equal(refused.status, 401);
  assert.equal(await codeOf(refused), 'not_signed_in');
  const [revoked] = (await ada.api.apiKeys.list()).api_keys;
  assert.equal(revoked?.is_active, false);
  assert.ok(revoked?.revoked_at);
  const mail = (await mailsTo(ada.email)).find(({ template }) => template === 'key-created');
  assert.equal(Object(mail?.data).key_name, 'Deploy from CI');
});

test('without scopes a key reads and writes agents; a test key has the lower limit; without an expiry it has none', async (t) => {
  const { make, ada } = await world(t);
  const { api_key, key_info } = await make({ is_test: true });
  assert.match(api_key, /^pk_test_/);
  assert.deepEqual(key_info.scopes, ['agents:read', 'agents:write']);
  assert.deepEqual([key_info.rate_limit, key_info.expires_at, key_info.is_test_key], [60, null, true]);
  for (const wrong of [
    { name: '   ' },
    { name: 'CI\r\nBcc: eve@example.com' },
    { name: 'x'.repeat(101) },
    { scopes: [] },
    { scopes: ['admin' as Scope] },
    { expires_in_days: 0 },
    { expires_in_days: 3651 },
    { expires_in_days: 1.5 },
  ])
    await assert.rejects(ada.api.apiKeys.create({ name: 'x', ...wrong }), { code: 'input_invalid' }, JSON.stringify(wrong));
});

test('validate says whom a token stands for and what it may do', async (t) => {
  const { origin, ada, make } = await world(t);
  const { api_key, key_info } = await make({ scopes: reads });
  const told = await apiOf(origin, api_key).apiKeys.validate();
  assert.deepEqual(
    [told.kind, told.user.email, told.scopes, told.rate_limit, told.key_info?.id],
    ['api_key', ada.email, reads, 300, key_info.id],
  );
  const session = await ada.api.apiKeys.validate();
  assert.deepEqual(
    [session.kind, session.scopes.length, session.rate_limit, session.key_info],
    ['session', Object.keys(scopes).length, null, null],
  );
});

test('a key without a scope of keys makes none and lists none, and revokes and rotates itself alone', async (t) => {
  const { origin, make, ada } = await world(t);
  const [mine, other] = [await make(), await make()];
  const api = apiOf(origin, mine.api_key);
  await assert.rejects(api.apiKeys.create({ name: 'stronger', scopes: ['agents:delete'] }), { code: 'scope_missing' });
  await assert.rejects(api.apiKeys.list(), { code: 'scope_missing' });
  await assert.rejects(api.apiKeys.revoke({ id: other.key_info.id }), { code: 'session_needed' });
  await assert.rejects(api.apiKeys.rotate({ id: other.key_info.id }), { code: 'session_needed' });
  const next = await api.apiKeys.rotate({ id: mine.key_info.id });
  assert.equal((await ask(origin, mine.api_key, '/deployments')).status, 401);
  assert.equal((await ask(origin, next.api_key, '/deployments')).status, 200);
  await apiOf(origin, next.api_key).apiKeys.revoke({ id: next.key_info.id });
  assert.equal((await ask(origin, next.api_key, '/deployments')).status, 401);
  assert.equal((await ask(origin, other.api_key, '/deployments')).status, 200);
  assert.equal((await ada.api.apiKeys.list()).api_keys.filter(({ is_active }) => is_active).length, 1);
});

test('a rotation keeps name, scopes and lifetime, ends the old key at once, and an ended key is not rotated', async (t) => {
  const { origin, ada, make, sql } = await world(t);
  const old = await make({ scopes: reads, expires_in_days: 90, is_test: true });
  await sql`update api_keys set created_at = now() - interval '80 days', expires_at = now() + interval '10 days'`;
  const fresh = await ada.api.apiKeys.rotate({ id: old.key_info.id });
  assert.notEqual(fresh.api_key, old.api_key);
  assert.deepEqual(
    [fresh.key_info.name, fresh.key_info.scopes, fresh.key_info.is_test_key, fresh.key_info.total_requests],
    [old.key_info.name, reads, true, 0],
  );
  assert.equal(Math.round((Date.parse(fresh.key_info.expires_at!) - Date.parse(fresh.key_info.created_at)) / 86_400_000), 90);
  assert.equal((await ask(origin, old.api_key)).status, 401);
  assert.equal((await ask(origin, fresh.api_key)).status, 200);
  await assert.rejects(ada.api.apiKeys.rotate({ id: old.key_info.id }), { code: 'api_key_revoked' });
  await ada.api.apiKeys.revoke({ id: old.key_info.id });
  assert.equal((await ask(origin, fresh.api_key)).status, 401, 'who revokes the old key means what took its place, too');
});

test('a key ends in the second that it was given, by the clock of the database', async (t) => {
  const { origin, make, sql } = await world(t);
  const { api_key } = await make({ scopes: reads, expires_in_days: 1 });
  await sql`update api_keys set expires_at = now() + interval '1 minute'`;
  assert.equal((await ask(origin, api_key)).status, 200);
  await sql`update api_keys set expires_at = now()`;
  assert.equal((await ask(origin, api_key)).status, 401);
  assert.equal((await ask(origin, api_key, '/api-keys/validate')).status, 401);
});

test('a key acts only while its person belongs to the team', async (t) => {
  const { origin, make, sql } = await world(t);
  const { api_key } = await make({ scopes: reads });
  await sql`delete from team_members`;
  assert.equal((await ask(origin, api_key)).status, 401);
});

test('all keys of a person end at once, with the transaction that asks for it, and nobody else loses one', async (t) => {
  const { origin, sql, make, person } = await world(t);
  const keys = await Promise.all([make({ scopes: reads }), make({ scopes: reads }), make({ scopes: reads })]);
  const other = await (await person()).api.apiKeys.create({ name: 'hers', scopes: reads });
  const [{ user_id }] = await sql<[{ user_id: string }]>`select user_id from api_keys where id = ${keys[0].key_info.id}`;
  const store = apiKeyStore(sql);
  const undone = sql.begin(async (tx) => {
    await store.revokeAllForUser(user_id, tx);
    throw new Error('changed my mind');
  });
  await assert.rejects(undone, /changed my mind/);
  assert.equal((await ask(origin, keys[0].api_key)).status, 200);
  await sql.begin((tx) => store.revokeAllForUser(user_id, tx));
  for (const { api_key } of keys) assert.equal((await ask(origin, api_key)).status, 401);
  assert.equal((await ask(origin, other.api_key)).status, 200);
});

test('a key that is changed in any way, of the demo, or in an address is refused, and a malformed one without a look into the database', async (t) => {
  const { origin, make, beside } = await world(t);
  let asked = 0;
  const counting = (sql: Sql) =>
    new Proxy(sql, { apply: (target, self, args) => ((asked += Array.isArray(args[0]) ? 1 : 0), Reflect.apply(target, self, args)) });
  const { origin: counted } = await beside({ through: counting });
  const { api_key } = await make({ scopes: reads });
  const wrong = [
    api_key.slice(0, -1),
    `${api_key}x`,
    api_key.slice(0, 20) + (api_key[20] === 'x' ? 'y' : 'x') + api_key.slice(21),
    api_key.toLowerCase(),
    `pk_demo_${api_key.slice(8)}`,
    'pk_demo_fake0123456789',
    'pk_live_',
    `${api_key.slice(0, 8)} ${api_key.slice(8)}`,
  ];
  asked = 0;
  for (const token of wrong) assert.equal((await ask(counted, token)).status, 401, token);
  assert.equal(asked, 0, 'none of them was looked for');
  assert.equal((await ask(counted, newKey(false))).status, 401);
  assert.ok(asked > 0, 'what could be a key was looked for: the counter counts');
  for (const name of ['token', 'api_key', 'access_token', 'key'])
    assert.equal((await fetch(`${origin}/api/v1/projects?${name}=${api_key}`)).status, 401, name);
  assert.equal(
    (await fetch(`${origin}/api/v1/projects`, { headers: { authorization: `Basic ${btoa(`${api_key}:`)}`, 'x-api-key': api_key } })).status,
    401,
  );
});

test('the key itself is in no table, no log and no mail, whichever call was made with it', async (t) => {
  const { sql, ada, beside, mailsTo } = await world(t);
  let logged = '';
  const to = new Writable({ write: (chunk: Buffer, _, done) => ((logged += chunk.toString()), done()) });
  const { origin } = await beside({ log: createLog('trace', to) });
  const api = apiOf(origin, ada.token);
  const first = await api.apiKeys.create({ name: 'canary', scopes: reads }, { idempotency_key: 'once' });
  const second = await api.apiKeys.rotate({ id: first.key_info.id }, { idempotency_key: 'twice' });
  const secrets = [first.api_key, second.api_key];
  await ask(origin, second.api_key);
  await ask(origin, second.api_key, `/projects?token=${second.api_key}`);
  await ask(origin, first.api_key);
  await fetch(`${origin}/ws/logs/dep_none?token=${second.api_key}`);
  const tables = await sql<{ name: string }[]>`select quote_ident(tablename) as name from pg_tables where schemaname = 'public'`;
  const dump = (await Promise.all(tables.map(({ name }) => sql.unsafe(`select t::text from ${name} t`)))).flat();
  assert.ok(dump.length > 10);
  const places = { tables: JSON.stringify(dump), log: logged, mails: JSON.stringify(await mailsTo()) };
  assert.match(places.log, /"url":"\/api\/v1\/projects\?token=\[redacted\]"/);
  for (const [place, text] of Object.entries(places))
    for (const secret of secrets) assert.ok(!text.includes(secret.slice(12, -4)), `found in ${place}`);
});

test('creating or rotating again with the same Idempotency-Key makes no second key and says that the first was shown', async (t) => {
  const { ada, sql } = await world(t);
  const create = () => ada.api.apiKeys.create({ name: 'once', scopes: reads }, { idempotency_key: 'k' });
  const settled = await Promise.allSettled(Array.from({ length: 5 }, create));
  const [made, ...more] = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  assert.ok(made && more.length === 0, 'one of them was told the key');
  await assert.rejects(create(), { code: 'secret_shown_once', status: 409 });
  await assert.rejects(ada.api.apiKeys.create({ name: 'other' }, { idempotency_key: 'k' }), { code: 'idempotency_key_reused' });
  const rotate = () => ada.api.apiKeys.rotate({ id: made.key_info.id }, { idempotency_key: 'r' });
  const next = await rotate();
  await assert.rejects(rotate(), { code: 'secret_shown_once' });
  // The state after a crash between creating the key and recording the response.
  await sql`update idempotency_keys set status = null, body = null, owner = '', created_at = now() - interval '1 hour'`;
  for (const again of [create, rotate, create, rotate]) await assert.rejects(again(), { code: 'secret_shown_once' });
  assert.deepEqual(
    (await ada.api.apiKeys.list()).api_keys.map(({ id, is_active }) => [id, is_active]),
    [
      [next.key_info.id, true],
      [made.key_info.id, false],
    ],
  );
});
