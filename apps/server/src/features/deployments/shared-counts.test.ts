import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deploymentIn } from '../../../test/rows.ts';
import { startApi } from '../../../test/server.ts';
import { sharedCounts } from './shared-counts.ts';
import { deploymentStore } from './store.ts';

test('the totals of a list are right after each change, whoever makes it', async (t) => {
  const { sql, team_id, project_id, deployment_id } = await deploymentIn(await startApi(t));
  const store = deploymentStore(sql, { mayQueue: async () => undefined, keepSettings: async () => undefined });
  const totals = async (filter: { status?: 'active' | 'failed'; environment?: 'preview' } = {}) => {
    const { total, active } = await store.list(team_id, { limit: 1, ...filter });
    return [total, active];
  };
  assert.deepEqual(await totals(), [1, 1]);
  assert.deepEqual(await totals({ environment: 'preview' }), [0, 0]);
  await sql`
    insert into deployments (id, team_id, project_id, environment, status, source_blob, source_name, source_bytes, created_by)
    select 'dep_more' || n, ${team_id}, ${project_id}, 'preview', 'active', 'b', 'n', 1, 'u'
    from generate_series(1, 5) n`;
  assert.deepEqual(await totals(), [6, 6]);
  assert.deepEqual(await totals({ environment: 'preview' }), [5, 5]);
  await sql`update deployments set status = 'failed' where id = ${deployment_id}`;
  assert.deepEqual(await totals(), [6, 5]);
  assert.deepEqual(await totals({ status: 'failed' }), [1, 0]);
  await sql`delete from deployments where id = 'dep_more1'`;
  assert.deepEqual(await totals(), [5, 4]);
  await sql`update projects set deleting_at = now() where id = ${project_id}`;
  assert.deepEqual(await totals(), [0, 0]);
});

test('callers who come at once wait for one count, a change is counted anew, and so is what failed', async () => {
  const counted = sharedCounts();
  let asked = 0;
  const count = (version: number) => async () => ({ version, total: ++asked, active: 0 });
  const all = await Promise.all(Array.from({ length: 32 }, () => counted('team', 1, count(1))));
  assert.deepEqual(new Set(all.map(({ total }) => total)), new Set([1]));
  assert.equal((await counted('other', 1, count(1))).total, 2);
  assert.equal((await counted('team', 2, count(3))).total, 3); // it changed again during the count
  assert.equal((await counted('team', 3, count(3))).total, 3);
  const away = () => Promise.reject(new Error('the database is away'));
  await assert.rejects(counted('team', 4, away), /is away/);
  assert.equal((await counted('team', 4, count(4))).total, 4);
});
