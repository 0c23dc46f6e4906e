import type { ModelPrice, TraceDetail } from '@paddock/contract';
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
let world = createDemoWorld();
let asked: URLSearchParams[] = [];
let sent: { model_prices: ModelPrice[] }[] = [];
/** Turns a trace into one that a hostile agent could send. */
let change = (trace: TraceDetail): TraceDetail => trace;
let refusal: string | null = null;

const problem = (status: number, code: string, detail: string) =>
  Response.json({ status, code, detail, request_id: 'req_7' }, { status, headers: { 'content-type': 'application/problem+json' } });

/** The server of these tests responds like the demo. */
async function answer(path: string, query: URLSearchParams, body: string | null): Promise<Response> {
  const api = demoApi(world);
  const given = Object.fromEntries(query);
  if (refusal && path.includes('/traces')) return problem(403, 'scope_missing', refusal);
  const [, id = '', trace_id] = /^\/deployments\/(.+?)\/traces(?:\/(.+))?$/.exec(path) ?? [];
  if (trace_id)
    return api.traces.get({ id, trace_id }).then(
      (trace) => Response.json(change(trace)),
      () => problem(404, 'trace_not_found', 'There is no such trace.'),
    );
  if (id) {
    asked.push(query);
    const limits = { limit: 20, min_duration_ms: Number(query.get('min_duration_ms') ?? 0) };
    return Response.json(await api.traces.list({ id, ...given, ...limits }));
  }
  if (path === '/metrics/model-prices' && body) {
    sent.push(JSON.parse(body) as { model_prices: ModelPrice[] });
    return Response.json(await api.traces.setPrices(sent.at(-1) ?? { model_prices: [] }));
  }
  if (path === '/metrics/model-prices') return Response.json(await api.traces.prices());
  if (path === '/metrics/agents') return Response.json(await api.metrics.agents());
  if (path === '/auth/me') return Response.json(user);
  const agent = /^\/metrics\/agents\/(.+)$/.exec(path)?.[1];
  return agent ? Response.json(await api.metrics.agent({ id: agent, time_range: '24h' })) : problem(404, 'not_found', 'Not here.');
}

beforeEach(() => {
  world = createDemoWorld();
  [asked, sent, refusal] = [[], [], null];
  change = (trace) => trace;
  server.mockImplementation((given, init) => {
    const { pathname, searchParams } = new URL(String(given), location.origin);
    // Nothing changes: the long poll stays pending.
    if (pathname.endsWith('/changes')) return new Promise(() => undefined);
    return answer(pathname.replace('/api/v1', ''), searchParams, init?.method === 'PUT' ? String(init.body) : null);
  });
  startSession({ token: 'tok', user }, false);
});
afterEach(() => {
  endSession();
});

async function open(path: string) {
  const router = consoleRouter(createMemoryHistory({ initialEntries: [path] }));
  await render(<Console router={router} queries={consoleQueries()} />);
  return { search: () => decodeURIComponent(router.state.location.searchStr), back: () => router.history.back() };
}
const table = page.getByRole('table', { name: 'Traces' });
const grid = page.getByRole('treegrid', { name: 'Spans' });
const activeName = () => document.getElementById(grid.element().getAttribute('aria-activedescendant') ?? '')?.textContent;
const rows = () => table.getByRole('row').elements().length - 1;
/** The height of the sticky head, which covers rows scrolled below it. */
const headPx = 36;
const routed = () => world.deployments.find(({ row }) => row.project_name === 'support-router' && row.is_current)?.row.id ?? '';

test('traces are listed with what they took and cost, filtered by the address, and loaded page by page', async () => {
  const { search } = await open('/metrics?tab=traces');
  await expect.element(table.getByRole('link', { name: 'POST /v1/chat/completions' }).first()).toBeVisible();
  expect(rows()).toBe(20);
  await expect.element(table.getByText('3.3K in, 276 out').first()).toBeVisible();
  const unpriced = table.getByRole('link', { name: 'no price' }).first();
  await expect.element(unpriced).toHaveAccessibleDescription('No price is known for acme-router-7b. Set it under Model prices.');
  await page.getByRole('button', { name: 'Load more' }).click();
  await vi.waitFor(() => expect(rows()).toBe(40));
  expect(asked.at(-1)?.get('cursor')).toMatch(/^[0-9a-f]{32}$/);
  expect(asked.at(-1)?.get('date_from')).toBe(asked.at(-2)?.get('date_from'));
  // A list of more than one page is not refreshed automatically, and shows a Refresh button.
  await expect.element(page.getByRole('button', { name: 'Refresh' })).toBeVisible();

  await page.getByRole('combobox', { name: 'Filter by status' }).selectOptions('Error');
  await page.getByRole('combobox', { name: 'Filter by duration' }).selectOptions('At least 500 ms');
  await page.getByRole('combobox', { name: 'Filter by model' }).selectOptions('claude-sonnet-4-5');
  await page.getByRole('radio', { name: '7d' }).click();
  await vi.waitFor(() =>
    expect(search()).toBe(`?deployment=${routed()}&tab=traces&status=error&min_ms=500&model=claude-sonnet-4-5&range=7d`),
  );
  await vi.waitFor(() =>
    expect(Object.fromEntries(asked.at(-1) ?? [])).toMatchObject({ status: 'error', min_duration_ms: '500', model: 'claude-sonnet-4-5' }),
  );
  await expect.element(table.getByText('OK', { exact: true })).not.toBeInTheDocument();
  await page.getByRole('searchbox', { name: 'Search traces by name or id' }).fill('nothing like this');
  await expect.element(page.getByText('No traces from the last 7 days match these filters.')).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).last().click();
  await vi.waitFor(() => expect(search()).toBe(`?deployment=${routed()}&tab=traces&range=7d`));
  await expect.element(page.getByRole('searchbox', { name: 'Search traces by name or id' })).toHaveValue('');
});

test('an agent without traces is told how traces come, and what was not stored is told in one line', async () => {
  await open('/metrics?tab=traces');
  await expect.element(page.getByText(/^Not stored in the last 24 hours: 1,904 attributes with prompts and answers/)).toBeVisible();
  await page.getByRole('combobox', { name: 'Agent' }).selectOptions('invoice-triage, production');
  await expect
    .element(page.getByText(/^No traces in the last 24 hours\. Requests through the gateway appear here automatically\./))
    .toBeVisible();
  await expect.element(page.getByRole('link', { name: 'Guide to traces' })).toHaveAttribute('href', '/docs/traces');
  expect(page.getByText(/^Not stored/).query()).toBeNull();
});

test('a failure is told with its request, and Retry brings the list', async () => {
  refusal = 'This key may not read agents.';
  await open('/metrics?tab=traces');
  await expect.element(page.getByRole('alert').getByText('This key may not read agents.')).toBeVisible();
  await expect.element(page.getByRole('alert').getByText('req_7')).toBeVisible();
  refusal = null;
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect.element(table).toBeVisible();
});

test('the waterfall is walked by keys: rows, folds, details and back', async () => {
  const { search, back } = await open('/metrics?tab=traces&status=error');
  await table.getByRole('link').first().click();
  await expect.element(grid).toBeVisible();
  await expect.element(page.getByRole('heading', { name: 'POST /v1/chat/completions' })).toHaveFocus();
  await vi.waitFor(() => expect(grid.getByRole('row').elements()).toHaveLength(8));
  grid.element().focus();
  expect(activeName()).toContain('POST /v1/chat/completions');
  await userEvent.keyboard('{ArrowDown}{ArrowDown}');
  await vi.waitFor(() => expect(activeName()).toContain('invoke_agent support-router'));
  await userEvent.keyboard('{ArrowLeft}');
  await vi.waitFor(() => expect(grid.getByRole('row').elements()).toHaveLength(4));
  await expect.element(grid.getByRole('row', { name: /invoke_agent/ })).toHaveAttribute('aria-expanded', 'false');
  await userEvent.keyboard('{ArrowRight}{End}');
  await vi.waitFor(() => expect(activeName()).toContain('chat claude-sonnet-4-5'));
  await userEvent.keyboard('{ArrowLeft}');
  await vi.waitFor(() => expect(activeName()).toContain('invoke_agent support-router'));
  await userEvent.keyboard('{End}{Enter}');
  const details = page.getByRole('dialog', { name: 'chat claude-sonnet-4-5' });
  await expect.element(details.getByText('529 overloaded_error: the model is overloaded').first()).toBeVisible();
  await expect.element(details.getByText(/^Prompts and answers are not stored: 2 attributes/)).toBeVisible();
  await expect.element(details.getByRole('table', { name: 'Attributes', exact: true }).getByText('gen_ai.operation.name')).toBeVisible();
  expect(search()).toMatch(/&trace=[0-9a-f]{32}&span=[0-9a-f]{16}$/);
  await userEvent.keyboard('{Escape}');
  await expect.element(grid).toHaveFocus();
  expect(activeName()).toContain('chat claude-sonnet-4-5');
  back();
  await expect.element(table).toBeVisible();
  expect(search()).toBe('?tab=traces&status=error');
});

test('what a hostile agent sends is all shown, cut, and turns nothing around', async () => {
  change = (trace) => {
    const [first] = trace.spans;
    if (!first) return trace;
    const named = (span_id: string, parent_span_id: string | null, name: string) => ({ ...first, span_id, parent_span_id, name });
    return {
      ...trace,
      name: `\u202eesrever\u202c\x1b[31m${'x'.repeat(5000)}`,
      spans: [
        named('a', 'b', 'first of a circle'),
        named('b', 'a', 'second of a circle'),
        named('c', 'gone', 'orphan \u2066hidden\u2069 \u0007bell'),
        named('c', 'c', 'its twin'),
        {
          ...named('d', null, ''),
          offset_ms: -1e12,
          duration_ms: 1e15,
          attributes: { '\u202ekey': '<img src=x onerror=alert(1)>', list: ['a', 2, true] },
        },
      ],
    };
  };
  await open('/metrics?tab=traces');
  await table.getByRole('link').first().click();
  await vi.waitFor(() => expect(grid.getByRole('row').elements()).toHaveLength(6));
  const shown = document.querySelector('main')?.textContent ?? '';
  for (const name of ['first of a circle', 'second of a circle', 'orphan hidden bell', 'its twin', 'Unnamed'])
    expect(shown).toContain(name);
  // oxlint-disable-next-line no-control-regex -- none of these may come through
  expect(shown).not.toMatch(/[\u0000-\u0008\u200b-\u200f\u202a-\u202e\u2066-\u2069]/);
  expect(page.getByRole('heading', { name: /esreverx+…/ }).element().textContent?.length).toBeLessThan(210);
  await grid.getByRole('row', { name: /Unnamed/ }).click();
  const details = page.getByRole('dialog', { name: 'Unnamed' });
  await expect.element(details.getByText('<img src=x onerror=alert(1)>')).toBeVisible();
  await expect.element(details.getByRole('rowheader', { name: 'key', exact: true })).toBeVisible();
});

test('a trace of 2,000 spans draws the rows in sight alone, and the keys reach its end', async () => {
  change = (trace) => ({
    ...trace,
    spans: Array.from({ length: 2000 }, (_, n) => ({
      ...(trace.spans[0] as TraceDetail['spans'][number]),
      span_id: `s${n}`,
      parent_span_id: n === 0 ? null : `s${n - (n % 7 || 1)}`,
      name: `step ${n}`,
      offset_ms: n,
    })),
  });
  await open('/metrics?tab=traces');
  await table.getByRole('link').first().click();
  await expect.element(page.getByText(/^2,000 spans/)).toBeVisible();
  await expect.element(grid).toHaveAttribute('aria-rowcount', '2001');
  expect(grid.getByRole('row').elements().length).toBeLessThan(80);
  grid.element().focus();
  const isWhole = () => {
    const [around, within] = [
      grid.element().getBoundingClientRect(),
      grid.getByRole('row', { selected: true }).element().getBoundingClientRect(),
    ];
    return within.top >= around.top + headPx && within.bottom <= around.bottom;
  };
  for (const key of ['{PageDown>4/}', '{ArrowDown>7/}', '{PageUp>2/}', '{ArrowUp>9/}']) {
    await userEvent.keyboard(key);
    await vi.waitFor(() => expect([key, isWhole()]).toEqual([key, true]));
  }
  await userEvent.keyboard('{End}');
  await expect.element(grid.getByRole('row', { selected: true })).toHaveAttribute('aria-rowindex', '2001');
  await expect.element(grid.getByRole('row', { selected: true })).toBeInViewport();
  await page.getByRole('button', { name: 'Collapse all' }).click();
  await expect.element(grid).toHaveAttribute('aria-rowcount', '2');
});

test('a price is added, shows at once, and is taken away; the whole own list is sent', async () => {
  const { search } = await open('/settings?tab=model-prices');
  const prices = page.getByRole('table', { name: 'Model prices' });
  await expect.element(page.getByText(/Defaults are from 1 Nov 2026/)).toBeVisible();
  await expect.element(prices.getByRole('row', { name: /^claude-sonnet-4-5 \$3\.00 \$0\.30 \$3\.75 \$15\.00 Default/ })).toBeVisible();
  await page.getByRole('button', { name: 'Add price' }).click();
  expect(search()).toBe('?tab=model-prices&action=new');
  const form = page.getByRole('dialog', { name: 'Add price' });
  await form.getByRole('textbox', { name: 'Model' }).fill('acme-embed-2');
  await form.getByRole('textbox', { name: 'Input', exact: true }).fill('cheap');
  await form.getByRole('button', { name: 'Save price' }).click();
  await expect.element(form.getByText('You already have a price for this model. Edit that one')).toBeVisible();
  await expect.element(form.getByText('Enter an amount in US dollars, such as 0.25')).toBeVisible();
  await expect.element(form.getByText('Enter an amount; 0 if it costs nothing')).toBeVisible();
  expect(sent).toEqual([]);
  await form.getByRole('textbox', { name: 'Model' }).fill('acme-router-7b');
  await form.getByRole('textbox', { name: 'Input', exact: true }).fill('0,2');
  await form.getByRole('textbox', { name: 'Output' }).fill('0.8');
  await form.getByRole('button', { name: 'Save price' }).click();
  await expect.element(prices.getByRole('row', { name: /^acme-router-7b \$0\.20 as input as input \$0\.80 Yours/ })).toBeVisible();
  expect(sent[0]?.model_prices.map(({ model }) => model)).toEqual(['acme-embed-2', 'acme-router-7b']);

  await page.getByRole('button', { name: 'Edit the price of gpt-5-mini' }).click();
  const edit = page.getByRole('dialog', { name: 'Price of gpt-5-mini' });
  await expect.element(edit.getByRole('textbox', { name: 'Cached input' })).toHaveValue('0.025');
  await edit.getByRole('textbox', { name: 'Output' }).fill('1.5');
  await edit.getByRole('button', { name: 'Save price' }).click();
  await expect.element(prices.getByRole('row', { name: /^gpt-5-mini \$0\.25 \$0\.025 as input \$1\.50 Yours/ })).toBeVisible();
  await page.getByRole('button', { name: 'Remove your price of gpt-5-mini' }).click();
  await page.getByRole('button', { name: 'Remove price' }).click();
  await expect.element(prices.getByRole('row', { name: /^gpt-5-mini .* \$2\.00 Default/ })).toBeVisible();
  expect(sent.at(-1)?.model_prices.map(({ model }) => model)).toEqual(['acme-embed-2', 'acme-router-7b']);
});
