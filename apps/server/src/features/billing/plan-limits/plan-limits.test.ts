import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { PlanId } from '@paddock/contract/plans';
import { zip } from '../../../../test/archives.ts';
import { atEnd } from '../../../../test/postgres.ts';
import { type Api, apiOf, startApi } from '../../../../test/server.ts';

type World = Awaited<ReturnType<typeof startApi>>;
let world: World;
let shown: World;
before(async () => {
  world = await startApi({ after: atEnd }, { plansBind: true });
  shown = await startApi({ after: atEnd });
});

const file = { file: zip({ 'server.js': '1' }), file_name: 'agent.zip' };
const gb = 1_000_000_000;

async function someone(at: World = world) {
  const { api, token, email } = await at.person();
  const [{ team_id }] = await at.sql<[{ team_id: string }]>`
    select m.team_id
    from team_members m
    join users u on u.id = m.user_id
    where u.email = ${email}`;
  return {
    api,
    token,
    /** Writes the billing account's state; null: fallen back to the free plan. */
    plan: (plan: PlanId | null) => at.sql`
      insert into billing_accounts (team_id, status, plan, account)
      values (${team_id}, 'active', ${plan}, '{}')
      on conflict (team_id) do update set plan = excluded.plan`,
    carried: (bytes: number, months = 0) => at.sql`
      insert into metered_days (team_id, project_id, day, kind, amount)
      values (${team_id}, 'prj_any', date_trunc('month', now() at time zone 'UTC') - ${months} * interval '1 month', 'bandwidth_bytes', ${bytes})
      on conflict (team_id, project_id, day, kind) do update set amount = excluded.amount`,
    stored: (bytes: number) => at.sql`
      update databases
      set size_bytes = ${bytes}
      where team_id = ${team_id}
        and type = 'postgresql'`,
    projects: async () => (await api.projects.list({})).projects.length,
  };
}

const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'made',
    (error: { code?: string }) => error.code ?? String(error),
  );
const deploy = (api: Api, project_id: string, of: { database_mode?: 'none' | 'managed'; environment?: 'production' | 'preview' } = {}) =>
  api.deployments.create({ project_id, ...file, ...of });

test('50 projects that are made at once over two servers are as many as the plan allows, and the refusal names the plan that allows more', async () => {
  const other = await world.beside();
  for (const { plan, allowed, before } of [
    { plan: null, allowed: 1, before: 0 },
    { plan: 'pro', allowed: 5, before: 4 },
  ] as const) {
    const ada = await someone();
    await ada.plan(plan);
    const doors = [ada.api, apiOf(other.origin, ada.token)];
    for (let n = 0; n < before; n++) await ada.api.projects.create({ name: `before-${n}` });
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) => codeOf(doors[n % 2]!.projects.create({ name: `at-once-${n}` }))),
    );
    assert.deepEqual(
      [answers.filter((each) => each === 'made').length, answers.filter((each) => each === 'plan_limit_reached').length],
      [allowed - before, 50 - allowed + before],
    );
    assert.equal(await ada.projects(), allowed);
  }
  const bob = await someone();
  await bob.api.projects.create({ name: 'one' });
  await assert.rejects(bob.api.projects.create({ name: 'two' }), {
    status: 402,
    message:
      'Your Free plan allows 1 project, and your team has 1. Pro allows 5 projects: switch in Billing (/billing), or delete a project.',
  });
});

test('a request that is repeated finds the project that it made, and room that was made counts at once', async () => {
  const ada = await someone();
  const again = () => ada.api.projects.create({ name: 'one' }, { idempotency_key: 'the-one' });
  const { id } = await again();
  assert.equal((await again()).id, id);
  assert.equal(await codeOf(ada.api.projects.create({ name: 'two' }, { idempotency_key: 'the-two' })), 'plan_limit_reached');
  await ada.api.projects.delete({ id });
  assert.equal(await codeOf(ada.api.projects.create({ name: 'two' }, { idempotency_key: 'the-two' })), 'made', 'with the same key');
});

test('after the fall to a smaller plan all that is there goes on, and nothing new is made until there is room', async () => {
  const ada = await someone();
  await ada.plan('enterprise');
  const made = [];
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) made.push(await ada.api.projects.create({ name }));
  await ada.plan(null);
  await assert.rejects(ada.api.projects.create({ name: 'g' }), /allows 1 project, and your team has 6\. Enterprise has no such limit/);
  const [first] = made;
  const { id } = await deploy(ada.api, first!.id);
  await ada.api.projects.update({ id: first!.id, description: 'still mine' });
  await ada.api.deployments.cancel({ id });
  assert.equal(await ada.projects(), 6);
  const { projects } = await ada.api.planLimits.get({});
  assert.deepEqual(projects, { used: 6, limit: 1, reached: true, raised_by: 'enterprise' });
  await ada.plan('pro');
  assert.equal(await codeOf(ada.api.projects.create({ name: 'g' })), 'plan_limit_reached');
  for (const { id: gone } of made.slice(0, 2)) await ada.api.projects.delete({ id: gone });
  assert.equal(await codeOf(ada.api.projects.create({ name: 'g' })), 'made');
});

test('with the bandwidth of the month used up nothing is deployed but what ran before, and the next month begins anew', async () => {
  const ada = await someone();
  const { id: project_id } = await ada.api.projects.create({ name: 'busy' });
  const first = await deploy(ada.api, project_id);
  await ada.carried(500 * gb, 1);
  await ada.carried(10 * gb - 1);
  const second = await deploy(ada.api, project_id);
  await ada.carried(10 * gb);
  const refused = {
    code: 'plan_limit_reached',
    message:
      'Your Free plan allows 10 GB of bandwidth per month, and your team has used 10 GB. Running agents continue; new deployments must wait until next month. Starter allows 100 GB of bandwidth per month: switch in Billing (/billing).',
  };
  await assert.rejects(deploy(ada.api, project_id), refused);
  await assert.rejects(ada.api.deployments.redeploy({ id: first.id }), refused);
  await assert.rejects(ada.api.deployments.sample({ project_id, sample: 'chat' }), refused);
  const back = await ada.api.deployments.rollback({ id: first.id });
  for (const { id } of [first, second, back]) await ada.api.deployments.cancel({ id }).catch(() => 'over');
  assert.equal((await ada.api.deployments.list({ project_id })).deployments.length, 3);
  await ada.plan('starter');
  assert.equal((await deploy(ada.api, project_id)).status, 'queued');
  assert.deepEqual((await ada.api.planLimits.get({})).bandwidth_gb, { used: 10, limit: 100, reached: false, raised_by: 'pro' });
});

test('with the storage used up no further database is made, and whoever has one goes on deploying', async () => {
  const ada = await someone();
  const { id: project_id } = await ada.api.projects.create({ name: 'full' });
  const managed = { database_mode: 'managed' } as const;
  const { id } = await deploy(ada.api, project_id, managed);
  await ada.stored(gb);
  await assert.rejects(deploy(ada.api, project_id, { ...managed, environment: 'preview' }), {
    code: 'plan_limit_reached',
    message:
      'Your Free plan allows 1 GB of database storage, and your team uses 1 GB. Starter allows 5 GB of database storage: switch in Billing (/billing), or remove data.',
  });
  const { databases } = await ada.api.databases.list({});
  assert.deepEqual(
    [...new Set(databases.map(({ environment }) => environment))],
    ['production'],
    'of a refused deployment nothing is left',
  );
  assert.equal(await codeOf(ada.api.deployments.redeploy({ id })), 'made');
  assert.equal(await codeOf(deploy(ada.api, project_id, { environment: 'preview' })), 'made', 'without databases');
  await ada.stored(gb - 1);
  assert.equal(await codeOf(deploy(ada.api, project_id, { ...managed, environment: 'preview' })), 'made');
});

test('where plans do not bind, limits are shown and refuse nothing; another team’s usage does not count', async () => {
  const ada = await someone(shown);
  const { id: project_id } = await ada.api.projects.create({ name: 'one' });
  await ada.api.projects.create({ name: 'two' });
  await ada.carried(1234.5678 * gb);
  await deploy(ada.api, project_id, { database_mode: 'managed' });
  assert.deepEqual(await ada.api.planLimits.get({}), {
    plan: 'free',
    binding: false,
    projects: { used: 2, limit: 1, reached: true, raised_by: 'pro' },
    bandwidth_gb: { used: 1234.5678, limit: 10, reached: true, raised_by: 'enterprise' },
    storage_gb: { used: 0, limit: 1, reached: false, raised_by: 'starter' },
  });
  const bob = await someone(shown);
  const { projects, bandwidth_gb } = await bob.api.planLimits.get({});
  assert.deepEqual([projects.used, bandwidth_gb.used], [0, 0]);
  await bob.plan('enterprise');
  const { plan, storage_gb } = await bob.api.planLimits.get({});
  assert.deepEqual([plan, storage_gb], ['enterprise', { used: 0, limit: null, reached: false, raised_by: null }]);
});
