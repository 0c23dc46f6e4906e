import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { policyLimits } from '@paddock/contract';
import { policyWorld, refusedBy, setStatus } from '../../../../test/policies.ts';
import { atEnd } from '../../../../test/postgres.ts';
import { startApi } from '../../../../test/server.ts';

let world: Awaited<ReturnType<typeof startApi>>;
before(async () => {
  world = await startApi({ after: atEnd });
});

test('a policy is made as a draft of data retention unless it says otherwise, and comes back with what each rule does', async () => {
  const { api } = await policyWorld(world);
  const made = await api.policies.create({ name: 'Plain', rules: ['Be kind', '', '  Allowed environments: production  '] });
  assert.deepEqual([made.status, made.type, made.description], ['draft', 'data_retention', '']);
  assert.deepEqual(made.rules, ['Be kind', 'Allowed environments: production']);
  assert.deepEqual(
    made.understood.map(({ rule, is_enforced }) => [rule, is_enforced]),
    [
      ['Be kind', false],
      ['Allowed environments: production', true],
    ],
  );
  assert.equal(made.understood[1]!.effect, 'Refuses deployments outside production.');
  assert.deepEqual((await api.policies.list()).policies, [made]);
});

test('a policy is replaced and deleted by its own team alone, and rules are needed', async () => {
  const [ada, eve] = [await policyWorld(world), await policyWorld(world)];
  const { id } = await ada.policy(['Be kind'], 'draft');
  const given = { name: 'New', description: 'why', type: 'security', status: 'archived', rules: ['Be fast'] } as const;
  await assert.rejects(eve.api.policies.update({ id, ...given, rules: ['x'] }), { code: 'policy_not_found' });
  await assert.rejects(eve.api.policies.delete({ id }), { code: 'policy_not_found' });
  const changed = await ada.api.policies.update({ id, ...given, rules: [...given.rules] });
  assert.deepEqual({ ...changed, ...given }, changed);
  assert.ok(changed.updated_at >= changed.created_at);
  await assert.rejects(ada.api.policies.create({ name: 'Empty', rules: [' ', ''] }), {
    code: 'input_invalid',
    message: /Write at least one rule/,
  });
  await ada.api.policies.delete({ id });
  await assert.rejects(ada.api.policies.delete({ id }), { code: 'policy_not_found' });
  assert.deepEqual((await ada.api.policies.list()).policies, []);
});

test('a team has so many policies at most', async () => {
  const { api, team_id } = await policyWorld(world);
  await world.sql`
    insert into policies (id, team_id, name, description, type, status, rules)
    select 'pol_' || ${team_id} || n, ${team_id}, 'many', '', 'security', 'draft', '{Be kind}'
    from generate_series(1, ${policyLimits.perTeam}) n`;
  await assert.rejects(api.policies.create({ name: 'one more', rules: ['Be kind'] }), { code: 'policy_limit_reached' });
});

test('the active policies of a team name so many hosts together, and a draft may name more', async () => {
  const w = await policyWorld(world);
  const lines = (from: number, count: number) =>
    Array.from(
      { length: count / 25 },
      (_, line) => `Blocked hosts: ${Array.from({ length: 25 }, (__, n) => `h${from + line * 25 + n}.de`).join(', ')}`,
    );
  const each = 1_250;
  for (let from = 0; from < policyLimits.activeHosts; from += each) await w.policy(lines(from, each));
  const tooMany = { code: 'policy_hosts_too_many', status: 409, message: /at most 5,000 hosts/ };
  await assert.rejects(w.policy(['Allowed hosts: a.com']), tooMany);
  const draft = await w.policy(['Allowed hosts: a.com'], 'draft');
  await assert.rejects(setStatus(w.api, draft, 'active'), tooMany);
  await w.policy(['Allowed environments: production']);
  const other = await policyWorld(world);
  await other.policy(['Allowed hosts: a.com']);

  const [{ id }] = await world.sql<[{ id: string }]>`
    update policies
    set hosts = hosts + 100
    where id = (select id from policies where team_id = ${w.team_id} and hosts > 1 limit 1)
    returning id`;
  const over = (await w.api.policies.list()).policies.find((policy) => policy.id === id)!;
  const change = (rules: string[]) => w.api.policies.update({ id, name: 'x', description: '', type: 'security', status: 'active', rules });
  await change(over.rules.slice(1));
  await setStatus(w.api, draft, 'active');
  await assert.rejects(change([...over.rules]), tooMany);
});

test('deployments to other environments are refused while a policy says so, and not by a draft, an archived or a deleted one', async () => {
  const w = await policyWorld(world);
  const rule = 'Allowed environments: production';
  const draft = await w.policy([rule], 'draft');
  await w.deploy({ environment: 'preview' });
  const policy = await w.policy([rule], 'active', 'Production only');
  await assert.rejects(w.deploy({ environment: 'preview' }), {
    code: 'policy_refused',
    status: 403,
    message: 'The policy "Production only" does not allow this: Allowed environments: production.',
  });
  await assert.rejects(
    w.api.deployments.sample({ project_id: w.project_id, environment: 'preview', sample: 'chat' }),
    refusedBy(rule, 'Production only'),
  );
  await w.deploy({ environment: 'production' });
  await w.archive(policy);
  await w.deploy({ environment: 'preview' });
  await w.api.policies.delete({ id: draft.id });
});

test('deploying again and rolling back are refused as the first deployment would be', async () => {
  const w = await policyWorld(world);
  const { id } = await w.deploy({ environment: 'preview' });
  await world.sql`update deployments set status = 'stopped' where id = ${id}`;
  const policy = await w.policy(['Allowed environments: production']);
  await assert.rejects(w.api.deployments.redeploy({ id }), refusedBy('Allowed environments: production'));
  await assert.rejects(w.api.deployments.rollback({ id }), refusedBy('Allowed environments: production'));
  await w.archive(policy);
  await w.api.deployments.redeploy({ id });
});

test('database modes that are not allowed are refused, and of several policies each must agree', async () => {
  const w = await policyWorld(world);
  await w.policy(['Allowed database modes: managed, none'], 'active', 'Wide');
  const narrow = await w.policy(['Allowed database modes: none'], 'active', 'Narrow');
  await assert.rejects(w.deploy({ database_mode: 'managed' }), refusedBy('Allowed database modes: none', 'Narrow'));
  await w.deploy();
  await w.archive(narrow);
  await w.deploy({ database_mode: 'managed' });
});

test('a refusal is recorded with policy and rule, and the policy itself with its name', async () => {
  const w = await policyWorld(world);
  const policy = await w.policy(['Allowed environments: production']);
  await assert.rejects(w.deploy({ environment: 'preview' }), refusedBy('Allowed environments: production'));
  await w.record();
  const { logs } = await w.api.governance.auditLogs({ limit: 10 });
  const refusal = logs.find(({ action, status }) => action === 'deployment.create' && status === 'error');
  assert.deepEqual(refusal?.output_data, {
    status: 403,
    code: 'policy_refused',
    policy_id: policy.id,
    policy: 'Strict',
    rule: 'Allowed environments: production',
  });
  const created = logs.find(({ action }) => action === 'policy.create');
  assert.deepEqual(created?.targets, [{ type: 'policy', id: policy.id, name: 'Strict' }]);
});

test('a policy of one team says nothing of another team', async () => {
  const [ada, eve] = [await policyWorld(world), await policyWorld(world)];
  await ada.policy(['Allowed environments: production', 'API keys expire within 1 day', 'Require two-factor authentication']);
  await eve.deploy({ environment: 'preview' });
  await eve.api.apiKeys.create({ name: 'for ever' });
});

test('another server heeds a policy at once', async () => {
  const w = await policyWorld(world);
  const other = await world.beside();
  const there = (await import('../../../../test/server.ts')).apiOf(other.origin, w.token);
  await w.deploy({ environment: 'preview' }, there);
  const policy = await w.policy(['Allowed environments: production']);
  const answers = async () =>
    w.deploy({ environment: 'preview' }, there).then(
      () => 'made',
      (error: { code: string }) => error.code,
    );
  await world.sql`select pg_sleep(0.2)`;
  assert.equal(await answers(), 'policy_refused');
  await w.archive(policy);
  await world.sql`select pg_sleep(0.2)`;
  assert.equal(await answers(), 'made');
});
