import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import type { ApiError } from '@paddock/contract';
import { until } from '../../../test/platform.ts';
import { startApi } from '../../../test/server.ts';
import { teamOf } from '../../../test/team-of.ts';
import { sealWith } from '../../secrets/seal.ts';
import { variableStore } from './store.ts';

test('a sealed value that is moved to another variable, environment or project does not open', async (t) => {
  const { sql, person } = await startApi(t);
  const { api } = await person();
  const [mine, other] = [await api.projects.create({ name: 'mine' }), await api.projects.create({ name: 'other' })];
  const team_id = await teamOf(sql, 'the only project');
  const store = variableStore(sql, sealWith({ current: 'a', keys: { a: randomBytes(32).toString('base64') } }));
  const one = (key: string) => [{ key, value: `CANARY_${key}`, available_at_build: false }];
  await store.set(team_id, { project_id: mine.id, environment: 'production' }, one('SECRET'));
  await store.set(team_id, { project_id: mine.id, environment: 'preview' }, one('SECRET'));
  await store.set(team_id, { project_id: other.id, environment: 'production' }, [...one('SECRET'), ...one('SHOWN')]);
  assert.equal((await store.open(team_id, { project_id: mine.id, environment: 'production' }))[0]?.value, 'CANARY_SECRET');
  const [source] = await sql<
    [{ sealed: Buffer }]
  >`select sealed from variables where project_id = ${mine.id} and environment = 'production'`;
  const places = [
    [mine.id, 'preview', 'SECRET'],
    [other.id, 'production', 'SHOWN'],
    [other.id, 'production', 'SECRET'],
  ] as const;
  for (const [project_id, environment, key] of places) {
    await sql`update variables set sealed = ${source.sealed} where project_id = ${project_id} and environment = ${environment} and key = ${key}`;
    await assert.rejects(store.open(team_id, { project_id, environment }), /unable to authenticate/, `${environment} ${key}`);
  }
});

test('the variables of an environment have a sum that an agent can start with: beyond it nothing is set, and the error says sum and limit', async (t) => {
  const { person } = await startApi(t);
  const { api } = await person();
  const { id: project_id } = await api.projects.create({ name: 'mine' });
  const large = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, n) => ({ key: `LARGE_${String(from + n).padStart(3, '0')}`, value: 'x'.repeat(32 * 1024) }));
  const set = (variables: { key: string; value: string }[], environment: 'production' | 'preview' = 'production') =>
    api.variables.set({ project_id, environment, variables });
  await assert.rejects(set(large(0, 20)), (error: ApiError) => {
    assert.equal(error.code, 'variables_too_large');
    assert.match(error.message, /production would have 655,540 bytes in names and values, and 524,288 bytes/);
    return true;
  });
  assert.deepEqual((await api.variables.list({ project_id })).variables, []);
  await set(large(0, 15));
  await assert.rejects(set(large(15, 16)), { code: 'variables_too_large' });
  await set(large(15, 16), 'preview');
  await set([{ key: 'LARGE_000', value: 'short' }]);
  await set(large(15, 16));
  assert.equal((await api.variables.list({ project_id, environment: 'production' })).variables.length, 16);
  // The limit counts bytes, not characters.
  await assert.rejects(set([{ key: 'LARGE_000', value: 'ü'.repeat(17 * 1024) }]), { code: 'variables_too_large' });
});

test('variables that are set at the same time do not pass the sum together, and small ones are counted', async (t) => {
  const { person, sql } = await startApi(t);
  const { api } = await person();
  const { id: project_id } = await api.projects.create({ name: 'mine' });
  const set = (variables: { key: string; value: string }[]) => api.variables.set({ project_id, environment: 'production', variables });
  // All of them begin before one of them writes.
  const written = Promise.withResolvers<void>();
  const held = sql.begin(async (tx) => {
    await tx`lock table variables in share mode`;
    await written.promise;
  });
  const together = Promise.allSettled(
    Array.from({ length: 3 }, (_, n) => set(Array.from({ length: 6 }, (_, m) => ({ key: `V_${n}_${m}`, value: 'x'.repeat(32_000) })))),
  );
  await until('they wait', async () => (await sql`select 1 from pg_locks where not granted`).length >= 3);
  written.resolve();
  await held;
  assert.equal((await together).filter(({ status }) => status === 'fulfilled').length, 2);
  for (const { key } of (await api.variables.list({ project_id })).variables)
    await api.variables.remove({ project_id, environment: 'production', key });
  for (let n = 0; n < 5; n++) await set(Array.from({ length: 100 }, (_, m) => ({ key: `SMALL_${n}_${m}`, value: '' })));
  await assert.rejects(set([{ key: 'ONE_MORE', value: '' }]), (error: ApiError) => /500 variables/.test(error.message));
});
