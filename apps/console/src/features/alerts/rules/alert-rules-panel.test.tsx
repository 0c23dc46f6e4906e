import { ApiError } from '@paddock/contract/errors';
import { createMemoryHistory } from '@tanstack/react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { offerDemo } from '../../../api/api.ts';
import { endSession, startSession } from '../../../api/session.ts';
import { Console } from '../../../app/Console.tsx';
import { consoleQueries } from '../../../app/query-client.ts';
import { consoleRouter } from '../../../app/router.tsx';
import { demoApi } from '../../../demo/demo-api.ts';
import { createDemoWorld } from '../../../demo/demo-world.ts';

const user = { id: 'usr_1', email: 'ada@example.org', name: 'Ada Lovelace', plan: 'starter', email_verified: true };
let world = createDemoWorld();
/** Spies on the calls for rules; a test may override a response. */
let alertRules = demoApi(world).alertRules;

beforeEach(() => {
  world = createDemoWorld();
  const api = demoApi(world);
  alertRules = { ...api.alertRules };
  for (const name of Object.keys(alertRules)) vi.spyOn(alertRules, name as keyof typeof alertRules);
  offerDemo(() => Promise.resolve({ ...api, alertRules }));
  startSession({ token: 'demo-token-test', user }, false);
});
afterEach(() => {
  endSession();
  vi.restoreAllMocks();
});

async function open(path = '/settings?tab=alerts') {
  const router = consoleRouter(createMemoryHistory({ initialEntries: [path] }));
  await render(<Console router={router} queries={consoleQueries()} />);
  return { where: () => router.state.location.href };
}
const idOf = (project: string) => world.projects.find(({ name }) => name === project)?.id;
const rule = (name: string) => page.getByRole('list', { name: 'Alert rules' }).getByRole('listitem', { name, exact: true });
const turn = (name: string) => rule(name).getByRole('switch', { name });
const threshold = (name: string) => rule(name).getByRole('textbox');
const reset = (name: string) => page.getByRole('button', { name: `Reset to default: ${name}` });

test('a rule is switched with one press, keeps its threshold, and goes back to its default on request', async () => {
  await open();
  await expect.element(turn('Error rate')).toBeChecked();
  expect(reset('Error rate').query()).toBeNull();
  await turn('Error rate').click();
  // The switch is off before the server has responded.
  expect((turn('Error rate').element() as HTMLInputElement).checked).toBe(false);
  await expect.element(reset('Error rate')).toBeVisible();
  await expect.element(turn('Error rate')).not.toBeChecked();
  expect(alertRules.update).toHaveBeenCalledExactlyOnceWith({ id: idOf('nightly-eval'), rule: 'error_rate', is_on: false });
  await expect.element(threshold('Error rate')).toHaveValue('5');
  await reset('Error rate').click();
  await expect.element(turn('Error rate')).toBeChecked();
  expect(reset('Error rate').query()).toBeNull();
  // The pressed button is gone, so the focus moved.
  await expect.element(turn('Error rate')).toHaveFocus();
});

test('an error rate is set in percent by keys alone, and Save shows only while there is something to save', async () => {
  await open();
  const save = page.getByRole('button', { name: 'Save the threshold of Error rate' });
  await expect.element(threshold('Error rate')).toHaveValue('5');
  expect(save.query()).toBeNull();
  await threshold('Error rate').fill('12.5');
  await expect.element(save).toBeVisible();
  await userEvent.keyboard('{Enter}');
  await expect.element(reset('Error rate')).toBeVisible();
  expect(alertRules.update).toHaveBeenCalledExactlyOnceWith({ id: idOf('nightly-eval'), rule: 'error_rate', threshold: 0.125 });
  expect(save.query()).toBeNull();
  await expect.element(threshold('Error rate')).toHaveFocus();
  await expect.element(threshold('Error rate')).toHaveValue('12.5');
});

test('a threshold outside its bounds is not sent, and the bounds are told at the field', async () => {
  await open();
  await threshold('Health score').fill('100');
  await userEvent.keyboard('{Enter}');
  await expect.element(threshold('Health score')).toHaveAccessibleDescription(expect.stringContaining('Enter a number from 1 to 99.'));
  await expect.element(threshold('Health score')).toHaveAttribute('aria-invalid', 'true');
  expect(alertRules.update).not.toHaveBeenCalled();
});

test('a switch that the server refuses goes back, and the reason is told', async () => {
  vi.mocked(alertRules.update).mockRejectedValue(new ApiError('project_not_found', { detail: 'There is no such project.' }));
  await open();
  await turn('Agent down').click();
  await expect.element(rule('Agent down').getByText('There is no such project.')).toBeVisible();
  await expect.element(turn('Agent down')).toBeChecked();
});

test('another project is kept in the address with its own rules, also while a channel is made', async () => {
  const { where } = await open();
  await expect.element(turn('No requests')).toBeChecked();
  const other = idOf('web-scout');
  await page.getByRole('combobox', { name: 'Project' }).selectOptions('web-scout');
  await expect.element(turn('No requests')).not.toBeChecked();
  expect(where()).toBe(`/settings?tab=alerts&project=${other}`);
  await page.getByRole('button', { name: 'New channel' }).click();
  expect(where()).toContain(`project=${other}`);
  expect(where()).toContain('action=new');
});

test('a project that is gone is told in words, and another one can be chosen', async () => {
  await open('/settings?tab=alerts&project=prj_gone');
  await expect.element(page.getByText(/^Project not found/)).toBeVisible();
  await page.getByRole('combobox', { name: 'Project' }).selectOptions('web-scout');
  await expect.element(turn('Error rate')).toBeVisible();
});

test('the palette offers a new channel', async () => {
  const { where } = await open('/dashboard');
  await page.getByRole('button', { name: /^Search/ }).click();
  await page.getByRole('combobox').fill('new channel');
  await page.getByRole('option', { name: /New channel/ }).click();
  await expect.element(page.getByRole('dialog', { name: 'New channel' })).toBeVisible();
  expect(where()).toBe('/settings?tab=alerts&action=new');
});
