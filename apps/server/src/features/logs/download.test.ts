// Log downloads: complete or filtered, with a limit on concurrent downloads per team, whoever reads them and however slowly.
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
  for (const until = Date.now() + 300_000; after.status !== 200 && Date.now() < until; await sleep(50)) after = await begin();
  assert.equal(after.status, 200);
  await after.arrayBuffer();
});

test('a whole log and one filtered by every level are the same file, whatever its lines hold', async (t) => {
  const server = await startApi(t);
  const { sql, token, team_id, deployment_id } = await deploymentIn(server);
  const odd = ['', 'plain', '"quoted" \\ back', 'tab\tand\u0001\u007f', 'é 漢字 🚀 \u2028', '{"a":1}', 'x'.repeat(9_000), ' %s $1 '];
  const levels = ['debug', 'info', 'warning', 'error'];
  await sql`
    insert into log_lines (deployment_id, number, team_id, level, source, message, created_at)
    select ${deployment_id}, n, ${team_id}, (${levels}::text[])[1 + n % 4], 'agent', (${odd}::text[])[1 + n % 8], '2026-11-26T01:02:03.045Z'::timestamptz + n * interval '1 ms'
    from generate_series(1, 1203) n`;
  await sql`
    insert into log_heads (deployment_id, team_id, last_number, last_at)
    values (${deployment_id}, ${team_id}, 1203, now())
    on conflict (deployment_id) do update set last_number = 1203, last_at = now()`;
  for (const format of ['text', 'jsonl']) {
    const file = async (more: string) => {
      const answer = await fetch(`${server.origin}/api/v1/deployments/${deployment_id}/logs/download?format=${format}${more}`, {
        headers: { authorization: `Bearer ${token}` },
      });
      assert.equal(answer.status, 200);
      return answer.text();
    };
    const whole = await file('');
    assert.equal(whole.trimEnd().split('\n').length, 1203);
    assert.equal(whole, await file(`&level=${levels.join(',')}`));
  }
});
