import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deploymentIn } from '../../../test/rows.ts';
import { startApi } from '../../../test/server.ts';
import { logStore, type NewLine } from './store.ts';

const line = (message: string): NewLine => ({ level: 'info', source: 'agent', message, created_at: new Date().toISOString() });
const odd = ['tab\there', 'back\\slash \\n \\. \\N', 'return\rhere', 'new\nline', '', '\\.', 'ünï€ 🐎', '"quoted", {braced}', "it's"];

test('lines come back as they were written, a few or many of them, under numbers without gaps', async (t) => {
  const { sql, team_id, deployment_id } = await deploymentIn(await startApi(t));
  const store = logStore(sql);
  const few = odd.map(line);
  const many = Array.from({ length: 1200 }, (_, n) => line(`${odd[n % odd.length]} ${n}`));
  for (const batch of [few, many, few]) assert.equal(await store.append(team_id, deployment_id, batch), true);
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
    await assert.rejects(store.append(team_id, deployment_id, batch), { code: '22021' });
  }
  await store.append(team_id, deployment_id, [line('whole')]);
  const stored = await store.after(deployment_id, 0, 10);
  assert.deepEqual(
    stored.map(({ number, message }) => [number, message]),
    [[1, 'whole']],
  );
});

test('lines for a deployment that is gone are refused quietly, few or many', async (t) => {
  const { sql, team_id } = await deploymentIn(await startApi(t));
  for (const size of [1, 200])
    assert.equal(
      await logStore(sql).append(
        team_id,
        'dep_gone',
        Array.from({ length: size }, (_, n) => line(`${n}`)),
      ),
      false,
    );
});
