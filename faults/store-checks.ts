import assert from 'node:assert/strict';
import { until } from '../apps/server/test/platform.ts';
import { type Answer, query } from './store-world.ts';

/** Asserts that each line of the platform and the build in a deployment's log occurs once. */
export async function everyLineOnce(url: string, deployment_id: string): Promise<number> {
  const rows = await query(
    url,
    (sql) =>
      sql<
        { message: string }[]
      >`select message from log_lines where deployment_id = ${deployment_id} and source <> 'agent' and message <> '' order by number`,
  );
  const said = rows.map(({ message }) => message);
  assert.deepEqual(said, [...new Set(said)]);
  return said.length;
}

/** Asserts that the gateway counts each visit exactly once, as soon as it has written its counts. */
export async function everyVisitCounted(url: string, deployment_id: string, visits: number) {
  const counted = async () =>
    (
      await query(
        url,
        (sql) =>
          sql<[{ n: number }]>`select coalesce(sum(requests), 0)::int as n from traffic_minutes where deployment_id = ${deployment_id}`,
      )
    )[0].n;
  await until(`${visits} visits are counted`, async () => (await counted()) >= visits);
  assert.equal(await counted(), visits, 'none counted twice');
}

/** Asserts that every status is an allowed one, every 503 has a Retry-After, and no response took longer than allowed. */
export function onlyThese(answers: Answer[], statuses: number[], maxMs: number) {
  const odd = answers.filter(({ status }) => !statuses.includes(status)).map(({ status, code }) => `${status} ${code}`);
  assert.deepEqual([...new Set(odd)], [], `of ${answers.length} answers`);
  for (const { status, retryAfter } of answers) if (status === 503) assert.match(retryAfter ?? 'no Retry-After', /^[1-9]\d*$/);
  const slowest = Math.max(0, ...answers.map(({ ms }) => ms));
  assert.ok(slowest <= maxMs, `an answer took ${Math.round(slowest)} ms`);
  return slowest;
}
