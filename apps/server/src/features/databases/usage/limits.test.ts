import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { DatabaseFigures } from '@paddock/database-driver';
import { databaseRows, node, type Rows } from '../../../../test/database-rows.ts';
import { atEnd } from '../../../../test/postgres.ts';
import { startUsageMonitor } from '../node/usage-monitor.ts';
import { sizeText, storageLevel, storageLimits } from './limits.ts';
import { storageStore } from './limits-store.ts';

let rows: Rows;
before(async () => {
  rows = await databaseRows({ after: atEnd });
});

test('what follows from the used share of the limit', () => {
  const level = (used_bytes: number, more: object = {}) =>
    storageLevel({ type: 'postgresql', used_bytes, limit_bytes: 1000, is_read_only: false, is_warned: false, ...more });
  const table: [number, string, string, string][] = [
    // used, fresh, already warned, already read-only
    [0, 'fine', 'fine', 'fine'],
    [749, 'fine', 'fine', 'fine'],
    [750, 'fine', 'warning', 'warning'],
    [799, 'fine', 'warning', 'warning'],
    [800, 'warning', 'warning', 'warning'],
    [949, 'warning', 'warning', 'warning'],
    [950, 'warning', 'warning', 'read_only'],
    [999, 'warning', 'warning', 'read_only'],
    [1000, 'read_only', 'read_only', 'read_only'],
    [1199, 'read_only', 'read_only', 'read_only'],
    [1200, 'refused', 'refused', 'refused'],
    [9999, 'refused', 'refused', 'refused'],
  ];
  for (const [used, fresh, warned, closed] of table) {
    assert.equal(level(used), fresh, `${used}`);
    assert.equal(level(used, { is_warned: true }), warned, `${used}, warned`);
    assert.equal(level(used, { is_warned: true, is_read_only: true }), closed, `${used}, read-only`);
    assert.equal(level(used, { limit_bytes: null, is_read_only: true }), 'fine', 'without a limit');
    assert.equal(level(used, { type: 'redis' }), fresh === 'refused' ? 'read_only' : fresh, 'Redis is never closed');
  }
});

test('sizes read as they were set', () => {
  assert.deepEqual([16 * 1024 ** 2, 5_000_000_000, 2 * 1024 ** 3].map(sizeText), ['16 MB', '5 GB', '2 GB']);
});

const figuresOf = (size_bytes: number, started_ms = 1): DatabaseFigures => ({
  ...{
    size_bytes,
    memory_bytes: 1,
    connections: 1,
    transactions: 1,
    cache_hits: 1,
    cache_reads: 1,
    keys: null,
    evictions: null,
    started_ms,
  },
});

/** The rules over real rows; `told` records the commands to servers. */
async function limited(settings: Partial<Parameters<typeof storageLimits>[0]['settings']> = {}) {
  const told: string[] = [];
  const limits = storageLimits({
    driver: { setWriting: async (_, __, writing) => void told.push(writing) },
    store: storageStore(rows.sql, node),
    alerts: rows.alerts,
    settings: { postgresql: 1024 ** 2, isByPlan: false, redis: 1024 ** 2, ...settings },
  });
  const ada = await rows.team();
  const judge = async (id: string, percent: number, started_ms = 1) => {
    const size = Math.round((percent / 100) * 1024 ** 2);
    await rows.sql`update databases set size_bytes = ${size} where id = ${id}`;
    return limits.judge(
      { row: { id }, spec: {}, address: {} } as unknown as Parameters<typeof limits.judge>[0],
      figuresOf(size, started_ms),
    );
  };
  const state = async (id: string) => {
    const [row] = await rows.sql<
      { is_read_only: boolean; status_message: string | null }[]
    >`select is_read_only, status_message from databases where id = ${id}`;
    const { rows: alerts } = await rows.alerts.list(ada.team_id, { limit: 50, resolved: false });
    return { ...row, alerts: alerts.filter((one) => one.database_id === id).map((one) => `${one.severity}: ${one.message}`) };
  };
  return { ada, told, limits, judge, state };
}

test('a database that fills up warns, becomes read-only, is closed, and comes back, with one alert and one mail for each', async () => {
  const { ada, told, limits, judge, state } = await limited();
  const id = await rows.row(ada);
  await limits.follow();
  assert.equal(await judge(id, 50), 0.5);
  assert.deepEqual(await state(id), { is_read_only: false, status_message: null, alerts: [] });
  await judge(id, 81);
  await judge(id, 79);
  const warned = await state(id);
  assert.match(
    warned.status_message ?? '',
    /^Storage: More than 80 % of the 1 MB that it may have is used\..*PADDOCK_DATABASE_STORAGE_MB\.$/,
  );
  assert.deepEqual([warned.is_read_only, warned.alerts], [false, [`warning: ${warned.status_message}`]]);
  await judge(id, 101);
  await judge(id, 96);
  const full = await state(id);
  assert.match(full.status_message ?? '', /read-only.*SET default_transaction_read_only = off/);
  assert.deepEqual([full.is_read_only, full.alerts.length, full.alerts[0]], [true, 2, `critical: ${full.status_message}`]);
  await judge(id, 121);
  assert.match((await state(id)).alerts[0] ?? '', /connections are refused/);
  await judge(id, 94);
  const open = await state(id);
  assert.deepEqual([open.is_read_only, open.alerts.length, open.alerts[0]?.startsWith('warning')], [false, 1, true]);
  await judge(id, 10);
  assert.deepEqual(await state(id), { is_read_only: false, status_message: null, alerts: [] });
  assert.deepEqual(told, ['allowed', 'read_only', 'read_only', 'refused', 'allowed'], 'and repeated while it matters');
  assert.deepEqual(
    (await rows.mailsTo(ada.email)).map(({ data }) => (data as { title: string }).title),
    ['A PostgreSQL database is nearly full', 'A PostgreSQL database is full'],
  );
});

test('a server that was started anew is told again whether its user may write', async () => {
  const { ada, told, limits, judge } = await limited();
  const id = await rows.row(ada);
  await limits.follow();
  for (const started of [1, 1, 2, 2]) await judge(id, 10, started);
  assert.deepEqual(told, ['allowed', 'allowed']);
});

test('other messages of a database stay, and one that is not available is left alone', async () => {
  const { ada, told, limits, judge, state } = await limited();
  const id = await rows.row(ada, { status_message: 'The restore failed: why.' });
  await limits.follow();
  await judge(id, 10);
  assert.equal((await state(id)).status_message, 'The restore failed: why.');
  const away = await rows.row(ada, { environment: 'preview', status: 'restoring' });
  await limits.follow();
  assert.equal(await judge(away, 130), undefined);
  assert.deepEqual([(await state(away)).is_read_only, told], [false, ['allowed']]);
});

test("the limit of a team's plan is for all its PostgreSQL databases together, and follows the plan", async () => {
  const { ada, limits, judge, state } = await limited({ isByPlan: true });
  const [one, two, bobs] = [await rows.row(ada), await rows.row(ada, { environment: 'preview' }), await rows.row(await rows.team())];
  await rows.row(ada, { type: 'redis', size_bytes: 1024 ** 2 });
  const gb = (size: number) => ((size * 1e9) / 1024 ** 2) * 100;
  const subscribe = (plan: string) => rows.sql`
    insert into billing_accounts (team_id, status, plan, account)
    values (${ada.team_id}, 'active', ${plan}, '{}')
    on conflict (team_id) do update set plan = excluded.plan`;
  await limits.follow();
  assert.equal((await judge(one, gb(1.1)))?.toFixed(2), '1.10', 'the free plan has 1 GB');
  assert.match((await state(one)).status_message ?? '', /the 1 GB of your plan, .* or switch to the plan Starter in Billing/);
  await subscribe('starter');
  await limits.follow();
  await judge(one, gb(3));
  assert.equal((await judge(two, gb(2.5)))?.toFixed(2), '1.10');
  const full = await state(two);
  assert.match(full.status_message ?? '', /the 5 GB of your plan, which all PostgreSQL databases of the team share/);
  assert.match(full.status_message ?? '', /or switch to the plan Pro in Billing/);
  assert.equal(full.is_read_only, true);
  assert.equal((await judge(bobs, gb(0.6)))?.toFixed(2), '0.60', "another team's do not count");

  await subscribe('pro');
  await limits.follow();
  assert.equal((await judge(two, gb(2.5)))?.toFixed(2), '0.11');
  assert.equal((await state(two)).is_read_only, false, 'a larger plan lets it write again');
  await subscribe('enterprise');
  await limits.follow();
  assert.equal(await judge(two, gb(900)), undefined, 'no limit');
});

test('Redis is warned of, and told to be full when it refuses to write by itself', async () => {
  const { ada, told, limits, judge, state } = await limited();
  const id = await rows.row(ada, { type: 'redis' });
  await limits.follow();
  await judge(id, 85);
  assert.match((await state(id)).alerts.join(), /^warning: Storage: Redis uses more than 80 % of the 1 MB of memory/);
  await judge(id, 130);
  assert.match((await state(id)).alerts[0] ?? '', /^critical: Storage: Redis uses all .* refuses commands that write/);
  assert.deepEqual(told, []);
});

test('a setting that was changed counts for databases that are there already', async () => {
  const { ada, limits } = await limited();
  const id = await rows.row(ada, { storage_limit_bytes: 5 });
  await limits.follow();
  const limit = async () => Number((await rows.sql`select storage_limit_bytes from databases where id = ${id}`)[0]?.storage_limit_bytes);
  assert.equal(await limit(), 1024 ** 2);
  await (await limited({ postgresql: null })).limits.follow();
  assert.equal(await limit(), 0, 'null: not limited');
});

test('databases are looked at together, and one that hangs keeps the others from nothing', async () => {
  const looked: string[] = [];
  const warnings: unknown[] = [];
  const live = ['a', 'b', 'hangs', 'c', 'd'].map(
    (id) => ({ row: { id } }) as unknown as ReturnType<Parameters<typeof startUsageMonitor>[0]['live']>[number],
  );
  let done: () => void = () => undefined;
  const all = new Promise<void>((resolve) => (done = resolve));
  const watching = startUsageMonitor({
    live: () => live,
    isBusy: (id) => id === 'c',
    sampling: {
      measure: async ({ row }) => {
        if (row.id === 'hangs') throw new Error('it did not answer');
        looked.push(row.id);
        if (looked.length >= 4) setImmediate(done);
        return figuresOf(1);
      },
      keepOnly: () => undefined,
    },
    limits: { follow: async () => undefined, judge: async ({ row }) => (looked.push(`judged ${row.id}`), 0.1), keepOnly: () => undefined },
    log: { warn: (about: unknown) => warnings.push(about) } as unknown as Parameters<typeof startUsageMonitor>[0]['log'],
  });
  await all;
  await watching.close();
  assert.deepEqual(new Set(looked), new Set(['a', 'b', 'c', 'd', 'judged a', 'judged b', 'judged d']));
  assert.equal(warnings.length, 1);
});
