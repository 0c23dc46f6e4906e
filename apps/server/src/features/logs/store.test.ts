import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deploymentIn } from '../../../test/rows.ts';
import { startApi } from '../../../test/server.ts';
import type { NewLine } from './append.ts';
import { makePartitions } from './retention.ts';
import { logStore } from './store.ts';

const line = (message: string): NewLine => ({ level: 'info', source: 'agent', message, created_at: new Date().toISOString() });
const odd = ['tab\there', 'back\\slash \\n \\. \\N', 'return\rhere', 'new\nline', '', '\\.', 'ünï€ 🐎', '"quoted", {braced}', "it's"];

test('lines come back as they were written, a few or many of them, under numbers without gaps', async (t) => {
  const { sql, team_id, deployment_id } = await deploymentIn(await startApi(t));
  const store = logStore(sql);
  const few = odd.map(line);
  const many = Array.from({ length: 1200 }, (_, n) => line(`${odd[n % odd.length]} ${n}`));
  for (const batch of [few, many, few]) assert.equal(await store.append(team_id, deployment_id, { lines: batch }), true);
  const stored = await store.after(deployment_id, 0, 5000);
  const written = [...few, ...many, ...few];
  assert.deepEqual(
    stored.map(({ number, message, level, source, created_at }) => ({ number, message, level, source, created_at })),
    written.map((one, n) => ({ number: n + 1, ...one })),
  );
});

test('a batch that PostgreSQL refuses leaves no line and takes no number, few or many', async (t) => {
  const { sql, team_id, deployment_id } = await deploymentIn(await startApi(t));
  const store = logStore(sql);
  for (const size of [3, 500]) {
    const batch = Array.from({ length: size }, (_, n) => line(n === size - 1 ? 'a zero \0 byte' : `line ${n}`));
    await assert.rejects(store.append(team_id, deployment_id, { lines: batch }), { code: '22021' });
  }
  await store.append(team_id, deployment_id, { lines: [line('whole')] });
  const stored = await store.after(deployment_id, 0, 10);
  assert.deepEqual(
    stored.map(({ number, message }) => [number, message]),
    [[1, 'whole']],
  );
});

test('lines for a deployment that is gone are refused quietly, few or many', async (t) => {
  const { sql, team_id } = await deploymentIn(await startApi(t));
  for (const size of [1, 200])
    assert.equal(await logStore(sql).append(team_id, 'dep_gone', { lines: Array.from({ length: size }, (_, n) => line(`${n}`)) }), false);
});

test('pages of a log that spans many days are what they would be without the days, wherever lines were held up', async (t) => {
  const { sql, team_id, deployment_id } = await deploymentIn(await startApi(t));
  const store = logStore(sql);
  const hour = 3_600_000;
  const begun = Date.now() - 10 * 24 * hour;
  for (let day = -1; day <= 10; day++) await makePartitions(sql, begun + day * 24 * hour);
  // Batches of 700 every 10 hours. Each third one was delayed by a day and a half and comes after younger lines.
  for (let n = 0; n < 12; n++) {
    const at = new Date(begun + n * 10 * hour - (n % 3 === 2 ? 36 * hour : 0)).toISOString();
    const batch = Array.from({ length: 700 }, (_, i) => ({ ...line(`${n}.${i}`), created_at: at }));
    // A server of the previous release, which knows nothing of the days, writes one of them.
    if (n === 5)
      await sql`
        with head as (
          update log_heads
          set last_number = last_number + 700
          where deployment_id = ${deployment_id}
          returning last_number
        )
        insert into log_lines (deployment_id, team_id, number, level, source, message, created_at)
        select ${deployment_id}, ${team_id}, last_number - 700 + n, 'info', 'agent', '5.' || n - 1, ${at}
        from head, generate_series(1, 700) n`;
    else await store.append(team_id, deployment_id, { lines: batch });
    const all = await sql<{ number: number; message: string }[]>`
      select number, message from log_lines where deployment_id = ${deployment_id} order by number`;
    const numbers = async (at: { limit: number; before?: number; after?: number }, filter = {}) =>
      (await store.page(team_id, deployment_id, { ...at, ...filter })).lines.map(({ number }) => number);
    const count = all.length;
    assert.equal(count, (n + 1) * 700);
    const range = (from: number, to: number) => all.filter(({ number }) => number >= from && number <= to).map(({ number }) => number);
    assert.deepEqual(await numbers({ limit: 500 }), range(count - 499, count));
    for (const number of [1, 5, 650, Math.max(1, count - 1100), count - 20, count + 1]) {
      assert.deepEqual(await numbers({ limit: 300, before: number }), range(number - 300, number - 1));
      assert.deepEqual(await numbers({ limit: 300, after: number }), range(number + 1, number + 300));
    }
    const found = all.filter(({ message }) => message.includes('.69')).map(({ number }) => number);
    assert.deepEqual(await numbers({ limit: 500 }, { search: '.69' }), found);
  }
});
