import type { Page } from '@playwright/test';
import { expectToast } from '../toasts.ts';
import { appearance } from './appearance.ts';
import { expect, open, test } from './console.ts';

const database = 'PostgreSQL of support-router, production';
const card = (page: Page, name: string) => page.getByRole('article', { name, exact: true });

test('a connection string is copied unseen, shown on request, and another one after a rotation', async ({ demo: page }) => {
  await page.evaluate('window.copied = []; navigator.clipboard.writeText = async (text) => void window.copied.push(text)');
  await page.getByRole('heading', { name: 'Recent Deployments' }).waitFor();
  await page.keyboard.press('g');
  await page.keyboard.press('b');
  await card(page, database).getByRole('button', { name: 'Connection String' }).click();
  const dialog = page.getByRole('dialog', { name: 'Connection String' });
  await dialog.getByRole('button', { name: 'Copy connection string' }).click();
  await expectToast(page, 'Copied to clipboard!');
  const [first = ''] = await page.evaluate<string[]>('window.copied');
  expect(first).toMatch(/^postgresql:\/\/agent:.+@127\.0\.0\.1:5432\/app$/);
  await expect(dialog.getByText(first)).toBeHidden();
  await dialog.getByRole('button', { name: 'Show' }).click();
  await expect(dialog.getByText(`psql '${first}'`)).toBeVisible();

  await dialog.getByRole('button', { name: 'Rotate password' }).click();
  const confirm = page.getByRole('alertdialog');
  await expect(confirm.getByText(/Agents that use the database restart.*one deployment of support-router/)).toBeVisible();
  await confirm.getByRole('button', { name: 'Rotate password' }).click();
  await dialog.getByRole('button', { name: 'Show' }).click();
  await expect(dialog.getByText(/^postgresql:/)).toBeVisible();
  await expect(dialog.getByText(first, { exact: true })).toBeHidden();
});

test('a backup is made, put back over the data only by the typed name, and a database goes the same way', async ({ demo: page }) => {
  await open(page, '/databases');
  await card(page, database).getByRole('button', { name: 'Backups' }).click();
  const drawer = page.getByRole('dialog', { name: 'PostgreSQL of support-router' });
  await drawer.getByRole('button', { name: 'Back up now' }).click();
  const newest = drawer.getByRole('list', { name: 'Backups' }).getByRole('listitem').first();
  await expect(newest.getByText('Manual')).toBeVisible();
  await newest.getByRole('button', { name: /^Restore/ }).click();
  const restore = page.getByRole('dialog', { name: 'Restore backup' });
  await expect(restore.getByRole('button', { name: 'Restore backup' })).toBeEnabled();
  await restore.getByRole('radio', { name: 'This database' }).check();
  const replace = restore.getByRole('button', { name: 'Replace the data' });
  await expect(replace).toBeDisabled();
  await restore.getByLabel('Type support-router to confirm').fill('support-router');
  const restoring = appearance(page, { selector: '[role=dialog]', text: 'Restoring' });
  await replace.click();
  await restoring;
  await expect(newest.getByText('Before a restore')).toBeVisible();
  await drawer.getByRole('button', { name: 'Close' }).click();
  await expect(card(page, database).getByText('Available')).toBeVisible();

  await page.getByRole('button', { name: `Actions for ${database}`, exact: true }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  const remove = page.getByRole('alertdialog').getByRole('button', { name: 'Delete database' });
  await expect(remove).toBeDisabled();
  await page.getByLabel('Type support-router to confirm').fill('support-router');
  await remove.click();
  await expect(card(page, database)).toBeHidden();
  await expect(page.getByRole('button', { name: 'Alerts, 3 open' })).toBeVisible();
});

test('an address of its own is kept although it does not answer; deploying may then leave it empty', async ({ demo: page }) => {
  await open(page, '/databases?action=connect');
  const dialog = page.getByRole('dialog', { name: 'Connect your own database' });
  await dialog.getByLabel('Project').selectOption({ label: 'nightly-eval' });
  const address = dialog.getByRole('textbox', { name: 'Address' });
  const connect = dialog.getByRole('button', { name: 'Connect database' });
  await address.fill('postgresql://app@10.0.0.7/app');
  await connect.click();
  await expect(dialog.getByText('Agents may not reach this address.')).toBeVisible();
  await address.fill('postgresql://app@away.example.org/app');
  await connect.click();
  await expect(dialog.getByText('away.example.org does not answer on port 5432.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Connect anyway' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText('away.example.org:5432')).toBeVisible();

  await open(page, '/deployments?action=deploy&database=managed');
  const deploy = page.getByRole('dialog', { name: 'Deploy agent' });
  await expect(deploy.getByLabel('Database')).toHaveValue('managed');
  await deploy.getByLabel('Project', { exact: true }).selectOption({ label: 'nightly-eval' });
  await deploy.getByLabel('Database').selectOption('byo');
  await expect(deploy.getByText('If empty, the stored address of production is used: away.example.org:5432.')).toBeVisible();
});

test('alerts lead to what they are about, and go when they are marked resolved', async ({ demo: page }) => {
  await page.getByRole('button', { name: 'Alerts, 4 open' }).press('Enter');
  const alerts = page.getByRole('dialog', { name: 'Alerts' });
  await alerts
    .getByRole('listitem')
    .filter({ hasText: '84 %' })
    .getByRole('button', { name: /^Mark resolved/ })
    .click();
  await expect(alerts.getByText('84 %')).toBeHidden();
  await alerts.getByRole('link', { name: 'Show database' }).click();
  await page.waitForURL('**/databases?open=db_*');
  const drawer = page.getByRole('dialog', { name: 'Redis of nightly-eval' });
  await drawer.getByRole('radio', { name: '30d' }).check();
  await page.waitForURL('**range=30d');
  await drawer.getByRole('slider', { name: 'Keys over time' }).press('Home');
  await expect(drawer.getByRole('slider', { name: 'Keys over time' })).toHaveAttribute('aria-valuetext', /Not measured/);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Alerts, 3 open' })).toBeVisible();
});
