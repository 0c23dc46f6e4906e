import { contract } from '@paddock/contract';
import { metricsPoints, metricsRanges } from '@paddock/contract/limits';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { demoApi } from '../../../demo/demo-api.ts';
import { createDemoWorld } from '../../../demo/demo-world.ts';

const start = () => demoApi(createDemoWorld());
// A fixed time for all calls of a test: the afternoon of a working day.
beforeEach(() => vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 10, 20, 15, 10) }));
afterEach(() => vi.useRealTimers());

const sum = (values: readonly (number | null)[]) => values.reduce<number>((total, value) => total + (value ?? 0), 0);

test.each(metricsRanges)('all agents of the demo, over %s, tell figures that agree with their series', async (time_range) => {
  const api = start();
  const { deployments } = await api.deployments.list();
  for (const { id } of deployments) {
    const metrics = await api.metrics.agent({ id, time_range });
    contract.metrics.agent.output.parse(metrics);
    const { step_s, requests_by_status } = metrics;
    for (const [name, series] of Object.entries(metrics).filter(([key]) => key.endsWith('_over_time') || key === 'requests_per_minute')) {
      const points = series as { timestamp: string }[];
      expect(points, name).toHaveLength(metricsPoints[time_range]);
      const times = points.map(({ timestamp }) => Date.parse(timestamp));
      expect(new Set(times.slice(1).map((at, index) => at - (times[index] ?? 0)))).toEqual(new Set([step_s * 1000]));
    }
    const lasted = (timestamp: string) => Math.max(1, Math.min(step_s / 60, Math.ceil((Date.now() - Date.parse(timestamp)) / 60_000)));
    const counts = metrics.requests_per_minute.map(({ timestamp, value }) => (value ?? 0) * lasted(timestamp));
    expect(sum(counts)).toBeCloseTo(metrics.requests_total, 3);
    expect(sum(Object.values(requests_by_status))).toBe(metrics.requests_total);
    expect(sum(metrics.bytes_over_time.map(({ value }) => value))).toBe(metrics.bytes_in + metrics.bytes_out);
    expect(sum(metrics.restarts_over_time.map(({ value }) => value))).toBe(metrics.restarts);
    for (const [index, { value }] of metrics.p50_latency_over_time.entries()) {
      const [p95, p99] = [metrics.p95_latency_over_time[index]?.value, metrics.p99_latency_over_time[index]?.value];
      expect((value ?? 0) <= (p95 ?? 0) && (p95 ?? 0) <= (p99 ?? 0)).toBe(true);
    }
  }
});

test('the demo shows an agent with errors and gaps, one without requests, and one that was deployed within the day', async () => {
  const api = start();
  const { agents } = await api.metrics.agents();
  contract.metrics.agents.output.parse({ agents, next_cursor: null });
  const all = await Promise.all(agents.map(({ agent_id }) => api.metrics.agent({ id: agent_id, time_range: '24h' })));
  const flaky = all.find(({ environment }) => environment === 'preview');
  expect(flaky?.error_rate).toBeGreaterThan(0.05);
  const week = await api.metrics.agent({ id: flaky?.agent_id ?? '', time_range: '30d' });
  const measured = week.requests_per_minute.map(({ value }) => value !== null);
  expect(measured.slice(measured.indexOf(true))).toContain(false);
  expect(all.some(({ requests_total, cpu_usage_percent }) => requests_total === 0 && cpu_usage_percent !== null)).toBe(true);
  expect(all.some(({ deployments }) => deployments.length > 0)).toBe(true);
});

test('the same moment has the same figures whenever it is asked for, and all agents together are what each is', async () => {
  const api = start();
  const { agents } = await api.metrics.agents();
  const id = agents[0]?.agent_id ?? '';
  const [one, two] = [await api.metrics.agent({ id, time_range: '30d' }), await api.metrics.agent({ id, time_range: '30d' })];
  expect(two.requests_per_minute).toEqual(one.requests_per_minute);
  const system = await api.metrics.system();
  contract.metrics.system.output.parse(system);
  const each = await Promise.all(agents.map(({ agent_id }) => api.metrics.agent({ id: agent_id, time_range: '24h' })));
  expect(system.total_requests).toBe(sum(each.map(({ requests_total }) => requests_total)));
  expect(system.total_agents).toBe(agents.length);
  await expect(api.metrics.agent({ id: 'dep_unknown' })).rejects.toMatchObject({ code: 'deployment_not_found' });
});

test('an agent that is stopped leaves the list of active ones and keeps its figures', async () => {
  const api = start();
  const { agents } = await api.metrics.agents();
  const [first] = agents;
  await api.deployments.stop({ id: first?.agent_id ?? '' });
  expect((await api.metrics.agents()).agents).toHaveLength(agents.length - 1);
  const stopped = await api.metrics.agent({ id: first?.agent_id ?? '' });
  expect([stopped.status, stopped.cpu_usage_percent]).toEqual(['stopped', null]);
  expect(stopped.requests_total).toBeGreaterThan(0);
});
