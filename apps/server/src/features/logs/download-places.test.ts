// Downloads of logs: a team has a few under way at a time, whoever reads them and however slowly.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { deploymentIn } from '../../../test/rows.ts';
import { startApi } from '../../../test/server.ts';

test('a team that reads four downloads slowly is refused a fifth until one has ended', async (t) => {
  const server = await startApi(t);
  const { sql, token, team_id, deployment_id } = await deploymentIn(server);
  await sql`
    insert into log_lines (deployment_id, number, team_id, level, source, message, created_at)
    select ${deployment_id}, n, ${team_id}, 'info', 'agent', repeat('x', 8000), now()
    from generate_series(1, 4000) n`;
  const begin = () =>
    fetch(`${server.origin}/api/v1/deployments/${deployment_id}/logs/download`, { headers: { authorization: `Bearer ${token}` } });
  const slow = await Promise.all([begin(), begin(), begin(), begin()]);
  assert.deepEqual(
    slow.map(({ status }) => status),
    [200, 200, 200, 200],
  );
  const refused = await begin();
  assert.equal(refused.status, 429);
  assert.partialDeepStrictEqual(await refused.json(), { code: 'too_many_requests' });
  for (const answer of slow) assert.ok((await answer.arrayBuffer()).byteLength > 4_000 * 8_000, 'each is whole');
  let after = await begin();
  for (const until = Date.now() + 20_000; after.status !== 200 && Date.now() < until; await sleep(50)) after = await begin();
  assert.equal(after.status, 200);
  await after.arrayBuffer();
});
