import type { ModelUsage } from '@paddock/contract';
import { createMemoryHistory } from '@tanstack/react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { endSession, startSession } from '../../../api/session.ts';
import { Console } from '../../../app/Console.tsx';
import { consoleQueries } from '../../../app/query-client.ts';
import { consoleRouter } from '../../../app/router.tsx';
import { createDemoWorld } from '../../../demo/demo-world.ts';
import { noCalls, sumByDay, sumUsage } from './sum-usage.ts';

const user = { id: 'usr_1', email: 'ada@example.org', name: 'Ada Lovelace', plan: 'starter', email_verified: true };
beforeEach(() => startSession({ token: 'demo-token-test', user }, false));
afterEach(() => {
  endSession();
  vi.useRealTimers();
});

const open = (path: string) =>
  render(<Console router={consoleRouter(createMemoryHistory({ initialEntries: [path] }))} queries={consoleQueries()} />);
const card = (name: string) => page.getByRole('region', { name, exact: true });
const agents = createDemoWorld().deployments.map(({ row }) => row);

test('the metrics of an agent show tokens and cost by day and by model, and name what has no price', async () => {
  await open('/metrics');
  const usage = card('Model usage');
  await expect.element(usage.getByText(/^\$\d+\.\d\d$/).first()).toBeVisible();
  for (const name of ['Model cost by day', 'Tokens by day']) await expect.element(usage.getByRole('heading', { name })).toBeVisible();
  const rows = usage.getByRole('table', { name: 'Model usage by model' });
  await expect.element(rows.getByRole('row', { name: /^claude-sonnet-4-5 [\d.]+K? .* \$\d+\.\d\d$/ })).toBeVisible();
  await expect.element(rows.getByRole('row', { name: /^acme-router-7b .* no price$/ })).toBeVisible();
  await expect.element(usage.getByText(/^The cost is without acme-router-7b: no price is known\./)).toBeVisible();
  await expect
    .element(usage.getByRole('link', { name: 'Set model prices' }))
    .toHaveAttribute('href', expect.stringContaining('tab=model-prices'));
});

test('an agent that sent no model calls has one sentence that tells how they come', async () => {
  const silent = agents.find(({ project_name, status }) => status === 'active' && !/support-router|web-scout/.test(project_name));
  await open(`/metrics?deployment=${silent?.id}`);
  await expect.element(card('Model usage').getByText(/^No model calls in these days: they appear here once/)).toBeVisible();
  await expect.element(card('Model usage').getByRole('link', { name: 'Guide to traces' })).toHaveAttribute('href', '/docs/traces');
});

test('billing shows what the month’s models cost by project, and that Paddock does not bill it', async () => {
  // In the first minutes of a month nothing has been called.
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-20T12:00:00Z') });
  await open('/billing?tab=usage');
  const cost = card('Model cost');
  await expect.element(cost.getByText(/^Paid to model providers, not billed by Paddock\./)).toBeVisible();
  await expect
    .element(cost.getByRole('table', { name: 'Model cost by project' }).getByRole('row', { name: /^support-router .* \$\d+\.\d\d$/ }))
    .toBeVisible();
});

test('a budget of model cost stands beside those of usage, is set for a project, and is removed', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-20T12:00:00Z') });
  await open('/billing?tab=usage');
  const budgets = card('Budgets');
  await expect.element(budgets.getByRole('meter', { name: 'Model cost of the whole team' })).toHaveAttribute('aria-valuemax', '5');
  await budgets.getByRole('combobox', { name: 'Budget of' }).selectOptions('Model cost');
  await budgets.getByRole('combobox', { name: 'Budget for' }).selectOptions('web-scout');
  await budgets.getByRole('textbox', { name: 'Dollars per month' }).fill('12.50');
  await budgets.getByRole('button', { name: 'Save budget' }).click();
  await expect.element(budgets.getByRole('meter', { name: 'Model cost of web-scout' })).toHaveAttribute('aria-valuemax', '12.5');
  await budgets.getByRole('button', { name: 'Remove budget for Model cost of web-scout' }).click();
  await expect.element(budgets.getByRole('meter', { name: 'Model cost of web-scout' })).not.toBeInTheDocument();
  await expect.element(budgets.getByRole('meter', { name: 'The whole team', exact: true })).toHaveAttribute('aria-valuemax', '400');
});

test('rows are summed by a key, the most expensive first, and each day of the range has its place', () => {
  const row = (more: Partial<ModelUsage>): ModelUsage => ({
    ...noCalls,
    day: '2026-11-01',
    project_id: 'prj_1',
    project_name: 'desk',
    model: 'a',
    calls: 1,
    ...more,
  });
  const model_usage = [
    row({ input_tokens: 9 }),
    row({ model: 'b', cost_usd: 1 }),
    row({ model: 'b', cost_usd: 2, day: '2026-11-03', output_tokens: 5 }),
  ];
  const models = sumUsage(model_usage, ({ model }) => model ?? '');
  expect(models).toMatchObject([
    { key: 'b', calls: 2, cost_usd: 3, output_tokens: 5 },
    { key: 'a', calls: 1, cost_usd: null, input_tokens: 9 },
  ]);
  const days = sumByDay({ date_from: '2026-11-01', date_to: '2026-11-04', model_usage, totals: noCalls, unpriced_models: [] });
  expect(days.map(({ at, calls, cost_usd }) => [new Date(at).getUTCDate(), calls, cost_usd])).toEqual([
    [1, 2, 1],
    [2, 0, null],
    [3, 1, 2],
    [4, 0, null],
  ]);
});
