import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { startApi } from '../../../test/server.ts';
import { sealWith } from '../../secrets/seal.ts';
import { variableStore } from './store.ts';

test('a sealed value that is moved to another variable, environment or project does not open', async (t) => {
  const { sql, person } = await startApi(t);
  const { api } = await person();
  const [mine, other] = [await api.projects.create({ name: 'mine' }), await api.projects.create({ name: 'other' })];
  const [{ team_id }] = await sql<[{ team_id: string }]>`select team_id from projects limit 1`;
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
