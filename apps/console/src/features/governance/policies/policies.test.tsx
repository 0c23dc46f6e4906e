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
/** Spies on the calls for policies; a test may override a response. */
let policies = demoApi().policies;

beforeEach(() => {
  const api = demoApi(createDemoWorld());
  policies = { ...api.policies };
  for (const name of Object.keys(policies)) vi.spyOn(policies, name as keyof typeof policies);
  offerDemo(() => Promise.resolve({ ...api, policies }));
  startSession({ token: 'demo-token-test', user }, false);
});
afterEach(() => {
  endSession();
  vi.restoreAllMocks();
});

async function open(path = '/governance?tab=policies') {
  const router = consoleRouter(createMemoryHistory({ initialEntries: [path] }));
  await render(<Console router={router} queries={consoleQueries()} />);
  return { search: () => decodeURIComponent(router.state.location.searchStr), back: () => router.history.back() };
}
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' });
const dialog = page.getByRole('dialog');
const rulesField = dialog.getByRole('textbox', { name: 'Rules' });
const refused = () => new ApiError('internal', { detail: 'Refused for this test.' });

test('each policy is listed with its status, type, description, rules as bullets and day, and the active ones are counted', async () => {
  await open();
  const card = page.getByRole('listitem', { name: 'Access control' });
  await expect.element(card.getByText('Active', { exact: true })).toBeVisible();
  await expect.element(card.getByText('Access Control', { exact: true })).toBeVisible();
  await expect.element(card.getByText('Who may do what, and for how long.')).toBeVisible();
  expect(
    card
      .getByRole('list')
      .getByRole('listitem')
      .elements()
      .map((rule) => rule.textContent),
  ).toEqual(['API keys expire within 90 days', 'Alert after 3 failed logins', 'Review access every quarter']);
  await expect.element(card.getByText(/^Created \d+ \w+ 20\d\d$/)).toBeVisible();
  for (const word of ['Draft', 'Archived']) await expect.element(page.getByText(word, { exact: true })).toBeVisible();
  expect(page.getByText('Active Policies').element().nextElementSibling?.textContent).toBe('3');
});

test('a policy is viewed by its address: what each rule does, and that nothing of a draft is enforced', async () => {
  const { search } = await open();
  await button('View Details of Production only by the pipeline').click();
  expect(search()).toMatch(/policy=pol_/);
  const rules = dialog.getByRole('list', { name: 'Rules' }).getByRole('listitem');
  await expect.element(rules.first().getByText('Enforced')).toBeVisible();
  await expect.element(rules.first().getByText('Refuses deployments outside production.')).toBeVisible();
  await expect.element(rules.last().getByText('Advisory')).toBeVisible();
  await expect.element(dialog.getByText('This policy is not enforced until it is active.')).toBeVisible();
  await button('Edit Policy').click();
  await expect.element(page.getByRole('dialog', { name: 'Edit Policy' })).toBeVisible();
  expect(search()).toContain('open=edit');
});

test('a new policy begins as a draft of data retention; while a rule is typed it says what Paddock will do', async () => {
  const { search } = await open();
  await button('Create Policy').click();
  await expect.element(page.getByRole('dialog', { name: 'Create Policy' })).toBeVisible();
  expect(search()).toContain('open=new');
  await expect.element(dialog.getByLabelText('Type')).toHaveValue('data_retention');
  await expect.element(dialog.getByLabelText('Status')).toHaveValue('draft');
  await button('Create').click();
  await expect.element(dialog.getByText('Enter a name for the policy.')).toBeVisible();
  await expect.element(dialog.getByText('Enter at least one rule.')).toBeVisible();
  await expect.element(dialog.getByLabelText('Name')).toHaveFocus();

  await dialog.getByLabelText('Name').fill('Logs');
  await rulesField.fill('Delete logs after 30 days');
  const effects = dialog.getByRole('list', { name: 'Effects' }).getByRole('listitem');
  await expect.element(effects.first().getByText('Enforced')).toBeVisible();
  await expect.element(effects.first().getByText('Deletes logs that are older than 30 days', { exact: false })).toBeVisible();
  await rulesField.fill('Delete logs after 30 days\n\n   \nAsk before you delete anything');
  await expect.element(effects.last().getByText('Advisory')).toBeVisible();
  await button('Create').click();
  await expect.element(page.getByText('Policy created successfully!')).toBeVisible();
  expect(vi.mocked(policies.create).mock.lastCall?.[0]).toEqual({
    name: 'Logs',
    description: '',
    type: 'data_retention',
    status: 'draft',
    rules: ['Delete logs after 30 days', 'Ask before you delete anything'],
  });
  expect(dialog.query()).toBeNull();
  await expect.element(page.getByRole('listitem', { name: 'Logs' })).toBeVisible();
});

test('templates follow the type, and adding one keeps what was typed', async () => {
  await open('/governance?open=new');
  await rulesField.fill('My own rule');
  await dialog.getByLabelText('Type').selectOptions('Security');
  await dialog.getByLabelText('Template').selectOptions('Require health path');
  await button('Add rule').click();
  await expect.element(rulesField).toHaveValue('My own rule\nRequire health path');
  await dialog.getByLabelText('Type').selectOptions('Access Control');
  await button('Add rule').click();
  await expect.element(rulesField).toHaveValue('My own rule\nRequire health path\nAPI keys expire within 90 days');
});

test('a policy is changed with any status, and what was typed survives a refusal', async () => {
  await open();
  await button('Edit Budget of the beta').click();
  await expect.element(rulesField).toHaveValue('Budget $50 per day');
  await dialog.getByLabelText('Status').selectOptions('Active');
  await rulesField.fill('Budget $20 per day');
  vi.mocked(policies.update).mockRejectedValueOnce(refused());
  await button('Save changes').click();
  await expect.element(dialog.getByText('Failed to save policy. Refused for this test.')).toBeVisible();
  await expect.element(rulesField).toHaveValue('Budget $20 per day');
  await button('Save changes').click();
  await expect.element(page.getByText('Policy updated successfully!')).toBeVisible();
  expect(vi.mocked(policies.update).mock.lastCall?.[0]).toMatchObject({ status: 'active', rules: ['Budget $20 per day'] });
  await expect.poll(() => page.getByText('Active Policies').element().nextElementSibling?.textContent).toBe('4');
});

test('a change that somebody else made while the form was open is not overwritten', async () => {
  await open();
  await button('Edit Budget of the beta').click();
  await rulesField.fill('Budget $20 per day');
  const { id, name } = (await policies.list()).policies.find((each) => each.name === 'Budget of the beta')!;
  await policies.update({ id, name, rules: ['Budget $90 per day'] });
  await button('Save changes').click();
  await expect.element(dialog.getByText(/^Failed to save policy\. It has changed since you read it/)).toBeVisible();
  expect((await policies.get({ id })).rules).toEqual(['Budget $90 per day']);
});

test('what the server finds wrong with a field stands beside it', async () => {
  await open('/governance?open=new');
  await dialog.getByLabelText('Name').fill('One');
  await rulesField.fill('A rule');
  const errors = [{ path: 'rules', message: 'At most 50 rules' }];
  vi.mocked(policies.create).mockRejectedValueOnce(new ApiError('input_invalid', { errors }));
  await button('Create').click();
  await expect.element(dialog.getByText('At most 50 rules')).toBeVisible();
  await rulesField.fill('x'.repeat(301));
  await button('Create').click();
  await expect.element(dialog.getByText('Rule 1 is longer than 300 characters.')).toBeVisible();
  expect(policies.create).toHaveBeenCalledOnce();
});

test('a dry run counts what would have been refused, with examples that lead to their records, until the rules change', async () => {
  vi.mocked(policies.dryRun).mockResolvedValue({
    days: 30,
    refused: 1_204,
    rules: [
      {
        rule: 'Allowed environments: production',
        is_enforced: true,
        refused: 1_204,
        looked_at: '1,310 deployments of the audit trail',
        examples: [{ at: '2026-11-01T10:00:00.000Z', what: 'web-scout, preview', audit_id: 'aud_1' }],
      },
    ],
  });
  await open('/governance?open=new');
  await expect.element(button('Preview refusals')).toBeDisabled();
  await rulesField.fill('Allowed environments: production');
  await button('Preview refusals').click();
  await expect.element(dialog.getByText('1,204 would have been refused in the last 30 days. Nothing was enforced now.')).toBeVisible();
  await expect.element(dialog.getByText('web-scout, preview', { exact: false })).toBeVisible();
  expect(
    dialog
      .getByRole('link', { name: /^View record/ })
      .element()
      .getAttribute('href'),
  ).toBe('/governance?log=aud_1');
  expect(vi.mocked(policies.dryRun).mock.lastCall?.[0]).toEqual({ rules: ['Allowed environments: production'] });
  await rulesField.fill('Allowed environments: preview');
  await expect.poll(() => dialog.getByText('1,204 would have been refused in the last 30 days', { exact: false }).query()).toBeNull();
});

test('a policy is deleted after a question, and Escape deletes nothing', async () => {
  await open();
  await button('View Details of Personal data').click();
  await button('Delete').click();
  await expect.element(page.getByRole('alertdialog', { name: 'Delete policy Personal data?' })).toBeVisible();
  await userEvent.keyboard('{Escape}');
  expect(policies.delete).not.toHaveBeenCalled();
  await button('Delete').click();
  await button('Delete policy').click();
  await expect.poll(() => page.getByRole('listitem', { name: 'Personal data' }).query()).toBeNull();
  expect(dialog.query()).toBeNull();
});

test('a policy that somebody else changed meanwhile is not deleted, and is shown as it is now', async () => {
  await open();
  await button('View Details of Personal data').click();
  await button('Delete').click();
  const [read] = (await policies.list({})).policies.filter(({ name }) => name === 'Personal data');
  const { id, name, description, type, status } = read!;
  await policies.update({ id, name, description, type, status, rules: ['Mask personal data: EMAIL'] });
  await button('Delete policy').click();
  await expect.element(page.getByRole('alertdialog').getByText('It has changed since you read it', { exact: false })).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog.getByText('Mask personal data: EMAIL')).toBeVisible();
});

test('no policies, policies that cannot be loaded and a policy that is gone each say so', async () => {
  const works = policies.list;
  policies.list = () => Promise.reject(new ApiError('scope_missing', { detail: 'Refused for this test.' }));
  await open('/governance?policy=pol_gone');
  await expect.element(page.getByText('Refused for this test.')).toBeVisible();
  expect(page.getByText('No policies yet.', { exact: false }).query()).toBeNull();
  policies.list = () => Promise.resolve({ policies: [] });
  await button('Retry').click();
  await expect.element(dialog.getByText('Policy not found. It may have been deleted.')).toBeVisible();
  await button('Close').first().click();
  await expect.element(page.getByText('No policies yet.', { exact: false })).toBeVisible();
  policies.list = works;
  await button('Refresh').click();
  await expect.element(page.getByRole('listitem', { name: 'Access control' })).toBeVisible();
});

test('what was typed of a policy is there again after Escape, and gone after Cancel', async () => {
  await open();
  await button('Create Policy').click();
  await rulesField.fill('Allowed environments: production');
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog).not.toBeInTheDocument();
  await button('Create Policy').click();
  await expect.element(rulesField).toHaveValue('Allowed environments: production');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await button('Create Policy').click();
  await expect.element(rulesField).toHaveValue('');
});
