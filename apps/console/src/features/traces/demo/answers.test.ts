import type { Trace } from '@paddock/contract';
import { expect, test } from 'vitest';
import { createDemoWorld } from '../../../demo/demo-world.ts';
import { demoTraces } from './answers.ts';

const world = createDemoWorld();
const traces = demoTraces(world);
const idOf = (project: string, environment: string) =>
  world.deployments.find(({ row }) => row.project_name === project && row.environment === environment && row.status === 'active')?.row.id ??
  '';
const router = idOf('support-router', 'production');

test('the demo has dozens of traces, page by page, the newest first, and each once', async () => {
  const first = await traces.list({ id: router, limit: 20 });
  const second = await traces.list({ id: router, limit: 20, cursor: first.next_cursor ?? '' });
  const all = [...first.traces, ...second.traces];
  expect(all).toHaveLength(40);
  expect(new Set(all.map(({ trace_id }) => trace_id)).size).toBe(40);
  expect(all.map(({ started_at }) => started_at)).toEqual(
    all
      .map(({ started_at }) => started_at)
      .toSorted()
      .reverse(),
  );
  expect(first.models).toEqual(['acme-router-7b', 'claude-sonnet-4-5', 'gpt-5-mini', 'text-embedding-3-small']);
});

test('filters of the demo leave what passes all of them', async () => {
  const failed = await traces.list({ id: router, status: 'error', model: 'claude-sonnet-4-5', min_duration_ms: 1000 });
  expect(failed.traces.length).toBeGreaterThan(1);
  for (const trace of failed.traces) expect(trace).toMatchObject({ status: 'error', unpriced_models: [] });
  const [{ trace_id } = { trace_id: '' }] = failed.traces;
  expect((await traces.list({ id: router, search: trace_id.slice(0, 12) })).traces.map((each) => each.trace_id)).toEqual([trace_id]);
  expect((await traces.list({ id: router, date_from: new Date().toISOString() })).traces).toEqual([]);
});

test('a price that is set counts in every trace of before, and goes with the price', async () => {
  const unpriced = () => traces.list({ id: router, model: 'acme-router-7b', limit: 1 }).then((page) => page.traces[0]);
  expect((await unpriced())?.unpriced_models).toEqual(['acme-router-7b']);
  const price = { model: 'acme-router-7b', input_usd: 2, cached_input_usd: null, cache_write_usd: null, output_usd: 4 };
  await traces.setPrices({ model_prices: [price] });
  const priced = await unpriced();
  expect(priced?.unpriced_models).toEqual([]);
  expect(priced?.cost_usd).toBeGreaterThan(0.001);
  await traces.setPrices({ model_prices: [] });
  expect((await unpriced())?.unpriced_models).toEqual(['acme-router-7b']);
});

test('a trace has all its spans below one request, within its time, and the log names it', async () => {
  const { traces: listed } = await traces.list({ id: idOf('web-scout', 'production'), limit: 100 });
  const largest = listed.toSorted((a, b) => b.span_count - a.span_count)[0];
  const detail = await traces.get({ id: largest?.deployment_id ?? '', trace_id: largest?.trace_id ?? '' });
  const { spans, ...summary } = detail;
  expect(summary).toEqual(largest);
  expect(spans.length).toBe(largest?.span_count);
  expect(spans.filter(({ parent_span_id }) => parent_span_id === null).map(({ type, origin }) => [type, origin])).toEqual([
    ['request', 'gateway'],
  ]);
  for (const { offset_ms, duration_ms } of spans) expect(offset_ms + duration_ms).toBeLessThanOrEqual(detail.duration_ms + 1);
  const lines = world.deployments.find(({ row }) => row.id === largest?.deployment_id)?.lines ?? [];
  expect(lines.filter(({ message }) => message.includes(detail.trace_id))).toHaveLength(1);
});

test('the sums of a day are those of its traces, and filters leave what they name', async () => {
  const now = Date.now();
  const day = new Date(now - 2 * 86_400_000).toISOString().slice(0, 10);
  const project_id = world.deployments.find(({ row }) => row.id === router)?.row.project_id ?? '';
  const { totals, model_usage, unpriced_models } = await traces.usage({
    date_from: day,
    date_to: day,
    project_id,
    environment: 'production',
  });
  const listed: Trace[] = [];
  for (const { row } of world.deployments.filter((each) => each.row.project_id === project_id && each.row.environment === 'production')) {
    let cursor: string | undefined;
    do {
      const page = await traces.list({ id: row.id, limit: 500, ...(cursor ? { cursor } : {}) });
      listed.push(...page.traces.filter(({ started_at }) => started_at.startsWith(day)));
      cursor = page.next_cursor ?? undefined;
    } while (cursor);
  }
  const sum = (figure: (trace: Trace) => number | null) => listed.reduce((all, trace) => all + (figure(trace) ?? 0), 0);
  expect(totals.input_tokens).toBe(sum((trace) => trace.input_tokens));
  expect(totals.output_tokens).toBe(sum((trace) => trace.output_tokens));
  expect(totals.cost_usd).toBeCloseTo(
    sum((trace) => trace.cost_usd),
    6,
  );
  expect(totals.input_tokens).toBeGreaterThan(0);
  expect(new Set(model_usage.map((row) => row.day))).toEqual(new Set([day]));
  expect(unpriced_models).toEqual(['acme-router-7b']);
  await expect(traces.usage({ project_id: 'prj_none' })).rejects.toMatchObject({ code: 'project_not_found' });
});
