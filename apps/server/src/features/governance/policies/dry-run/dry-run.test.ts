import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type PolicyWorld, policyWorld } from '../../../../../test/policies.ts';
import { atEnd } from '../../../../../test/postgres.ts';
import { startApi } from '../../../../../test/server.ts';

let world: Awaited<ReturnType<typeof startApi>>;
before(async () => {
  world = await startApi({ after: atEnd });
});

/** Makes the calls one after the other; returns how many of them a policy refused. */
async function refusalsOf(calls: (() => Promise<unknown>)[]): Promise<number> {
  let refused = 0;
  for (const call of calls)
    await call().catch((error: { code: string }) => {
      if (error.code !== 'policy_refused') throw error;
      refused += 1;
    });
  return refused;
}

/** The dry run's count after the calls were made without a policy; and how many are refused when they are made again under it. */
async function bothWays(w: PolicyWorld, rules: string[], calls: (() => Promise<unknown>)[]) {
  assert.equal(await refusalsOf(calls), 0);
  await w.record();
  const tried = await w.api.policies.dryRun({ rules });
  await w.policy(rules);
  return { tried, refused: await refusalsOf(calls) };
}

test('of environments the dry run tells what is refused when the same calls are made again', async () => {
  const w = await policyWorld(world);
  const preview = () => w.deploy({ environment: 'preview' });
  const calls = [preview, preview, () => w.deploy(), preview, () => w.deploy({ database_mode: 'managed' })];
  const { tried, refused } = await bothWays(w, ['Allowed environments: production'], calls);
  assert.deepEqual([tried.days, tried.refused, refused], [30, 3, 3]);
  assert.equal(tried.rules[0]!.looked_at, '5 deployments in the last 30 days');
  assert.equal(tried.rules[0]!.examples.length, 3);
  assert.match(tried.rules[0]!.examples[0]!.what, /^deployment\.create of agent\.zip to preview/);
  const { audit_id } = tried.rules[0]!.examples[0]!;
  assert.equal((await w.api.governance.auditLog({ id: audit_id! })).action, 'deployment.create');
});

test('of database modes the dry run tells what is refused when the same calls are made again', async () => {
  const w = await policyWorld(world);
  const managed = () => w.deploy({ database_mode: 'managed' });
  const { tried, refused } = await bothWays(w, ['Allowed database modes: none'], [managed, () => w.deploy(), managed]);
  assert.deepEqual([tried.refused, refused], [2, 2]);
});

test('of the age of keys the dry run tells what is refused when the same calls are made again', async () => {
  const w = await policyWorld(world);
  const old = await w.api.apiKeys.create({ name: 'old', scopes: ['projects:write', 'agents:write'], expires_in_days: 30 });
  await world.sql`
    update api_keys
    set created_at = now() - interval '91 days'
    where id = ${old.key_info.id}`;
  const byOld = w.keyApi(old.api_key);
  const calls = [
    () => w.api.apiKeys.create({ name: 'for ever' }),
    () => w.api.apiKeys.create({ name: 'a year', expires_in_days: 365 }),
    () => w.api.apiKeys.create({ name: 'short', expires_in_days: 7 }),
    () => byOld.projects.create({ name: 'by-the-old-key' }),
  ];
  const { tried, refused } = await bothWays(w, ['API keys expire within 90 days'], calls);
  assert.deepEqual([tried.refused, refused], [3, 3]);
});

test('a call that two rules would have refused counts once, and an advisory rule refuses nothing', async () => {
  const w = await policyWorld(world);
  const rules = ['Allowed environments: production', 'Allowed database modes: none', 'Be kind'];
  const both = () => w.deploy({ environment: 'preview', database_mode: 'managed' });
  const { tried, refused } = await bothWays(w, rules, [both, () => w.deploy()]);
  assert.deepEqual([tried.refused, refused], [1, 1]);
  assert.deepEqual(
    tried.rules.map(({ is_enforced, refused }) => [is_enforced, refused]),
    [
      [true, 1],
      [true, 1],
      [false, 0],
    ],
  );
});

test('of a deleted project the trail still tells what was deployed, and of another team nothing', async () => {
  const [w, other] = [await policyWorld(world), await policyWorld(world)];
  await w.deploy({ environment: 'preview' });
  await other.deploy({ environment: 'preview' });
  await w.record();
  await world.sql`delete from deployments where project_id = ${w.project_id}`;
  assert.equal((await w.api.policies.dryRun({ rules: ['Allowed environments: production'] })).refused, 1);
});

test('a dry run of other rules changes nothing and enforces nothing', async () => {
  const w = await policyWorld(world);
  await w.deploy({ environment: 'preview' });
  await w.record();
  const rules = [
    'Delete logs after 30 days',
    'Retention 1 day',
    'Alert after 3 failed logins',
    'Redact all personal data',
    'Require two-factor authentication',
    'Deployments only by: key CI',
    'Require health path',
    'Budget $5 per day',
  ];
  const { rules: tried } = await w.api.policies.dryRun({ rules });
  const refused = Object.fromEntries(tried.map((one) => [one.rule, one.refused]));
  // The project and the deployment were created by a person without a second factor.
  assert.deepEqual(refused, {
    ...Object.fromEntries(rules.map((rule) => [rule, 0])),
    'Require two-factor authentication': 2,
    'Deployments only by: key CI': 1,
  });
  assert.deepEqual((await w.api.policies.list()).policies, []);
});

test('of hosts the dry run counts the model calls that traces still tell, and names the hosts', async () => {
  const w = await policyWorld(world);
  const { id } = await w.deploy();
  const hosts = ['api.good.example', 'api.good.example', 'api.bad.example'];
  for (const [index, host] of hosts.entries())
    await world.sql`
      insert into spans (
        deployment_id, trace_id, origin, span_id, name, kind, type, started_at, duration_us, status, is_counted, attributes, events, dropped,
        content_dropped, bytes
      )
      values (
        ${id}, ${'a'.repeat(32)}, 'agent', ${`${index}`.repeat(16)}, 'chat', 'client', 'model', now(), 5, 'ok', false,
        ${JSON.stringify({ 'server.address': host })}::text::jsonb, '[]', 0, 0, 10
      )`;
  const tried = await w.api.policies.dryRun({
    rules: ['Allowed hosts: *.good.example', 'Blocked hosts: api.good.example', 'Allowed hosts: none'],
  });
  assert.deepEqual(
    tried.rules.map(({ is_enforced, refused, examples }) => [is_enforced, refused, examples.map(({ what }) => what)]),
    [
      [true, 1, ['1 call of api.bad.example by ruled']],
      [true, 2, ['2 calls of api.good.example by ruled']],
      [true, 3, ['2 calls of api.good.example by ruled', '1 call of api.bad.example by ruled']],
    ],
  );
  assert.match(tried.rules[0]!.looked_at, /^2 hosts at which agents called models, as far as traces are kept/);
});
