import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApi } from '../../../test/server.ts';

test('a project is created under its trimmed lower-case name, listed newest first, renamed and deleted', async (t) => {
  const { person } = await startApi(t);
  const { api } = await person();
  const first = await api.projects.create({ name: '  My-Agent ' });
  assert.equal(first.name, 'my-agent');
  assert.equal(first.url, 'http://my-agent.localhost:4001');
  const second = await api.projects.create({ name: 'other', description: 'Second' });
  assert.deepEqual(
    (await api.projects.list()).projects.map((one) => one.id),
    [second.id, first.id],
  );

  const renamed = await api.projects.update({ id: first.id, name: 'better-name' });
  assert.equal(renamed.name, 'better-name');
  assert.equal(renamed.url, first.url, 'the address stays');

  await api.projects.delete({ id: first.id });
  await assert.rejects(api.projects.get({ id: first.id }), { code: 'project_not_found' });
  assert.deepEqual(
    (await api.projects.list()).projects.map((one) => one.id),
    [second.id],
  );
});

test('each wrong name gets its own message', async (t) => {
  const { person } = await startApi(t);
  const { api } = await person();
  const message = (name: string) =>
    api.projects.create({ name }).then(
      () => 'created',
      (error: Error) => error.message,
    );
  assert.equal(await message('   '), 'Project name cannot be empty');
  assert.equal(
    await message('my agent'),
    'Project name can only contain lowercase letters, numbers, and hyphens (no spaces or special characters)',
  );
  assert.equal(await message('-agent'), 'Project name cannot start or end with a hyphen');
  assert.equal(await message('my--agent'), 'Project name cannot have consecutive hyphens');
  for (const name of ['..', '%2e%2e%2f', 'a/b', "'; drop table projects; --", 'ünï', 'a'.repeat(60)])
    assert.notEqual(await message(name), 'created');
});

test('two teams may use one name, and each has an address of its own', async (t) => {
  const { person } = await startApi(t);
  const [ada, eve] = [await person(), await person()];
  const hers = await ada.api.projects.create({ name: 'agent' });
  const theirs = await eve.api.projects.create({ name: 'agent' });
  assert.notEqual(hers.url, theirs.url);
  await assert.rejects(ada.api.projects.create({ name: 'agent' }), { code: 'project_name_taken' });
});

test('a list is paged by cursor without gaps', async (t) => {
  const { person } = await startApi(t);
  const { api } = await person();
  for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) await api.projects.create({ name });
  const names: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await api.projects.list({ limit: 2, ...(cursor ? { cursor } : {}) });
    names.push(...page.projects.map((one) => one.name));
    cursor = page.next_cursor ?? undefined;
  } while (cursor);
  assert.deepEqual(names, ['a5', 'a4', 'a3', 'a2', 'a1']);
  await assert.rejects(api.projects.list({ cursor: 'nonsense' }), { code: 'cursor_invalid' });
});

test('a POST repeated with its Idempotency-Key creates once and gives the first answer', async (t) => {
  const { person } = await startApi(t);
  const { api } = await person();
  const made = await Promise.allSettled(Array.from({ length: 5 }, () => api.projects.create({ name: 'once' }, { idempotency_key: 'k1' })));
  const again = await api.projects.create({ name: 'once' }, { idempotency_key: 'k1' });
  for (const one of made) if (one.status === 'fulfilled') assert.equal(one.value.id, again.id);
  assert.equal((await api.projects.list()).projects.length, 1);
  await assert.rejects(api.projects.create({ name: 'other' }, { idempotency_key: 'k1' }), { code: 'idempotency_key_reused' });
});

test('values of variables are sealed at rest and never given back', async (t) => {
  const { person, sql } = await startApi(t);
  const { api } = await person();
  const { id } = await api.projects.create({ name: 'secretive' });
  const { variables } = await api.variables.set({
    project_id: id,
    environment: 'production',
    variables: [{ key: 'API_TOKEN', value: 'CANARY_value' }],
  });
  assert.deepEqual(
    variables.map((one) => one.key),
    ['API_TOKEN'],
  );
  assert.ok(!JSON.stringify(variables).includes('CANARY'));
  const [row] = await sql<{ sealed: Buffer }[]>`select sealed from variables`;
  assert.ok(!row!.sealed.toString('latin1').includes('CANARY'));
  await assert.rejects(api.variables.set({ project_id: id, environment: 'production', variables: [{ key: 'PORT', value: '1' }] }), {
    message: 'PORT is set by Paddock and cannot be overridden',
  });
  const own = [{ key: 'DATABASE_URL', value: 'sqlite:///desk.db' }];
  assert.equal((await api.variables.set({ project_id: id, environment: 'production', variables: own })).variables.length, 2);
  await api.variables.remove({ project_id: id, environment: 'production', key: 'API_TOKEN' });
  await assert.rejects(api.variables.remove({ project_id: id, environment: 'production', key: 'API_TOKEN' }), {
    code: 'variable_not_found',
  });
});
