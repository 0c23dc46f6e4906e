import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import type { CreatedKey, Problem, Scope } from '@paddock/contract';
import { apiOf, startApi } from '../../../test/server.ts';
import type { Sql } from '../../db/connect.ts';
import { createLog } from '../../log.ts';
import { newKey } from './key-form.ts';

async function world(t: TestContext) {
  const server = await startApi(t);
  const ada = await server.person();
  const make = (more: Partial<Parameters<typeof ada.api.apiKeys.create>[0]> = {}) => ada.api.apiKeys.create({ name: 'CI', ...more });
  return { ...server, ada, make };
}

const ask = (origin: string, token: string, path = '/projects') =>
  fetch(`${origin}/api/v1${path}`, { headers: { authorization: `Bearer ${token}` } });
const codeOf = async (answer: Response) => ((await answer.json()) as Problem).code;
const reads: Scope[] = ['projects:read'];

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
  assert.deepEqual([session.kind, session.scopes.length, session.rate_limit, session.key_info], ['session', 8, null, null]);
});

test('a key makes no keys and lists none, and revokes and rotates itself alone', async (t) => {
  const { origin, make, ada } = await world(t);
  const [mine, other] = [await make(), await make()];
  const api = apiOf(origin, mine.api_key);
  await assert.rejects(api.apiKeys.create({ name: 'stronger', scopes: ['agents:delete'] }), { code: 'session_needed' });
  await assert.rejects(api.apiKeys.list(), { code: 'session_needed' });
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

test('a hundred parallel rotations leave one live key, and with revocations among them none', async (t) => {
  const { origin, ada, make, sql, beside } = await world(t);
  const servers = [origin, (await beside()).origin];
  const live = () => sql<{ family_id: string }[]>`select family_id from api_keys where revoked_at is null`;
  const race = async (id: string, kinds: ('rotate' | 'revoke')[]) => {
    const made: CreatedKey[] = [];
    await Promise.all(
      kinds.map(async (kind, n) => {
        const api = apiOf(servers[n % 2]!, ada.token);
        await (kind === 'rotate' ? api.apiKeys.rotate({ id }).then((one) => made.push(one)) : api.apiKeys.revoke({ id })).catch(
          (error: { code: string }) => assert.equal(error.code, 'api_key_revoked'),
        );
      }),
    );
    return made;
  };
  const first = await make({ scopes: reads });
  const made = await race(first.key_info.id, Array(100).fill('rotate'));
  assert.equal(made.length, 1);
  assert.equal((await live()).length, 1);
  assert.equal((await ask(servers[1]!, made[0]!.api_key)).status, 200);
  await ada.api.apiKeys.revoke({ id: made[0]!.key_info.id });
  for (let turn = 0; turn < 3; turn++) {
    const key = await make({ scopes: reads });
    const born = await race(
      key.key_info.id,
      Array.from({ length: 34 }, (_, n) => (n % 2 === turn % 2 ? 'rotate' : 'revoke')),
    );
    assert.ok(born.length <= 1);
    assert.deepEqual([...(await live())], []);
    for (const { api_key } of [key, ...born]) assert.equal((await ask(origin, api_key)).status, 401);
  }
});

test('a revoked key is refused by every server at the next request, a hundred times', async (t) => {
  const { origin, ada, beside, sql } = await world(t);
  const second = (await beside()).origin;
  const makeOne = apiOf(second, ada.token);
  const turnOf = async (turn: number) => {
    const { api_key, key_info } = await makeOne.apiKeys.create({ name: `${turn}`, scopes: reads });
    const [here, there] = turn % 2 ? [origin, second] : [second, origin];
    assert.equal((await ask(there, api_key)).status, 200);
    await apiOf(here, ada.token).apiKeys.revoke({ id: key_info.id });
    assert.equal((await ask(there, api_key)).status, 401, `turn ${turn}`);
  };
  for (let turn = 0; turn < 100; turn += 10) await Promise.all(Array.from({ length: 10 }, (_, lane) => turnOf(turn + lane)));
  assert.equal((await sql`select 1 from api_keys where revoked_at is null`).length, 0);
});

test('of two hundred parallel requests at limit 60 exactly 60 pass, on one server and over two, and Retry-After is true', async (t) => {
  const { origin, make, beside, sql } = await world(t);
  const second = (await beside()).origin;
  for (const servers of [[origin], [origin, second]]) {
    const { api_key, key_info } = await make({ scopes: reads, is_test: true });
    const answers = await Promise.all(Array.from({ length: 200 }, (_, n) => ask(servers[n % servers.length]!, api_key)));
    const passed = answers.filter(({ status }) => status === 200);
    const refused = answers.filter(({ status }) => status === 429);
    assert.deepEqual([passed.length, refused.length], [60, 140]);
    assert.equal(new Set(passed.map(({ headers }) => headers.get('ratelimit-remaining'))).size, 60, 'each was told a different rest');
    const [one] = refused;
    assert.equal(await codeOf(one!.clone()), 'too_many_requests');
    assert.deepEqual([one!.headers.get('ratelimit-limit'), one!.headers.get('ratelimit-remaining')], ['60', '0']);
    const wait = Number(one!.headers.get('retry-after'));
    assert.ok(wait >= 1 && wait <= 60, `Retry-After was ${wait}`);
    // The window moves instead of the clock: almost as far as was told, then as far.
    const pass = (seconds: number) =>
      sql`update api_keys set window_start = window_start - ${seconds} * interval '1 second' where id = ${key_info.id}`;
    await pass(wait - 10);
    const early = await ask(origin, api_key);
    assert.equal(early.status, 429);
    assert.ok(Number(early.headers.get('retry-after')) <= 10);
    await pass(10);
    const late = await ask(origin, api_key);
    assert.deepEqual([late.status, late.headers.get('ratelimit-remaining')], [200, '59']);
  }
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
  await fetch(`${origin.replace('http', 'http')}/ws/logs/dep_none?token=${second.api_key}`);
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
  // As after a crash between the key and the note that it was made.
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

test('parallel creates at the limit of live keys make exactly as many as fit, and rotation goes on at the limit', async (t) => {
  const { ada, make, sql } = await world(t);
  const { key_info } = await make();
  await sql`
    insert into api_keys (id, team_id, user_id, family_id, name, token_hash, key_prefix, key_suffix, is_test_key, scopes, rate_limit)
    select 'key_' || n, team_id, user_id, 'key_' || n, name, sha256(n::text::bytea), 'pk_live_0000', '0000', false, scopes, 300
    from api_keys, generate_series(1, 96) n`;
  const settled = await Promise.allSettled(Array.from({ length: 20 }, () => make()));
  assert.equal(settled.filter(({ status }) => status === 'fulfilled').length, 3);
  for (const one of settled) if (one.status === 'rejected') assert.equal((one.reason as { code: string }).code, 'api_keys_too_many');
  await ada.api.apiKeys.rotate({ id: key_info.id });
  await assert.rejects(make(), { code: 'api_keys_too_many' });
  const pages: string[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await ada.api.apiKeys.list({ limit: 40, ...(cursor ? { cursor } : {}) });
    pages.push(...page.api_keys.map(({ id }) => id));
    if (!page.next_cursor) break;
    cursor = page.next_cursor;
  }
  assert.equal(new Set(pages).size, 101);
});
