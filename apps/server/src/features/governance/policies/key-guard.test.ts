import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { policyWorld, refusedBy } from '../../../../test/policies.ts';
import { atEnd } from '../../../../test/postgres.ts';
import { startApi } from '../../../../test/server.ts';

const rule = 'API keys expire within 90 days';

let world: Awaited<ReturnType<typeof startApi>>;
before(async () => {
  world = await startApi({ after: atEnd });
});

const age = (id: string, days: number) => world.sql`
  update api_keys
  set created_at = now() - make_interval(days => ${days}::int)
  where id = ${id}`;

test('a key that lives too long or for ever is not made, also not in the place of another', async () => {
  const w = await policyWorld(world);
  const { key_info } = await w.api.apiKeys.create({ name: 'before' });
  const policy = await w.policy([rule]);
  await assert.rejects(w.api.apiKeys.create({ name: 'for ever' }), refusedBy(rule));
  await assert.rejects(w.api.apiKeys.create({ name: 'a year', expires_in_days: 365 }), refusedBy(rule));
  await assert.rejects(w.api.apiKeys.rotate({ id: key_info.id }), refusedBy(rule));
  const made = await w.api.apiKeys.create({ name: 'short', expires_in_days: 90 });
  await w.api.apiKeys.rotate({ id: made.key_info.id });
  await w.archive(policy);
  await w.api.apiKeys.create({ name: 'for ever' });
});

test('a key that is older than the rule allows is refused, and works again once the policy is a draft', async () => {
  const w = await policyWorld(world);
  const { api_key, key_info } = await w.api.apiKeys.create({ name: 'CI', scopes: ['projects:read'] });
  const policy = await w.policy([rule]);
  await w.keyApi(api_key).projects.list();
  await age(key_info.id, 91);
  await assert.rejects(w.keyApi(api_key).projects.list(), refusedBy(rule));
  await w.record();
  const { logs } = await w.api.governance.auditLogs({ limit: 5 });
  const refusal = logs.find(({ status }) => status === 'error');
  assert.deepEqual([refusal?.actor.id, refusal?.action], [key_info.id, 'GET /projects']);
  assert.partialDeepStrictEqual(refusal?.output_data, { code: 'policy_refused', rule });
  await w.api.policies.update({ id: policy.id, name: 'Strict', status: 'draft', rules: [rule] });
  await w.keyApi(api_key).projects.list();
});

test('of several limits the shortest counts', async () => {
  const w = await policyWorld(world);
  await w.policy(['API keys expire within 90 days'], 'active', 'Wide');
  await w.policy(['Rotate API keys every 30 days'], 'active', 'Narrow');
  await assert.rejects(w.api.apiKeys.create({ name: 'x', expires_in_days: 60 }), refusedBy('Rotate API keys every 30 days', 'Narrow'));
  await w.api.apiKeys.create({ name: 'x', expires_in_days: 30 });
});
