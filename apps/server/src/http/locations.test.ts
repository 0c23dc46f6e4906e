import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Contract, contract } from '@paddock/contract';
import { zip } from '../../test/archives.ts';
import { markFound } from '../../test/erasures.ts';
import { startApi } from '../../test/server.ts';

const created = Object.entries(contract as Contract).flatMap(([feature, group]) =>
  Object.entries(group)
    .filter(([, { status }]) => status === 201)
    .map(([name, route]) => ({ name: `${feature}.${name}`, route })),
);

test('each POST that the audit trail notes as a creation answers 201', () => {
  const posts = Object.values(contract as Contract).flatMap((group) => Object.values(group).filter(({ method }) => method === 'POST'));
  const creating = posts.filter(({ audit }) => audit && audit.endsWith('.create'));
  assert.ok(creating.length >= 9);
  assert.deepEqual(
    creating.filter(({ status }) => status !== 201).map(({ path }) => path),
    [],
  );
});

test('each call that creates something names in the contract where it is found, and that address answers GET', () => {
  const readable = new Set<string>(
    Object.values(contract as Contract)
      .flatMap((group) => Object.values(group))
      .filter(({ method }) => method === 'GET')
      .map(({ path }) => path.replace(/:\w+/g, ':')),
  );
  assert.ok(created.length >= 12);
  for (const { name, route } of created) assert.ok(readable.has(route.location?.replace(/:\w+|\{[\w.]+\}/g, ':') ?? ''), name);
});

test('the Location of what was created leads to it', async (t) => {
  const { origin, person, sql } = await startApi(t);
  const { token } = await person();
  const found = new Map<string, string>();
  const asked = async (
    name: string,
    path: string,
    { body, headers = {} }: { body?: object | FormData; headers?: Record<string, string> } = {},
  ) => {
    const isForm = body instanceof FormData;
    const answer = await fetch(`${origin}/api/v1${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, ...(body && !isForm ? { 'content-type': 'application/json' } : {}), ...headers },
      ...(body ? { body: isForm ? body : JSON.stringify(body) } : {}),
    });
    const made = (await answer.json()) as Record<string, unknown> & { id: string };
    assert.equal(answer.status, 201, `${name}: ${JSON.stringify(made)}`);
    const location = answer.headers.get('location') ?? '';
    const there = await fetch(new URL(location, answer.url), { headers: { authorization: `Bearer ${token}` } });
    assert.equal(there.status, 200, `${name} ${location}`);
    found.set(name, location);
    return { made, there: await there.text() };
  };
  const once = async (name: string, path: string, body?: object) => {
    const { made, there } = await asked(name, path, body && { body });
    assert.equal((JSON.parse(there) as { id: string }).id, made.id, name);
    return made;
  };
  await asked('accounts.signup', '/auth/signup', { body: { email: 'eve@example.com', password: 'correct horse battery', name: 'Eve' } });
  const project = await once('projects.create', '/projects', { name: 'mine' });
  await asked('projects.create', '/projects', { body: { name: 'again' }, headers: { 'idempotency-key': 'one' } });
  const first = found.get('projects.create');
  await asked('projects.create', '/projects', { body: { name: 'again' }, headers: { 'idempotency-key': 'one' } });
  assert.equal(found.get('projects.create'), first, 'a repeated request is told the same');
  const form = new FormData();
  form.set('project_id', project.id);
  form.set('code', zip({ 'server.js': '1' }), 'a.zip');
  const { made: deployment } = await asked('deployments.create', '/deployments', { body: form });
  await once('deployments.sample', '/deployments/sample', { project_id: project.id });
  await sql`update deployments set status = 'stopped' where id = ${deployment.id}`;
  await once('deployments.redeploy', `/deployments/${deployment.id}/redeploy`);
  await once('deployments.rollback', `/deployments/${deployment.id}/rollback`);
  await asked('logs.ticket', `/deployments/${deployment.id}/logs/ticket`);
  const { made: key, there: shownKey } = await asked('apiKeys.create', '/api-keys', { body: { name: 'ci' } });
  assert.deepEqual(JSON.parse(shownKey), key.key_info);
  const { id } = key.key_info as { id: string };
  await asked('apiKeys.rotate', `/api-keys/${id}/rotate`);
  await once('dataSubjects.create', '/governance/data-subject-requests', { kind: 'find', identifiers: ['ada@example.com'] });
  const { made: preview } = await asked('dataSubjects.create', '/governance/data-subject-requests', {
    body: { kind: 'find', identifiers: ['grace@example.com'] },
  });
  await markFound(sql);
  await once('dataSubjects.erase', `/governance/data-subject-requests/${preview.id}/erase`, {
    identifiers: ['grace@example.com'],
    password: 'correct horse battery',
  });
  await once('accessReviews.start', '/governance/access-reviews');
  const hook = { name: 'ops', type: 'webhook', url: 'https://93.184.216.34/hook' };
  const { made: created_channel, there: shownChannel } = await asked('channels.create', '/channels', { body: hook });
  assert.deepEqual(JSON.parse(shownChannel), created_channel.channel);
  await once('compliance.check', '/governance/compliance/gdpr/check');
  const expires_at = new Date(Date.now() + 86_400_000).toISOString();
  const accepted = { owner: 'Ada', reason: 'Until tomorrow', expires_at };
  await once('compliance.createWaiver', '/governance/controls/KEY-02/waivers', accepted);
  await once('policies.create', '/governance/policies', { name: 'strict', rules: ['Be kind'] });
  await asked('billing.subscribe', '/billing/subscription', { body: { plan: 'pro', payment_method_id: 'pm_card_visa' } });
  const url = 'postgres://user:password@db.invalid/app';
  await once('databases.create', '/databases', { project_id: project.id, type: 'postgresql', url });
  const [database] = await sql<[{ id: string }]>`
    update databases set mode = 'managed', status = 'available', node = 'some', machine = 'some' returning id`;
  await once('databases.createBackup', `/databases/${database.id}/backups`);
  const untried = created.map(({ name }) => name).filter((name) => !found.has(name));
  // The call needs a provider; its template is checked against the contract like the others above.
  assert.deepEqual(untried, ['oauth.linkCallback']);
});
