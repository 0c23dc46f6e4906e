import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { zip } from '../../../test/archives.ts';
import { auditedPerson } from '../../../test/audit.ts';
import { atEnd } from '../../../test/postgres.ts';
import { apiOf, startApi } from '../../../test/server.ts';
import type { OpenApi } from '../../http/docs/openapi.ts';

let world: Awaited<ReturnType<typeof startApi>>;
before(async () => {
  world = await startApi({ after: atEnd }, { plansBind: true });
});

const file = { file: zip({ 'server.js': '1' }), file_name: 'agent.zip' };
const noArchive = { file: new Blob(['no archive']), file_name: 'agent.zip' };
const named = (project_name: string) => ({ project_name, ...file });
const names = async (api: Awaited<ReturnType<typeof world.person>>['api']) =>
  (await api.projects.list({})).projects.map(({ name }) => name);

test('a deployment by name makes its project, and the next one goes to the same', async () => {
  const { api } = await world.person();
  const first = await api.deployments.create(named(' My-First-Agent '));
  assert.equal(first.project_name, 'my-first-agent');
  const project = await api.projects.get({ id: first.project_id });
  assert.deepEqual([project.name, project.description, project.deployment_count], ['my-first-agent', '', 1]);
  const second = await api.deployments.create(named('my-first-agent'));
  const sample = await api.deployments.sample({ project_name: 'my-first-agent', sample: 'job' });
  assert.deepEqual([second.project_id, sample.project_id], [first.project_id, first.project_id]);
  assert.deepEqual(await names(api), ['my-first-agent']);
});

test('a refused first deployment leaves no project behind, whatever refused it', async () => {
  const { api } = await world.person();
  const refusals: [code: string, call: () => Promise<unknown>][] = [
    ['archive_invalid', () => api.deployments.create({ project_name: 'fresh', ...noArchive })],
    ['input_invalid', () => api.deployments.create(named('not a name'))],
    [
      'database_address_refused',
      () => api.deployments.create({ ...named('fresh'), database_mode: 'byo', redis_url: 'redis://169.254.169.254:6379' }),
    ],
    ['sample_not_found', () => api.deployments.sample({ project_name: 'fresh', sample: 'no-such-sample' })],
  ];
  for (const [code, call] of refusals) await assert.rejects(call(), { code }, code);
  await api.policies.create({ name: 'No production', status: 'active', rules: ['Allowed environments: preview'] });
  await assert.rejects(api.deployments.create(named('fresh')), { code: 'policy_refused' });
  assert.deepEqual(await names(api), []);
  assert.equal((await api.deployments.create({ ...named('fresh'), environment: 'preview' })).project_name, 'fresh');
});

test('the name is refused by the rules of projects, for its own field', async () => {
  const { api } = await world.person();
  await assert.rejects(api.deployments.create(named('my--agent')), {
    code: 'input_invalid',
    message: 'Project name cannot have consecutive hyphens',
    errors: [{ path: 'project_name', message: 'Project name cannot have consecutive hyphens' }],
  });
});

test('exactly one of id and name is wanted', async () => {
  const { api } = await world.person();
  const { id } = await api.projects.create({ name: 'known' });
  const message = 'project_id: Give either project_id or project_name.';
  await assert.rejects(api.deployments.create({ project_id: id, ...named('known') }), { code: 'input_invalid', message });
  await assert.rejects(api.deployments.create({ ...file }), { code: 'input_invalid', message });
  await assert.rejects(api.deployments.sample({}), { code: 'input_invalid', message });
  const document = (await (await fetch(`${world.origin}/api/v1/openapi.json`)).json()) as OpenApi;
  for (const name of ['DeploymentsCreateRequest', 'DeploymentsSampleRequest']) {
    const { if: one, else: other, not: both, required } = document.components.schemas[name]!;
    assert.deepEqual(
      [one, other, both],
      [{ required: ['project_id'] }, { required: ['project_name'] }, { required: ['project_id', 'project_name'] }],
      name,
    );
    assert.ok(!required?.includes('project_id'));
  }
});

test('a key without projects:write deploys to a project by its name, and makes none', async () => {
  const { api } = await world.person();
  const { api_key } = await api.apiKeys.create({ name: 'ci', scopes: ['agents:read', 'agents:deploy', 'projects:read'] });
  const ci = apiOf(world.origin, api_key);
  await assert.rejects(ci.deployments.create(named('made-by-key')), { code: 'scope_missing', message: /projects:write/ });
  assert.deepEqual(await names(api), []);
  await api.projects.create({ name: 'made-by-key' });
  assert.equal((await ci.deployments.create(named('made-by-key'))).project_name, 'made-by-key');
  const { api_key: writer } = await api.apiKeys.create({ name: 'writer', scopes: ['agents:deploy', 'projects:write'] });
  await api.projects.delete({ id: (await api.projects.list({})).projects[0]!.id });
  assert.equal((await apiOf(world.origin, writer).deployments.create(named('by-writer'))).project_name, 'by-writer');
});

test('a project beyond the plan is refused with its deployment, and a known one is not', async () => {
  const { api } = await world.person();
  await api.deployments.create(named('the-only-one'));
  await assert.rejects(api.deployments.create(named('one-too-many')), { code: 'plan_limit_reached' });
  await api.deployments.create(named('the-only-one'));
  assert.deepEqual(await names(api), ['the-only-one']);
});

test('a deployment that is refused once its project is made takes the project back', async () => {
  const { api, email } = await world.person();
  // The free plan includes 100 GB a month: this limit is checked last, in the transaction.
  await world.sql`
    insert into metered_days (team_id, project_id, day, kind, amount)
    select m.team_id, 'prj_any', date_trunc('month', now() at time zone 'UTC'), 'bandwidth_bytes', 200e9
    from team_members m
    join users u on u.id = m.user_id
    where u.email = ${email}`;
  await assert.rejects(api.deployments.create(named('refused-late')), { code: 'plan_limit_reached', message: /bandwidth/ });
  await assert.rejects(api.deployments.sample({ project_name: 'refused-late' }), { code: 'plan_limit_reached' });
  assert.deepEqual(await names(api), []);
});

test('many deployments by one new name at once, over two servers, make one project', async () => {
  const { api, token } = await world.person();
  const doors = [api, apiOf((await world.beside()).origin, token)];
  const made = await Promise.all(Array.from({ length: 8 }, (_, n) => doors[n % 2]!.deployments.create(named('at-once'))));
  assert.equal(new Set(made.map(({ project_id }) => project_id)).size, 1);
  assert.deepEqual(await names(api), ['at-once']);
});

test('teams have projects of one name, each with an address of its own', async () => {
  const [ada, eve] = [await world.person(), await world.person()];
  const [hers, theirs] = [await ada.api.deployments.create(named('agent')), await eve.api.deployments.create(named('agent'))];
  assert.notEqual(hers.project_id, theirs.project_id);
  const [one, other] = [await ada.api.projects.get({ id: hers.project_id }), await eve.api.projects.get({ id: theirs.project_id })];
  assert.notEqual(one.url, other.url);
});

test('repeated with its Idempotency-Key it deploys once, also after the project was renamed', async () => {
  const { api } = await world.person();
  const order = () => api.deployments.create(named('once'), { idempotency_key: 'k1' });
  const first = await order();
  await api.projects.update({ id: first.project_id, name: 'renamed' });
  assert.equal((await order()).id, first.id);
  assert.deepEqual(await names(api), ['renamed']);
  // The state after a server died between the commit and storing the response: the call is repeated with the same ids.
  await world.sql`update idempotency_keys set status = null, body = null, created_at = now() - interval '20 minutes' where key = 'k1'`;
  assert.equal((await order()).id, first.id);
  assert.deepEqual(await names(api), ['renamed']);
});

test('the trail has both records: the project that was made, and its deployment', async (t) => {
  const server = await startApi(t);
  const { api, team_id } = await auditedPerson(server);
  const { id, project_id } = await api.deployments.create({ ...named('recorded'), environment: 'preview' });
  await assert.rejects(api.deployments.create({ project_name: 'refused', ...noArchive }));
  const events = await server.sql<{ event: { action: string; targets: { id: string }[]; input_data: unknown } }[]>`
    select event
    from audit_intake
    where event->>'team_id' = ${team_id}
      and event->>'status' = 'success'
      and event->>'action' in ('project.create', 'deployment.create')`;
  const inputOf = (action: string, target: string) =>
    events.filter(({ event }) => event.action === action && event.targets[0]?.id === target).map(({ event }) => event.input_data);
  assert.equal(events.length, 2);
  assert.deepEqual(inputOf('project.create', project_id), [{ name: 'recorded' }]);
  assert.deepEqual(inputOf('deployment.create', id), [{ environment: 'preview', database_mode: 'none' }]);
});
