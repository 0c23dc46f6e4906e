import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { usage as contract, type UsageOfMonth } from '@paddock/contract';
import type { PlanId } from '@paddock/contract/plans';
import * as z from 'zod';
import { calledBy, databaseRows, type Rows } from '../../../../test/database-rows.ts';
import { atEnd } from '../../../../test/postgres.ts';
import { budgetSources } from './budget-sources.ts';
import { usageHandlers } from './routes.ts';
import { usageReadStore } from './store.ts';

let rows: Rows;
before(async () => {
  rows = await databaseRows({ after: atEnd });
});

type Team = Awaited<ReturnType<Rows['team']>>;
const asked = async (who: Team, now: string, input: { month?: string; project_id?: string } = {}) => {
  const { sql } = rows;
  const planInForce = async (team_id: string) =>
    (await sql<{ plan: PlanId }[]>`select plan from billing_accounts where team_id = ${team_id}`)[0]?.plan ?? null;
  const deps = {
    store: usageReadStore(sql),
    budgets: budgetSources(sql, async () => new Map()),
    planInForce,
  };
  const { list } = usageHandlers(deps, () => new Date(now));
  return z.parse(contract.list.output, await list(input, calledBy(who))).usage;
};
const used = (of: Team, day: string, { project_id = of.project_id, kind, amount }: { project_id?: string; kind: string; amount: bigint }) =>
  rows.sql`
    insert into metered_days (team_id, project_id, day, kind, amount)
    values (${of.team_id}, ${project_id}, ${day}, ${kind}, ${String(amount)})`;
const centsOf = (costs: readonly { cost: number }[]) => costs.reduce((sum, { cost }) => sum + Math.round(cost * 100), 0);

test('days with corrections, and projects, each add up to what the month costs, to the cent', async () => {
  const ada = await rows.team();
  // Each day of each project costs a third of a cent of compute, and less of the rest.
  for (let day = 1; day <= 30; day++)
    for (const project_id of [ada.project_id, 'prj_gone', 'prj_other']) {
      const on = `2026-06-${String(day).padStart(2, '0')}`;
      await used(ada, on, { project_id, kind: 'compute_s', amount: 120n });
      await used(ada, on, { project_id, kind: 'bandwidth_bytes', amount: 33_333_333n });
    }
  await rows.sql`
    insert into metered_corrections (team_id, project_id, month, of_month, kind, amount)
    values (${ada.team_id}, ${ada.project_id}, '2026-06-01', '2026-05-01', 'compute_s', 200)`;
  const [june] = await asked(ada, '2026-07-03T00:00:00Z', { month: '2026-06' });
  assert.ok(june);
  // 3 hours and 200 s at 10 cents; 3 GB (less 2.7 kB) at 5 cents.
  assert.deepEqual([june.compute_cost, june.bandwidth_cost, june.cost], [0.31, 0.15, 0.46]);
  assert.equal(centsOf([...(june.by_day ?? []), ...june.corrections]), 46);
  assert.equal(centsOf(june.by_project ?? []), 46);
  assert.equal(june.by_project?.length, 3);
  assert.ok(june.by_day?.every(({ cost }) => cost >= 0 && cost <= 0.03));
  assert.equal(june.projected, null);
});

test('byte-hours beyond what floating point counts cost what their exact sum costs', async () => {
  const ada = await rows.team();
  // 36 * 10^9 byte-hours of June are a cent: these are 250,000,000 and a half.
  const half = 9_000_000_018_000_000_000n;
  assert.equal(Number(half), Number(half - 1n), 'floating point does not tell them apart');
  await used(ada, '2026-06-01', { kind: 'storage_byte_hours', amount: half - 1n });
  const cost = async () => (await asked(ada, '2026-07-03T00:00:00Z', { month: '2026-06' }))[0]?.database_storage_cost;
  assert.equal(await cost(), 2_500_000);
  await used(ada, '2026-06-02', { kind: 'storage_byte_hours', amount: 1n });
  assert.equal(await cost(), 2_500_000.01);
});

test('the price of the plan in force stands with the current month of the team alone', async () => {
  const ada = await rows.team();
  await used(ada, '2026-06-01', { kind: 'compute_s', amount: 3600n });
  await used(ada, '2026-07-01', { kind: 'compute_s', amount: 3600n });
  const prices = (usage: UsageOfMonth[]) => usage.map(({ month, base_plan_cost }) => [month, base_plan_cost]);
  const now = '2026-07-03T00:00:00Z';
  assert.deepEqual(prices(await asked(ada, now)), [
    ['2026-07', 0],
    ['2026-06', null],
  ]);
  await rows.sql`insert into billing_accounts (team_id, status, plan, account) values (${ada.team_id}, 'active', 'pro', '{}')`;
  assert.deepEqual(prices(await asked(ada, now)), [
    ['2026-07', 99],
    ['2026-06', null],
  ]);
  assert.deepEqual(prices(await asked(ada, now, { month: '2026-07' })), [['2026-07', 99]]);
  assert.equal((await asked(ada, now, { project_id: ada.project_id }))[0]?.base_plan_cost, null, 'a plan is not of one project');
  assert.deepEqual(prices(await asked(await rows.team(), now)), [['2026-07', 0]], 'nor of another team');
});

test('a projected month grows what is its own, and adds corrections as they are', async () => {
  const ada = await rows.team();
  await used(ada, '2026-06-01', { kind: 'compute_s', amount: 36_000n });
  await rows.sql`
    insert into metered_corrections (team_id, project_id, month, of_month, kind, amount)
    values (${ada.team_id}, ${ada.project_id}, '2026-06-01', '2026-05-01', 'compute_s', 3600)`;
  const [june] = await asked(ada, '2026-06-11T00:00:00Z');
  assert.deepEqual([june?.compute_hours, june?.projected?.compute_hours, june?.projected?.cost], [11, 31, 3.1]);
});
