import type { AgentMetrics } from '@paddock/contract';
import { createMemoryHistory } from '@tanstack/react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { endSession, startSession } from '../../api/session.ts';
import { Console } from '../../app/Console.tsx';
import { consoleQueries } from '../../app/query-client.ts';
import { consoleRouter } from '../../app/router.tsx';
import { demoApi } from '../../demo/demo-api.ts';
import { createDemoWorld } from '../../demo/demo-world.ts';

const user = { id: 'usr_1', email: 'ada@example.org', name: 'Ada Lovelace', plan: 'starter', email_verified: true };
const server = vi.spyOn(window, 'fetch');
const refreshMs = 30_000;
let world = createDemoWorld();
let asked: string[] = [];
let isAway = false;
/** Overrides of the demo's figures of an agent. */
let measured: Partial<AgentMetrics> = {};

const problem = (status: number, code: string, detail: string) =>
  Response.json({ status, code, detail, request_id: 'req_7' }, { status, headers: { 'content-type': 'application/problem+json' } });
const lists: Record<string, unknown> = {
  '/api/v1/projects': { projects: [], next_cursor: null },
  '/api/v1/metrics/alerts': { alerts: [], next_cursor: null, open: 0 },
  '/api/v1/auth/me': user,
  '/api/v1/system': {
    version: '1',
    isolated: true,
    runtime_problem: null,
    agent_domain: 'localhost',
    database_problems: { postgresql: null, redis: null },
    recording_problem: null,
  },
};

/** The server of these tests responds like the demo. */
async function answer(path: string, query: URLSearchParams): Promise<Response> {
  const api = demoApi(world);
  const time_range = (query.get('time_range') ?? '24h') as '24h';
  if (path === '/api/v1/metrics/agents') return Response.json(await api.metrics.agents());
  if (path === '/api/v1/metrics/system') return Response.json(await api.metrics.system({ time_range }));
  if (path === '/api/v1/metrics/model-usage') return Response.json(await api.traces.usage({ project_id: query.get('project_id') ?? '' }));
  if (path === '/api/v1/deployments') return Response.json(await api.deployments.list({ limit: 5 }));
  // The shell requests it on every page. Without a response it would be retried, and still be in progress while requests are counted.
  if (path === '/api/v1/billing/subscription') return Response.json(await api.billing.subscription({}));
  if (path === '/api/v1/databases') return Response.json(await api.databases.list({ limit: 1 }));
  const id = /^\/api\/v1\/metrics\/agents\/(.+)$/.exec(path)?.[1];
  if (id === undefined) return path in lists ? Response.json(lists[path]) : problem(404, 'not_found', 'There is no such thing.');
  if (isAway) return problem(403, 'scope_missing', 'This key may not read agents.');
  return api.metrics.agent({ id, time_range }).then(
    (metrics) => Response.json({ ...metrics, ...measured }),
    () => problem(404, 'deployment_not_found', 'There is no such deployment.'),
  );
}

beforeEach(() => {
  world = createDemoWorld();
  asked = [];
  isAway = false;
  measured = {};
  server.mockImplementation((given) => {
    const { pathname, searchParams } = new URL(String(given), location.origin);
    // Nothing changes: the long poll stays pending.
    if (pathname.endsWith('/changes')) return new Promise(() => undefined);
    asked.push(`${pathname}?${searchParams}`);
    return answer(pathname, searchParams);
  });
  startSession({ token: 'tok', user }, false);
});
afterEach(() => {
  endSession();
  vi.useRealTimers();
});

async function open(path: string) {
  const router = consoleRouter(createMemoryHistory({ initialEntries: [path] }));
  const queries = consoleQueries();
  await render(<Console router={router} queries={queries} />);
  return { search: () => router.state.location.searchStr, queries };
}
const idOf = (project: string, environment = 'production') =>
  world.deployments.find(({ row }) => row.project_name === project && row.environment === environment && row.status === 'active')?.row.id ??
  '';
/** Long enough to detect a call that must not happen. */
const aMoment = () => new Promise((resolve) => setTimeout(resolve, 150));
const card = (name: string) => page.getByRole('region', { name, exact: true });
const figuresAsked = () => asked.filter((each) => each.startsWith('/api/v1/metrics/agents/')).length;

test('without an address the first active agent is shown, with its score, figures, sources and charts', async () => {
  await open('/metrics');
  await expect.element(page.getByRole('heading', { name: 'support-router, production' })).toBeVisible();
  await expect.element(card('Health score').getByText(/^Lowered most by latency: \d+ ms on average costs [\d.]+ points$/)).toBeVisible();
  await expect
    .element(card('Health score').getByRole('meter'))
    .toHaveAttribute('aria-valuetext', expect.stringMatching(/^\d+ of 100, Excellent$/));
  await card('Health score').getByText('How it is calculated').click();
  await expect.element(card('Health score').getByRole('row', { name: /^Speed 100 − \d+ ms ÷ 10/ })).toBeVisible();
  await expect
    .element(
      card('Requests')
        .getByText(/^[\d.]+K$/)
        .first(),
    )
    .toBeVisible();
  for (const name of ['p50', 'p95', 'p99']) await expect.element(card('Average latency').getByText(name)).toBeVisible();
  await expect
    .element(
      card('Average latency')
        .getByText(/^\d+ ms$/)
        .nth(3),
    )
    .toBeVisible();
  await expect.element(card('Cost').getByText('Per 1K requests')).toBeVisible();
  await expect
    .element(
      card('Cost')
        .getByText(/^\$0\.\d+$/)
        .first(),
    )
    .toBeVisible();
  await expect.element(card('Load').getByRole('meter', { name: 'Memory' })).toHaveAttribute('aria-valuemax', '512');
  await expect.element(page.getByRole('heading', { name: 'Requests per minute' })).toBeVisible();
  await expect.element(page.getByRole('heading', { name: 'Restarts' })).toBeVisible();
  const source = card('Cost').getByRole('button', { name: 'Cost' });
  await expect.element(source).toHaveAccessibleDescription('Running time × $0.10 per hour + bytes × $0.05 per GB');
});

test('a score below 90 never stands as 90 beside the sentence that calls 90 excellent', async () => {
  measured = {
    ...{ uptime_percentage: 100, error_rate: 0, avg_latency_ms: 306, health_score: 89.8, health: 'Good' },
    health_lowered_by: 'latency',
  };
  await open('/metrics');
  await expect.element(card('Health score').getByText('89', { exact: true })).toBeVisible();
  await expect.element(card('Health score').getByRole('meter')).toHaveAttribute('aria-valuetext', '89 of 100, Good');
  await expect.element(card('Health score').getByRole('meter')).toHaveAttribute('aria-valuenow', '89');
});

test('agent and range are kept in the address, and chosen by keyboard alone', async () => {
  const { search } = await open(`/metrics?deployment=${idOf('web-scout')}&range=7d`);
  await expect.element(page.getByRole('heading', { name: 'web-scout, production' })).toBeVisible();
  await expect.element(page.getByText(/^One point per hour/)).toBeVisible();
  await expect.element(page.getByRole('radio', { name: '7d' })).toBeChecked();
  (page.getByRole('radio', { name: '7d' }).element() as HTMLElement).focus();
  await userEvent.keyboard('{ArrowRight}');
  await vi.waitFor(() => expect(search()).toContain('range=30d'));
  await page.getByRole('combobox', { name: 'Agent' }).selectOptions('support-router, preview');
  await expect.element(page.getByRole('heading', { name: 'support-router, preview' })).toBeVisible();
  expect(search()).toBe(`?deployment=${idOf('support-router', 'preview')}&range=30d`);
  await page.getByRole('radio', { name: '24h' }).click();
  await vi.waitFor(() => expect(search()).toBe(`?deployment=${idOf('support-router', 'preview')}`));
});

test('figures renew themselves every 30 s, stand still when that is switched off, and in a window that nobody sees', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const { queries } = await open('/metrics');
  await expect.element(page.getByRole('heading', { name: 'support-router, production' })).toBeVisible();
  await expect.element(page.getByRole('checkbox', { name: 'Auto-refresh' })).toBeChecked();
  expect(figuresAsked()).toBe(1);
  vi.advanceTimersByTime(refreshMs);
  await vi.waitFor(() => expect(figuresAsked()).toBe(2));
  // A call in progress would prevent another one.
  await vi.waitFor(() => expect(queries.isFetching()).toBe(0));

  const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  vi.advanceTimersByTime(3 * refreshMs);
  await aMoment();
  visibility.mockRestore();
  expect(figuresAsked()).toBe(2);

  await page.getByRole('checkbox', { name: 'Auto-refresh' }).click();
  await expect.element(page.getByText(/^As of /)).toBeVisible();
  vi.advanceTimersByTime(3 * refreshMs);
  // A change of the team invalidates all queries.
  void queries.invalidateQueries();
  await aMoment();
  expect(figuresAsked()).toBe(2);
  await page.getByRole('button', { name: 'Refresh', exact: true }).click();
  await vi.waitFor(() => expect(figuresAsked()).toBe(3));
});

test('the agent that is shown stays when another one is deployed meanwhile', async () => {
  const { queries } = await open('/metrics');
  await expect.element(page.getByRole('heading', { name: 'support-router, production' })).toBeVisible();
  const at = world.deployments.findIndex(({ row }) => row.id === idOf('web-scout'));
  world.deployments.unshift(...world.deployments.splice(at, 1));
  await queries.invalidateQueries();
  await expect
    .element(page.getByRole('combobox', { name: 'Agent' }).getByRole('option').first())
    .toHaveTextContent('web-scout, production');
  await expect.element(page.getByRole('heading', { name: 'support-router, production' })).toBeVisible();
});

test('an unknown deployment is told, and the active agents are offered', async () => {
  const { search } = await open('/metrics?deployment=dep_gone');
  await expect.element(page.getByText(/^Deployment not found\./)).toBeVisible();
  await page.getByRole('button', { name: 'web-scout, production' }).click();
  await expect.element(page.getByRole('heading', { name: 'web-scout, production' })).toBeVisible();
  expect(search()).toBe(`?deployment=${idOf('web-scout')}`);
});

test('a failure is told with its request, and the figures of before stay', async () => {
  await open('/metrics');
  await expect
    .element(
      card('Requests')
        .getByText(/^[\d.]+K$/)
        .first(),
    )
    .toBeVisible();
  await page.getByRole('checkbox', { name: 'Auto-refresh' }).click();
  isAway = true;
  await page.getByRole('button', { name: 'Refresh', exact: true }).click();
  await expect.element(page.getByRole('alert').getByText('This key may not read agents.')).toBeVisible();
  await expect.element(page.getByRole('alert').getByText('req_7')).toBeVisible();
  await expect
    .element(
      card('Requests')
        .getByText(/^[\d.]+K$/)
        .first(),
    )
    .toBeVisible();
  isAway = false;
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect.element(page.getByRole('alert').getByText('This key may not read agents.')).not.toBeInTheDocument();
});

test('an agent that nobody called says so, and has no charts of requests', async () => {
  await open(`/metrics?deployment=${idOf('invoice-triage')}`);
  await expect.element(card('Requests').getByText('No requests in this period')).toBeVisible();
  await expect.element(card('Error rate').getByText('No requests in this period')).toBeVisible();
  await expect.element(page.getByRole('heading', { name: 'CPU' })).toBeVisible();
  expect(page.getByRole('heading', { name: 'Requests per minute' }).query()).toBeNull();
});

test('an agent that was stopped is among those to choose from and is told as stopped', async () => {
  const stopped = world.deployments.find(({ row }) => row.status === 'stopped')?.row.id ?? '';
  await open(`/metrics?deployment=${stopped}&range=7d`);
  await expect.element(page.getByText('This deployment is stopped.', { exact: false })).toBeVisible();
  await expect.element(page.getByRole('combobox', { name: 'Agent' })).toHaveDisplayValue(/^support-router, production \(stopped, …/);
  await expect.element(card('Load').getByText('not running').first()).toBeVisible();
});

test('without an active agent the page leads into the deploy form', async () => {
  for (const { row } of world.deployments) row.status = 'stopped';
  await open('/metrics');
  await expect.element(page.getByRole('link', { name: 'Deploy agent' })).toHaveAttribute('href', '/deployments?action=deploy');
});

test('the dashboard tells the last day of all agents and of each, and leads to their metrics', async () => {
  await open('/dashboard');
  const day = page.getByRole('region', { name: 'Last 24 hours', exact: true });
  await expect.element(day.getByRole('link', { name: /^Requests\s*[\d.]+K$/ })).toHaveAttribute('href', '/metrics');
  await expect.element(day.getByRole('link', { name: /^Uptime\s*[\d.]+ %$/ })).toBeVisible();
  const agents = page.getByRole('table', { name: 'Active agents, last 24 hours' });
  await expect
    .element(agents.getByRole('link', { name: 'Metrics of web-scout, production' }))
    .toHaveAttribute('href', `/metrics?deployment=${idOf('web-scout')}`);
  await expect.element(agents.getByRole('img', { name: /^[\d.]+K requests, peak at \d\d:\d\d$/ }).first()).toBeVisible();
  await expect.element(agents.getByRole('img', { name: 'No requests' })).toBeInTheDocument();
});
