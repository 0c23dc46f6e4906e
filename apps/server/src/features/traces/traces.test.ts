import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { before, test } from 'node:test';
import { atEnd } from '../../../test/postgres.ts';
import { startApi } from '../../../test/server.ts';
import { teamOf } from '../../../test/team-of.ts';
import { priceStore } from './price-store.ts';
import type { NewSpan } from './receiver/span-rows.ts';
import { spanStore } from './receiver/span-store.ts';
import { traceSweepStore } from './sweep-store.ts';

let world: Awaited<ReturnType<typeof startApi>>;
before(async () => {
  world = await startApi({ after: atEnd });
});

/** A person with a deployment, and functions that add its spans. */
async function owner() {
  const { api } = await world.person();
  const { id: project_id } = await api.projects.create({ name: 'traced' });
  const id = `dep_${randomBytes(6).toString('hex')}`;
  await world.sql`
    insert into deployments (id, team_id, project_id, environment, status, source_blob, source_name, source_bytes, created_by)
    select ${id}, team_id, id, 'production', 'failed', 'b', 'n', 1, 'u'
    from projects
    where id = ${project_id}`;
  const add = (...spans: Partial<NewSpan>[]) => spanStore(world.sql).add(id, spans.map(span));
  const names = async (filter: Partial<Parameters<typeof api.traces.list>[0]> = {}) =>
    (await api.traces.list({ id, ...filter })).traces.map(({ name }) => name);
  return { api, project_id, id, add, names };
}

const ago = (ms: number) => new Date(Date.now() - ms).toISOString();
const newId = (bytes: number) => randomBytes(bytes).toString('hex');
const span = (more: Partial<NewSpan>): NewSpan => ({
  trace_id: newId(16),
  span_id: newId(8),
  parent_span_id: null,
  name: 'work',
  kind: 'internal',
  type: 'other',
  started_at: ago(1_000),
  duration_us: 5_000,
  status: 'unset',
  status_message: null,
  provider: null,
  model: null,
  input_tokens: null,
  cached_tokens: null,
  cache_write_tokens: null,
  output_tokens: null,
  reasoning_tokens: null,
  first_chunk_us: null,
  is_counted: more.type === 'model',
  attributes: {},
  events: [],
  dropped: 0,
  content_dropped: 0,
  bytes: 500,
  ...more,
});
const call = (model: string, input_tokens: number, output_tokens: number): Partial<NewSpan> => ({
  type: 'model',
  name: 'chat',
  model,
  input_tokens,
  output_tokens,
});

test('traces come newest first, page by page, each once', async () => {
  const { api, id, add } = await owner();
  // Two begin within the same millisecond.
  const began = ['2.000100', '2.000200', '1.000000', '3.000000'].map((seconds) => `${ago(60_000).slice(0, 17)}0${seconds}Z`);
  await add(...began.map((started_at, n) => ({ name: `t${n}`, started_at })));
  const seen = [];
  let cursor: string | undefined;
  do {
    const page = await api.traces.list({ id, limit: 1, ...(cursor ? { cursor } : {}) });
    seen.push(...page.traces.map(({ name }) => name));
    cursor = page.next_cursor ?? undefined;
  } while (cursor);
  assert.deepEqual(seen, ['t3', 't1', 't0', 't2']);
});

test('each filter leaves what it names', async () => {
  const { add, names } = await owner();
  const first = { trace_id: newId(16) };
  await add({ name: 'GET /slow', ...first, duration_us: 2_000_000, started_at: ago(7_200_000) });
  await add({ name: 'POST /failed', status: 'error', started_at: ago(3_000) }, { ...call('gpt-4o', 1, 1), started_at: ago(2_000) });
  assert.deepEqual(await names(), ['chat', 'POST /failed', 'GET /slow']);
  assert.deepEqual(await names({ date_from: ago(3_600_000) }), ['chat', 'POST /failed']);
  assert.deepEqual(await names({ min_duration_ms: 1_500 }), ['GET /slow']);
  assert.deepEqual(await names({ status: 'error' }), ['POST /failed']);
  assert.deepEqual(await names({ status: 'ok' }), ['chat', 'GET /slow']);
  assert.deepEqual(await names({ model: 'gpt-4o' }), ['chat']);
  assert.deepEqual(await names({ search: 'SLOW' }), ['GET /slow']);
  assert.deepEqual(await names({ search: '%' }), []);
  assert.deepEqual(await names({ search: first.trace_id.slice(0, 12) }), ['GET /slow']);
});

test('a trace has the name of the request, whichever of its spans came first, and is an error if one of them failed', async () => {
  const { add, api, id } = await owner();
  const trace_id = newId(16);
  const root = newId(8);
  const now = Date.now();
  const before = (ms: number) => new Date(now - ms).toISOString();
  await add({ trace_id, name: 'inner', parent_span_id: root, started_at: before(5_000) });
  await add({ trace_id, name: 'outer', span_id: root, started_at: before(6_000), duration_us: 3_000_000 });
  await add({ trace_id, name: 'tool', parent_span_id: root, status: 'error', started_at: before(4_000), duration_us: 2_000_000 });
  const [{ name, status, duration_ms, span_count } = {} as never] = (await api.traces.list({ id })).traces;
  assert.deepEqual([name, status, duration_ms, span_count], ['outer', 'error', 4_000, 3]);
});

test('costs follow the prices: the own ones before the defaults, versions of a model like the model, and what has none says so', async () => {
  const { add, api, id } = await owner();
  const trace_id = newId(16);
  await add(
    { trace_id, ...call('gpt-4o-2024-08-06', 1_000_000, 0), cached_tokens: 400_000 },
    { trace_id, ...call('our-own', 1_000, 2_000) },
    { trace_id, ...call('nobody-knows', 5, 5) },
  );
  const cost = async () => {
    const { cost_usd, unpriced_models } = await api.traces.get({ id, trace_id });
    return { cost_usd, unpriced_models: unpriced_models.sort() };
  };
  // 600,000 at 2.50 and 400,000 at 1.25 for a million.
  assert.deepEqual(await cost(), { cost_usd: 2, unpriced_models: ['nobody-knows', 'our-own'] });
  const own = { model: 'our-own', input_usd: 1_000, cached_input_usd: null, cache_write_usd: null, output_usd: 500 };
  await api.traces.setPrices({ model_prices: [own, { ...own, model: 'gpt-4o', input_usd: 5, cached_input_usd: 0 }] });
  assert.deepEqual(await cost(), { cost_usd: 5, unpriced_models: ['nobody-knows'] });
  const shown = await api.traces.prices({});
  assert.deepEqual(
    shown.model_prices.filter(({ is_default }) => !is_default),
    [
      { ...own, model: 'gpt-4o', input_usd: 5, cached_input_usd: 0, is_default: false },
      { ...own, is_default: false },
    ],
  );
  assert.equal(shown.model_prices.filter(({ model }) => model === 'gpt-4o').length, 1);
  await api.traces.setPrices({ model_prices: [] });
  assert.deepEqual((await cost()).cost_usd, 2);
});

test('a call without tokens and a trace without calls have no cost, which is not 0', async () => {
  const { add, api, id } = await owner();
  await add({ name: 'plain' }, { ...call('gpt-4o', 0, 0), input_tokens: null, output_tokens: null });
  for (const { cost_usd, input_tokens, unpriced_models } of (await api.traces.list({ id })).traces)
    assert.deepEqual([cost_usd, input_tokens, unpriced_models], [null, null, []]);
});

test('a model that is named twice is refused, and a price of one team is no other team’s', async () => {
  const [ada, bob] = [await owner(), await owner()];
  const price = { model: 'Mine', input_usd: 1, cached_input_usd: null, cache_write_usd: null, output_usd: 1 };
  await assert.rejects(ada.api.traces.setPrices({ model_prices: [price, { ...price, model: 'mine' }] }), {
    code: 'input_invalid',
    errors: [{ path: 'model_prices.1.model', message: 'mine is there twice' }],
  });
  await ada.api.traces.setPrices({ model_prices: [price] });
  assert.ok((await bob.api.traces.prices({})).model_prices.every(({ model }) => model !== 'Mine'));
});

test("another team's traces are not found, nor is one of another deployment", async () => {
  const [ada, bob] = [await owner(), await owner()];
  const trace_id = newId(16);
  await ada.add({ trace_id });
  await assert.rejects(bob.api.traces.get({ id: ada.id, trace_id }), { code: 'deployment_not_found' });
  await assert.rejects(bob.api.traces.get({ id: bob.id, trace_id }), { code: 'trace_not_found' });
});

test('what models cost today is summed up by project, as far as prices are known', async () => {
  const { project_id, add } = await owner();
  const now = new Date().toISOString();
  await add({ ...call('gpt-4o', 1_000_000, 0), started_at: now }, { ...call('unknown', 1_000_000, 0), started_at: now });
  await add({ ...call('gpt-4o', 1_000_000, 0), started_at: ago(25 * 3_600_000) });
  const prices = priceStore(world.sql);
  assert.equal((await prices.costsToday()).get(project_id), 2.5);
  const team_id = await teamOf(world.sql, { project_id });
  assert.equal(await prices.costOfToday(team_id), 2.5, 'the same of the team alone');
  assert.equal(await prices.costOfToday('team_other'), 0);
});

test('traces go after 7 days and beyond the share of a deployment, the oldest first; what their tokens were stays', async () => {
  const { add, names, api, id } = await owner();
  const day = 86_400_000;
  await add({ name: 'old', ...call('gpt-4o', 1, 1), started_at: ago(7 * day + 60_000) });
  await add(...['a', 'b', 'c', 'd'].map((name, n) => ({ name, started_at: ago(1_000 * n), bytes: 400 })));
  await traceSweepStore(world.sql).sweep(AbortSignal.timeout(10_000));
  assert.deepEqual(await names(), ['a', 'b', 'c', 'd']);
  await traceSweepStore(world.sql, { traces: 3, bytes: 1_000_000 }).sweep(AbortSignal.timeout(10_000));
  assert.deepEqual(await names(), ['a', 'b', 'c']);
  await traceSweepStore(world.sql, { traces: 100, bytes: 900 }).sweep(AbortSignal.timeout(10_000));
  assert.deepEqual(await names(), ['a', 'b']);
  const [left] = await world.sql<[{ spans: number; tokens: number }]>`
    select
      (select count(*) from spans where deployment_id = ${id})::int as spans,
      (select sum(input_tokens) from model_usage_hours where deployment_id = ${id})::int as tokens`;
  assert.deepEqual(left, { spans: 2, tokens: 1 });
  assert.deepEqual((await api.traces.list({ id })).models, [], 'of the last 7 days');
});

test('many who write spans of the same traces at once lose none of them in the sums', async () => {
  const { add, api, id } = await owner();
  const trace_ids = Array.from({ length: 5 }, () => newId(16));
  const batch = () => trace_ids.map((trace_id) => ({ trace_id, ...call('gpt-4o', 3, 2) })).sort(() => Math.random() - 0.5);
  await Promise.all(Array.from({ length: 20 }, () => add(...batch())));
  const { traces } = await api.traces.list({ id });
  assert.deepEqual(
    traces.map(({ span_count, input_tokens, output_tokens }) => [span_count, input_tokens, output_tokens]),
    trace_ids.map(() => [20, 60, 40]),
  );
});
