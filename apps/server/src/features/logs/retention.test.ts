import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dayMs } from '@paddock/contract/time';
import { until } from '../../../test/platform.ts';
import { deploymentIn } from '../../../test/rows.ts';
import { startApi } from '../../../test/server.ts';
import { dropOldPartitions, makePartitions } from './retention.ts';
import { logStore } from './store.ts';

for (const how of ['is cut short', 'waits too long for a lock'])
  test(`a day is dropped although the count of its lines ${how}, and the counts are mended`, async (t) => {
    const free = Promise.withResolvers<void>();
    t.after(() => free.resolve()); // before the installation ends, even when this test fails
    const { sql, team_id, deployment_id: id } = await deploymentIn(await startApi(t));
    const store = logStore(sql);
    const old = Date.now() - 6 * dayMs;
    await makePartitions(sql, old);
    for (const at of [old, Date.now()])
      await store.append(team_id, id, {
        lines: [{ level: 'info', source: 'agent', message: 'tick', created_at: new Date(at).toISOString() }],
      });

    const held = Promise.withResolvers<void>();
    const holding = sql.begin(async (tx) => {
      await tx`lock table log_heads in access exclusive mode`;
      held.resolve();
      await free.promise;
    });
    await held.promise;
    const dropping = dropOldPartitions(sql, 4);
    dropping.catch(() => 'looked at below');
    const counting = () => sql<{ pid: number }[]>`
      select pid
      from pg_stat_activity
      where datname = current_database()
        and wait_event_type = 'Lock'
        and query like '%from log_lines_20%'`;
    await until('the lines are counted', async () => (await counting()).length === 1);
    if (how === 'is cut short') await sql`select pg_cancel_backend(${(await counting())[0]!.pid})`;
    await until('the count has ended', async () => (await counting()).length === 0);
    free.resolve();
    await holding;
    await dropping;
    assert.equal((await sql`select 1 from log_lines`).length, 1);
    assert.equal((await store.counts(id)).total, 1);
  });
