import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import type { ModelUsageReport } from '@paddock/contract';
import { modelUsageLimits } from '@paddock/contract/limits';
import { inJson, type SentSpan } from '@paddock/otlp/encode';
import { ask } from '../../../test/keys.ts';
import { atEnd, testDatabase } from '../../../test/postgres.ts';
import { startApi } from '../../../test/server.ts';
import { teamOf } from '../../../test/team-of.ts';
import { credentialHeader, credentialOf } from './receiver/credential.ts';
import { startReceiver } from './receiver/start.ts';
import { traceSweepStore } from './sweep-store.ts';

const key = randomBytes(32);
const dayMs = 86_400_000;
let world: Awaited<ReturnType<typeof startApi>>;
let origin: string;
before(async () => {
  const database = await testDatabase();
  world = await startApi({ after: atEnd }, { database });
  const log = { warn: () => undefined, error: () => undefined };
  const started = await startReceiver({
    log: log as never,
    databaseUrl: database.url,
    key,
    tokenKey: key,
    secretKeys: world.seal.keys(),
    port: 0,
    bounds: { pauseMs: 10 },
  });
  atEnd(() => started.close());
  origin = `http://127.0.0.1:${started.port}`;
});

/** A person, and a function that makes agents with a function to send spans. */
async function someone() {
  const { api, email } = await world.person();
  const team_id = await teamOf(world.sql, { email });
  async function agent(name: string, environment = 'production') {
    const known = (await api.projects.list({})).projects.find((project) => project.name === name);
    const { id: project_id } = known ?? (await api.projects.create({ name }));
    const deployment_id = `dep_${randomBytes(6).toString('hex')}`;
    await world.sql`
      insert into deployments (id, team_id, project_id, environment, status, source_blob, source_name, source_bytes, created_by)
      values (${deployment_id}, ${team_id}, ${project_id}, ${environment}, 'failed', 'b', 'n', 1, 'u')`;
    return { project_id, deployment_id, send: (...spans: SentSpan[]) => send(deployment_id, spans) };
  }
  return { api, team_id, agent };
}

async function send(deployment_id: string, spans: SentSpan[]): Promise<void> {
  const response = await fetch(`${origin}/v1/traces`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', [credentialHeader]: credentialOf(key, deployment_id) },
    body: inJson(spans),
  });
  assert.equal(response.status, 200);
}

const newId = (bytes: number) => randomBytes(bytes).toString('hex');
const today = Date.now();
const yesterday = today - dayMs;
const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);

/** Input and output tokens, and tokens of the input that were read from a cache. */
type Tokens = [input: number, output: number, cached?: number];
const call = (model: string, [input, output, cached = 0]: Tokens, { at = today, ...more }: Partial<SentSpan> & { at?: number } = {}) => {
  const number = (name: string, value: number) => ({ key: `gen_ai.usage.${name}`, value: { intValue: String(value) } });
  const text = (name: string, stringValue: string) => ({ key: `gen_ai.${name}`, value: { stringValue } });
  return {
    traceId: newId(16),
    spanId: newId(8),
    name: 'chat',
    startTimeUnixNano: String(BigInt(at) * 1_000_000n),
    endTimeUnixNano: String(BigInt(at) * 1_000_000n + 5_000_000n),
    attributes: [
      text('operation.name', 'chat'),
      text('request.model', model),
      number('input_tokens', input),
      number('output_tokens', output),
      ...(cached > 0 ? [number('cache_read.input_tokens', cached)] : []),
    ],
    ...more,
  } satisfies SentSpan;
};

/** By day, name and model: the rows of a day come by the id of their project, which is random. */
const short = ({ model_usage }: ModelUsageReport) =>
  model_usage
    .map(({ day, project_name, model, calls, input_tokens, cached_tokens, output_tokens, cost_usd }) => ({
      day,
      project_name,
      model,
      calls,
      tokens: [input_tokens, cached_tokens, output_tokens],
      cost_usd: cost_usd === null ? null : Number(cost_usd.toFixed(9)),
    }))
    .toSorted((a, b) => (place(a) < place(b) ? -1 : 1));
const place = ({ day, project_name, model }: { day: string; project_name: string | null; model: string | null }) =>
  `${day} ${project_name} ${model}`;

test('calls are summed by day, agent and model, and cost what the traces of them cost together', async () => {
  const { api, agent } = await someone();
  const [desk, scout] = [await agent('desk'), await agent('scout')];
  await desk.send(call('gpt-4o', [1_000_000, 0, 400_000]), call('gpt-4o', [200_000, 100_000]), call('gpt-4o-mini', [1_000_000, 0]));
  await desk.send(call('gpt-4o', [100_000, 0], { at: yesterday }));
  await scout.send(call('nobody-knows', [7, 3]), call('gpt-4o-mini', [2_000_000, 0]));
  const report = await api.traces.usage({});
  const [now, before] = [dayOf(today), dayOf(yesterday)];
  assert.deepEqual(short(report), [
    { day: before, project_name: 'desk', model: 'gpt-4o', calls: 1, tokens: [100_000, 0, 0], cost_usd: 0.25 },
    // 800,000 plain at 2.50, 400,000 cached at 1.25 and 100,000 of output at 10 for a million.
    { day: now, project_name: 'desk', model: 'gpt-4o', calls: 2, tokens: [1_200_000, 400_000, 100_000], cost_usd: 3.5 },
    { day: now, project_name: 'desk', model: 'gpt-4o-mini', calls: 1, tokens: [1_000_000, 0, 0], cost_usd: 0.15 },
    { day: now, project_name: 'scout', model: 'gpt-4o-mini', calls: 1, tokens: [2_000_000, 0, 0], cost_usd: 0.3 },
    { day: now, project_name: 'scout', model: 'nobody-knows', calls: 1, tokens: [7, 0, 3], cost_usd: null },
  ]);
  const traces = [desk, scout].map(async ({ deployment_id }) => (await api.traces.list({ id: deployment_id })).traces);
  const costs = (await Promise.all(traces)).flat().map(({ cost_usd }) => cost_usd ?? 0);
  const { totals, unpriced_models } = report;
  assert.equal(totals.cost_usd?.toFixed(9), costs.reduce((sum, cost) => sum + cost, 0).toFixed(9));
  assert.deepEqual([totals.calls, totals.input_tokens, totals.output_tokens], [6, 4_300_007, 100_003]);
  assert.deepEqual(unpriced_models, ['nobody-knows']);
  const price = { model: 'nobody-knows', input_usd: 1_000, cached_input_usd: null, cache_write_usd: null, output_usd: 1_000 };
  await api.traces.setPrices({ model_prices: [price] });
  const priced = await api.traces.usage({});
  assert.deepEqual(priced.unpriced_models, [], 'prices count as they are now');
  assert.equal(priced.totals.cost_usd?.toFixed(9), '4.210000000');
});

test('a span that is sent again counts once, and so does a call that two instrumentations tell of', async () => {
  const { api, agent } = await someone();
  const { send } = await agent('desk');
  const outer = call('gpt-4o', [100, 10], { name: 'ChatOpenAI' });
  const inner = call('gpt-4o', [100, 10], { traceId: outer.traceId, parentSpanId: outer.spanId });
  await send(inner);
  await send(inner, outer);
  await send(inner, outer);
  const { totals } = await api.traces.usage({});
  assert.deepEqual([totals.calls, totals.input_tokens, totals.output_tokens], [1, 100, 10]);
});

test('a call without tokens is counted, and has no cost and no missing price', async () => {
  const { api, agent } = await someone();
  const { send } = await agent('desk');
  await send(call('nobody-knows', [0, 0]), call('gpt-4o', [0, 0]));
  const { totals, unpriced_models } = await api.traces.usage({});
  assert.deepEqual([totals.calls, totals.cost_usd, unpriced_models], [2, null, []]);
});

test('a project, an environment and days leave what they name', async () => {
  const { api, agent } = await someone();
  const [desk, preview, scout] = [await agent('desk'), await agent('desk', 'preview'), await agent('scout')];
  await desk.send(call('gpt-4o', [1, 0]), call('gpt-4o', [10, 0], { at: yesterday }));
  await preview.send(call('gpt-4o', [100, 0]));
  await scout.send(call('gpt-4o', [1_000, 0]));
  const input = async (asked: Parameters<typeof api.traces.usage>[0]) => (await api.traces.usage(asked)).totals.input_tokens;
  const { project_id } = desk;
  assert.equal(await input({}), 1_111);
  assert.equal(await input({ project_id }), 111);
  assert.equal(await input({ project_id, environment: 'preview' }), 100);
  assert.equal(await input({ project_id, environment: 'production', date_to: dayOf(yesterday) }), 10);
  assert.equal(await input({ date_from: dayOf(today) }), 1_101);
  const { date_from, date_to } = await api.traces.usage({ date_to: '2026-03-01' });
  assert.deepEqual([date_from, date_to], ['2026-01-31', '2026-03-01'], '30 days');
});

test('a range is at most 92 days and does not end before it begins', async () => {
  const { api } = await someone();
  const refused = async (date_from: string, message: RegExp) =>
    assert.rejects(api.traces.usage({ date_from, date_to: '2026-06-30' }), ({ code, errors }: never) => {
      assert.equal(code, 'input_invalid');
      assert.match((errors as { message: string }[])[0]!.message, message);
      return true;
    });
  await refused('2026-03-30', /93 days up to 2026-06-30; at most 92/);
  await refused('2026-07-01', /After date_to/);
  await assert.rejects(api.traces.usage({ date_from: '2026-02-30' }), { code: 'input_invalid' });
  assert.equal((await api.traces.usage({ date_from: '2026-03-31', date_to: '2026-06-30' })).model_usage.length, 0);
});

test('another team sees nothing of it, and a key needs the scope of traces', async () => {
  const [ada, bob] = [await someone(), await someone()];
  const { send, project_id } = await ada.agent('desk');
  await send(call('gpt-4o', [1, 1]));
  assert.deepEqual((await bob.api.traces.usage({})).model_usage, []);
  await assert.rejects(bob.api.traces.usage({ project_id }), { code: 'project_not_found' });
  for (const [scope, status] of [
    ['agents:read', 200],
    ['projects:read', 403],
  ] as const) {
    const { api_key } = await ada.api.apiKeys.create({ name: scope, scopes: [scope] });
    assert.equal((await ask(world.origin, api_key, '/metrics/model-usage')).status, status, scope);
  }
});

test('pairs of an agent and a model beyond the limit are one row a day, whose cost is that of all of them', async () => {
  const { api, agent } = await someone();
  const { send } = await agent('desk');
  const beyond = 3;
  const models = Array.from({ length: modelUsageLimits.pairs + beyond }, (_, n) => `m-${n}`);
  const own = { input_usd: 1, cached_input_usd: null, cache_write_usd: null, output_usd: 1 };
  await api.traces.setPrices({ model_prices: models.map((model) => ({ model, ...own })) });
  // The receiver takes 50 models of an agent an hour.
  await send(...models.slice(0, 40).map((model, n) => call(model, [1_000_000 + n, 0])));
  const { deployment_id } = await agent('other');
  await world.sql`
    insert into model_usage_days (team_id, project_id, environment, day, model, calls, input_tokens, cached_tokens, cache_write_tokens, output_tokens)
    select team_id, project_id, environment, ${dayOf(today)}, model, 1, 1000 - place, 0, 0, 0
    from deployments, unnest(${models.slice(40)}::text[]) with ordinality as named (model, place)
    where id = ${deployment_id}`;
  const { model_usage, totals } = await api.traces.usage({});
  assert.equal(model_usage.length, modelUsageLimits.pairs + 1);
  const others = model_usage.filter(({ project_id }) => project_id === null);
  const tokens = 1_000 - 11 + (1_000 - 12) + (1_000 - 13);
  assert.partialDeepStrictEqual(others, [{ day: dayOf(today), model: null, calls: beyond, input_tokens: tokens }]);
  assert.equal(others[0]?.cost_usd?.toFixed(9), (tokens / 1e6).toFixed(9));
  assert.equal(totals.calls, models.length);
});

test('sums outlive the traces and their project, and go after 400 days', async () => {
  const { api, team_id, agent } = await someone();
  const { send, project_id, deployment_id } = await agent('desk');
  await send(call('gpt-4o', [5, 0]));
  await world.sql`
    insert into model_usage_days
    select team_id, project_id, environment, day - ${modelUsageLimits.keptDays + 2}::int, model, 1, 1, 0, 0, 0
    from model_usage_days
    where team_id = ${team_id}`;
  const sweeping = traceSweepStore(world.sql);
  await sweeping.sweep(AbortSignal.timeout(10_000));
  assert.equal(await sweeping.removeDeployments([deployment_id]), true);
  await world.sql`delete from deployments where id = ${deployment_id}`;
  await world.sql`delete from projects where id = ${project_id}`;
  const { model_usage } = await api.traces.usage({ project_id });
  assert.partialDeepStrictEqual(model_usage, [{ project_id, project_name: null, model: 'gpt-4o', input_tokens: 5 }]);
  const [kept] = await world.sql`
    select count(*)::int as days
    from model_usage_days
    where team_id = ${team_id}`;
  assert.deepEqual(kept, { days: 1 });
});

test('the step that adds the daily sums makes them of the hours that are stored', async () => {
  const database = await testDatabase();
  const { person, sql } = await startApi({ after: atEnd }, { database });
  const { api } = await person();
  const { id: project_id } = await api.projects.create({ name: 'desk' });
  await sql`
    insert into deployments (id, team_id, project_id, environment, status, source_blob, source_name, source_bytes, created_by)
    select 'dep_' || n, team_id, id, 'production', 'failed', 'b', 'n', 1, 'u'
    from projects, generate_series(1, 2) n
    where id = ${project_id}`;
  await sql`
    insert into model_usage_hours (deployment_id, hour, model, calls, input_tokens, cached_tokens, cache_write_tokens, output_tokens, reasoning_tokens)
    select 'dep_' || n, (${dayOf(today)}::date - day)::timestamp at time zone 'UTC' + hour * interval '1 hour', 'gpt-4o', 1, 100, 10, 1, 5, 0
    from generate_series(1, 2) n, generate_series(0, 1) day, generate_series(0, 23, 23) hour`;
  await sql`drop table model_usage_days, model_budgets, model_budget_warnings`;
  const step = join(import.meta.dirname, '../../db/migrations/0062-model-usage.sql');
  await sql.begin((tx) => tx.unsafe(readFileSync(step, 'utf8')).simple());
  const sums = { calls: 4, tokens: [400, 40, 20], cost_usd: 0.00115, project_name: 'desk', model: 'gpt-4o' };
  assert.deepEqual(short(await api.traces.usage({})), [
    { day: dayOf(yesterday), ...sums },
    { day: dayOf(today), ...sums },
  ]);
});
