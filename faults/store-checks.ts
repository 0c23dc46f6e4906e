import assert from 'node:assert/strict';
import { until } from '../apps/server/test/platform.ts';
import { type Answer, query } from './store-world.ts';

/** Each tick once and in order, and numbers without a gap, once as many as `least` are there. */
export async function everyLineOnce(url: string, deployment_id: string, least = 100): Promise<number> {
  const read = () =>
    query(
      url,
      (sql) => sql<{ n: number; source: string; message: string }[]>`
        select number::int as n, source, message from log_lines where deployment_id = ${deployment_id} order by number`,
    );
  const ticksOf = (rows: { source: string; message: string }[]) =>
    rows.filter(({ source }) => source === 'agent').map(({ message }) => message);
  let rows = await read();
  const begun = ticksOf(rows).length;
  await until(
    'more lines are stored',
    async () => {
      rows = await read();
      return ticksOf(rows).length >= Math.max(least, begun + 20);
    },
    20,
  );
  const ticks = ticksOf(rows);
  assert.deepEqual(
    ticks,
    ticks.map((_, n) => `tick ${n + 1}`),
    'each line once and in order',
  );
  assert.deepEqual(
    rows.map(({ n }) => n),
    rows.map((_, n) => n + 1),
    'numbers without a gap',
  );
  const platform = rows.filter(({ source }) => source !== 'agent').map(({ message }) => message);
  assert.deepEqual(platform, [...new Set(platform)], 'what the platform says is there once');
  return ticks.length;
}

/** The gateway has counted each visit once, as soon as it has written them. */
export async function everyVisitCounted(url: string, deployment_id: string, visits: number) {
  const counted = async () =>
    (
      await query(
        url,
        (sql) =>
          sql<[{ n: number }]>`select coalesce(sum(requests), 0)::int as n from traffic_minutes where deployment_id = ${deployment_id}`,
      )
    )[0].n;
  await until(`${visits} visits are counted`, async () => (await counted()) >= visits, 20);
  assert.equal(await counted(), visits, 'none counted twice');
}

/** Every answer is one of those, every 503 says when to come back, and none took longer than allowed. */
export function onlyThese(answers: Answer[], statuses: number[], mostMs: number) {
  const odd = answers.filter(({ status }) => !statuses.includes(status)).map(({ status, code }) => `${status} ${code}`);
  assert.deepEqual([...new Set(odd)], [], `of ${answers.length} answers`);
  for (const { status, retryAfter } of answers) if (status === 503) assert.match(retryAfter ?? 'no Retry-After', /^[1-9]\d*$/);
  const slowest = Math.max(0, ...answers.map(({ ms }) => ms));
  assert.ok(slowest <= mostMs, `an answer took ${Math.round(slowest)} ms`);
  return slowest;
}
