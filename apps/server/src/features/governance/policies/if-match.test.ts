import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type Contract, contract } from '@paddock/contract';
import { policyWorld } from '../../../../test/policies.ts';
import { atEnd } from '../../../../test/postgres.ts';
import { startApi } from '../../../../test/server.ts';

let world: Awaited<ReturnType<typeof startApi>>;
before(async () => {
  world = await startApi({ after: atEnd });
});

const given = { name: 'Hosts', description: '', type: 'security', status: 'draft', rules: ['Be kind'] } as const;

/** A team with one policy, and a function that sends raw requests about it. */
async function policyOf() {
  const { api, token } = await policyWorld(world);
  const policy = await api.policies.create({ ...given, rules: [...given.rules] });
  const ask = async (method: string, { ifMatch, rules, id = policy.id }: { ifMatch?: string; rules?: string[]; id?: string } = {}) => {
    const answer = await fetch(`${world.origin}/api/v1/governance/policies/${id}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(rules ? { 'content-type': 'application/json' } : {}),
        ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
      },
      ...(rules ? { body: JSON.stringify({ ...given, rules }) } : {}),
    });
    const body = answer.status === 204 ? {} : ((await answer.json()) as { etag?: string; code?: string; rules?: string[] });
    return { status: answer.status, etag: answer.headers.get('etag'), body };
  };
  return { api, policy, ask };
}

test('GET and PUT tell the entity tag, which changes with each change and stays without one', async () => {
  const { api, policy, ask } = await policyOf();
  const first = await ask('GET');
  assert.match(first.etag ?? '', /^"[\w-]{22}"$/);
  assert.deepEqual([first.etag, (await ask('GET')).etag, policy.etag], [first.body.etag, first.etag, first.etag]);
  assert.equal((await api.policies.list()).policies[0]!.etag, first.etag);
  const second = await ask('PUT', { rules: ['Be fast'] });
  assert.equal(second.etag, second.body.etag);
  assert.equal((await ask('GET')).etag, second.etag);
  const back = await ask('PUT', { rules: ['Be kind'] });
  assert.equal(new Set([first.etag, second.etag, back.etag]).size, 3, 'also when the old rules come back');
});

test('a change of what is not there any more is refused by 412 and writes nothing', async () => {
  const { api, policy, ask } = await policyOf();
  const { etag: current } = await ask('PUT', { rules: ['Be fast'], ifMatch: policy.etag });
  const refused = [policy.etag, `W/${current}`, '"other"', 'other', '', `"${'x'.repeat(2_000)}"`];
  for (const method of ['PUT', 'DELETE'])
    for (const ifMatch of refused) {
      const { status, body } = await ask(method, { ifMatch, ...(method === 'PUT' ? { rules: ['Be lost'] } : {}) });
      assert.deepEqual([status, body.code], [412, 'precondition_failed'], `${method} ${ifMatch.slice(0, 30)}`);
    }
  assert.deepEqual((await ask('GET')).body.rules, ['Be fast']);
  assert.equal((await ask('PUT', { rules: ['Be one'], ifMatch: `"other", ${current}` })).status, 200);
  assert.equal((await ask('PUT', { rules: ['Be any'], ifMatch: '*' })).status, 200);
  assert.equal((await ask('PUT', { rules: ['Be last'] })).status, 200, 'without the header the last writer wins');
  assert.equal((await ask('PUT', { rules: ['Be gone'], ifMatch: '*', id: 'pol_none' })).status, 404);
  const { etag } = await ask('GET');
  assert.equal((await ask('DELETE', { ifMatch: etag! })).status, 204);
  assert.deepEqual((await api.policies.list()).policies, []);
});

test('of many that change the same reading at once, one does', async () => {
  const { policy, ask } = await policyOf();
  const all = await Promise.all(Array.from({ length: 8 }, (_, n) => ask('PUT', { rules: [`Be ${n}`], ifMatch: policy.etag })));
  assert.deepEqual(
    all.map(({ status }) => status).toSorted((a, b) => a - b),
    [200, ...Array<number>(7).fill(412)],
  );
});

test('the contract declares the refusal wherever If-Match is taken, and the tag is there to be read', () => {
  const routes = Object.values(contract as Contract).flatMap((group) => Object.values(group));
  const matching = routes.filter(({ if_match }) => if_match);
  assert.ok(matching.length >= 2);
  for (const { path, errors = [] } of matching) {
    assert.ok(errors.includes('precondition_failed'), path);
    assert.ok(
      routes.some((route) => route.method === 'GET' && route.path === path && route.etag),
      path,
    );
  }
});
