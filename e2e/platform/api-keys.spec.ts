import type { Page } from '@playwright/test';
import { expectToast } from '../toasts.ts';
import { expect, signedIn as test } from './console.ts';
import { place } from './place.ts';

const ask = async (key: string, path = '/projects') =>
  (await fetch(`${place().origin}/api/v1${path}`, { headers: { authorization: `Bearer ${key}` } })).status;
const shownKey = (page: Page) => page.getByLabel('API key', { exact: true });

test('a key is created with a preset, shown once until it is acknowledged, used, rotated and revoked', async ({
  page,
  person,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/dashboard');
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
  await page.keyboard.press('g');
  await page.keyboard.press('k');
  await expect(page).toHaveURL('/api-keys');
  await expect(page.getByText('No API keys yet.')).toBeVisible();
  await page.getByRole('button', { name: 'Create API key' }).click();
  await expect(page).toHaveURL('/api-keys?action=new');

  const form = page.getByRole('dialog', { name: 'Create API key' });
  const create = form.getByRole('button', { name: 'Create', exact: true });
  await expect(create).toBeDisabled();
  await form.getByLabel('Name').fill('   ');
  await expect(create).toBeDisabled();
  for (const scope of ['Read Agents', 'Create/Update Agents', 'Deploy Agents', 'Read Projects'])
    await expect(form.getByRole('checkbox', { name: scope, exact: false })).toBeChecked();
  await form.getByRole('button', { name: 'Read only' }).click();
  await expect(
    form.getByText(/The key can see agents, see projects, see databases, read logs and read the audit trail\. It cannot stop agents/),
  ).toBeVisible();
  await form.getByLabel('Read Databases').uncheck();
  await form.getByLabel('Expires').selectOption('90');
  await form.getByLabel('Name').fill('Nightly report');
  await create.click();

  const reveal = page.getByRole('dialog', { name: 'API Key Created Successfully!' });
  const key = (await shownKey(page).textContent()) ?? '';
  expect(key).toMatch(/^pk_live_[0-9A-Za-z]{42}$/);
  await reveal.getByRole('button', { name: 'Copy key' }).click();
  await expectToast(page, 'API key copied to clipboard');
  expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(key);
  await expect(reveal.getByRole('region', { name: 'Environment with the key' })).toContainText(`PADDOCK_API_KEY=${key}`);
  const asks = page.getByRole('alertdialog', { name: 'Have you stored the key?' });
  for (const leave of [
    () => page.keyboard.press('Escape'),
    () => page.mouse.click(5, 400),
    () => reveal.getByRole('button', { name: 'Close' }).click(),
    // Goes back past the entry with the same address to another page.
    () => page.evaluate<unknown>('history.go(-2)'),
  ]) {
    await leave();
    // The dialog has just appeared under the resting pointer, where a press is ignored.
    await page.mouse.move(0, 0);
    await asks.getByRole('button', { name: 'Cancel' }).click();
    await expect(asks).toHaveCount(0);
    await expect(shownKey(page)).toHaveText(key);
  }
  await reveal.getByRole('button', { name: 'I have stored it' }).click();
  await expect(reveal).toHaveCount(0);
  expect(await page.content()).not.toContain(key);
  await page.goBack();
  await page.goForward();
  await expect(page.getByRole('dialog', { name: 'API Key Created Successfully!' })).toHaveCount(0);

  const card = page.getByRole('listitem', { name: 'Nightly report' });
  await page.goto('/api-keys');
  await expect(card.getByText('Read Agents, Read Projects, Read Logs')).toBeVisible();
  await expect(card.getByText('Never')).toBeVisible();
  expect([await ask(key), await ask(key, '/auth/me')]).toEqual([200, 403]);

  await card.getByRole('button', { name: 'Rotate Nightly report' }).click();
  await page.getByRole('alertdialog', { name: 'Rotate API key Nightly report?' }).getByRole('button', { name: 'Rotate key' }).click();
  await expect(shownKey(page)).toBeVisible();
  const second = (await shownKey(page).textContent()) ?? '';
  expect(second).not.toBe(key);
  expect([await ask(key), await ask(second)]).toEqual([401, 200]);
  await page.getByRole('button', { name: 'I have stored it' }).click();
  await expect(card.filter({ hasText: 'Active' })).toHaveCount(1);
  await expect(card.filter({ hasText: 'Revoked' })).toHaveCount(1);

  await page.reload();
  await card.getByRole('button', { name: 'Revoke Nightly report' }).click();
  const confirm = page.getByRole('alertdialog', { name: 'Revoke API key Nightly report?' });
  await expect(confirm.getByText('This cannot be undone.')).toBeVisible();
  const revoke = confirm.getByRole('button', { name: 'Revoke key' });
  await expect(revoke).toBeDisabled(); // it was used a moment ago
  await confirm.getByRole('textbox').fill('Nightly report');
  await revoke.click();
  await expectToast(page, 'API key revoked successfully');
  await expect(card.filter({ hasText: 'Revoked' })).toHaveCount(2);
  expect(await ask(second)).toBe(401);
  expect((await person.api.apiKeys.list()).api_keys.map(({ is_active }) => is_active)).toEqual([false, false]);
});

test('keys that cannot be loaded say so instead of looking empty, and are there again after Retry', async ({ page, person, tolerated }) => {
  tolerated.push(/net::ERR_FAILED/);
  await person.api.apiKeys.create({ name: 'there' });
  await page.route('**/api/v1/api-keys*', (route) => route.abort());
  await page.goto('/api-keys');
  await page.getByRole('button', { name: 'Retry' }).waitFor();
  await expectToast(page, 'Failed to load API keys');
  await expect(page.getByText('No API keys yet.')).toHaveCount(0);
  await page.unroute('**/api/v1/api-keys*');
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByRole('listitem', { name: 'there' })).toBeVisible();
});
