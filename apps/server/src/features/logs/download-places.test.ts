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
  const begin = async () => {
    const closing = new AbortController();
    const answer = await fetch(`${server.origin}/api/v1/deployments/${deployment_id}/logs/download`, {
      headers: { authorization: `Bearer ${token}` },
      signal: closing.signal,
    });
    return { answer, closing };
  };
  const slow = await Promise.all([begin(), begin(), begin(), begin()]);
  t.after(() => slow.forEach(({ closing }) => closing.abort()));
  assert.deepEqual(
    slow.map(({ answer }) => answer.status),
    [200, 200, 200, 200],
  );
  const { answer: refused } = await begin();
  assert.equal(refused.status, 429);
  assert.partialDeepStrictEqual(await refused.json(), { code: 'too_many_requests' });
  slow[0]!.closing.abort();
  let status = 429;
  for (const until = Date.now() + 20_000; status !== 200 && Date.now() < until; await sleep(50)) {
    const { answer, closing } = await begin();
    status = answer.status;
    closing.abort();
  }
  assert.equal(status, 200);
});
