import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deploymentIn } from '../../../test/rows.ts';
import { startApi } from '../../../test/server.ts';
import { logStore } from './store.ts';

test('searches of one team leave connections to the others: two at a time, some wait, and further ones are told to come again', async (t) => {
  const slow = Promise.withResolvers<void>();
  t.after(() => slow.resolve()); // before the installation ends, even when this test fails
  const place = await startApi(t);
  const { sql, api, team_id, deployment_id: id } = await deploymentIn(place);
  const other = (await place.person()).api;
  await logStore(sql).append(team_id, id, {
    lines: [{ level: 'info', source: 'agent', message: 'a needle', created_at: new Date().toISOString() }],
  });

  // Stands in for lines that are slow to search.
  const held = Promise.withResolvers<void>();
  const holding = sql.begin(async (tx) => {
    await tx`lock table log_lines in access exclusive mode`;
    held.resolve();
    await slow.promise;
  });
  await held.promise;
  const search = (n: number): Promise<unknown> =>
    [
      () => api.logs.list({ id, search: 'needle' }),
      () => api.logs.counts({ id, search: 'needle' }),
      () => api.logs.download({ id, search: 'needle', format: 'text' }),
    ][n % 3]!();
  const searches = Array.from({ length: 15 }, (_, n) => search(n));
  const codes = searches.map((one) =>
    one.then(
      () => 'found',
      (error: { code: string }) => error.code,
    ),
  );
  // All that are too many have come before the first one may end: a later one would take its place.
  const refused = Promise.withResolvers<void>();
  let left = 3;
  for (const code of codes) void code.then((one) => one === 'too_many_requests' && --left === 0 && refused.resolve());
  await refused.promise;
  assert.deepEqual((await other.projects.list({})).projects, []);
  slow.resolve();
  await holding;
  const outcomes = Object.groupBy(await Promise.all(codes), (code) => code);
  assert.deepEqual([outcomes.found?.length, outcomes.too_many_requests?.length], [12, 3]);
  await search(0);
});
