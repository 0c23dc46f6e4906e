import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CreatedKey, Problem } from '@paddock/contract';
import { ask, reads, keyWorld as world } from '../../../test/keys.ts';
import { apiOf } from '../../../test/server.ts';

const codeOf = async (answer: Response) => ((await answer.json()) as Problem).code;

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
  for (let turn = 0; turn < 2; turn++) {
    const key = await make({ scopes: reads });
    const born = await race(
      key.key_info.id,
      Array.from({ length: 34 }, (_, n) => (n % 2 === turn % 2 ? 'rotate' : 'revoke')),
    );
    assert.ok(born.length <= 1);
    assert.deepEqual([...(await live())], []);
    for (const { api_key } of [key, ...born]) assert.equal((await ask(origin, api_key)).status, 401);
  }
  // A concurrent revocation may win against the rotation; here the rotation is first.
  const rotated = await make({ scopes: reads });
  const successor = await ada.api.apiKeys.rotate({ id: rotated.key_info.id });
  await ada.api.apiKeys.revoke({ id: rotated.key_info.id });
  assert.equal((await ask(origin, successor.api_key)).status, 401);
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
    // The window moves instead of the clock: first not quite as far as reported, then as far.
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
