import type { Page } from '@playwright/test';
import { expectToast } from '../toasts.ts';
import { expect, open, test } from './console.ts';

const card = (page: Page) => page.getByRole('region', { name: 'Access Review' });
const entry = (page: Page, name: string) =>
  page
    .getByRole('list', { name: 'Access' })
    .getByRole('listitem')
    .filter({ has: page.getByText(name, { exact: true }) });

test('a review is started, each entry is kept or revoked, and the completed review is shown with every decision', async ({
  demo: page,
}) => {
  await open(page, '/governance?tab=compliance');
  await expect(card(page).getByRole('button', { name: 'View Last' })).toBeVisible();
  await card(page).getByRole('button', { name: 'Start Review' }).click();
  await page.waitForURL('**/governance?tab=compliance&review=arv_*');
  const dialog = page.getByRole('dialog', { name: 'Access Review' });
  await expect(entry(page, 'Demo User')).toContainText('You cannot remove yourself.');
  await expect(entry(page, 'Demo User').getByRole('button', { name: /^Revoke/ })).toHaveCount(0);

  const ci = entry(page, 'Deploy from CI');
  await expect(ci).toContainText(/API key of Demo User.*Last used.*agents:deploy/);
  await ci.getByRole('button', { name: 'Revoke Deploy from CI' }).click();
  const asking = page.getByRole('alertdialog', { name: 'Revoke Deploy from CI?' });
  await expect(asking.getByRole('button', { name: 'Revoke', exact: true })).toBeDisabled();
  await asking.getByLabel('Type Deploy from CI to confirm').fill('Deploy from CI');
  await asking.getByRole('button', { name: 'Revoke', exact: true }).click();
  await expect(ci).toContainText('Revoked');
  await expect(ci.getByRole('button')).toHaveCount(0);

  await dialog.getByRole('button', { name: 'Complete Review' }).click();
  await expect(dialog.getByRole('alert').filter({ hasText: 'not decided yet' })).toBeVisible();
  const kept = entry(page, 'GitHub').getByRole('button', { name: 'GitHub is still needed' });
  await kept.press('Enter');
  await expect(kept).toHaveAttribute('aria-pressed', 'true');
  await expect(kept).toBeFocused();
  await dialog.getByRole('radio', { name: 'Undecided' }).check();
  await expect(entry(page, 'GitHub')).toHaveCount(0);
  await dialog.getByRole('button', { name: /^Still needed: all shown/ }).click();
  await expect(dialog.getByText('All entries are decided.')).toBeVisible();
  await expect(dialog.getByText('not decided yet')).toHaveCount(0);
  await dialog.getByRole('button', { name: 'Complete Review' }).click();
  await expectToast(page, 'Access review completed');
  await expect(dialog).toContainText(/Completed .* by Demo User: \d+ still needed, 1 revoked, 0 gone\./);
  await expect(dialog.getByRole('button', { name: /Complete|still needed/ })).toHaveCount(0);
  await expect(ci).toContainText('Revoked');
  await expect(entry(page, 'GitHub')).toContainText('Still needed');
  await dialog.getByText('Close').last().click();
  await expect(card(page)).toContainText(/Last completed.*just now.*Start Review|Start Review.*Last completed.*just now/);

  await page.getByRole('link', { name: 'API Keys' }).first().click();
  await expect(page.getByRole('listitem').filter({ hasText: 'Deploy from CI' }).first()).toContainText('Revoked');
});

test('an open review is gone on with, and a link to it opens it', async ({ demo: page }) => {
  await open(page, '/governance?tab=compliance');
  await card(page).getByRole('button', { name: 'Start Review' }).click();
  await page.waitForURL('**&review=arv_*');
  await entry(page, 'GitHub').getByRole('button', { name: 'GitHub is still needed' }).click();
  await expect(entry(page, 'GitHub')).toContainText('Still needed');
  await page.keyboard.press('Escape');
  await page.waitForURL('**/governance?tab=compliance');
  await expect(card(page)).toContainText(/Open review\d+ of \d+ undecided/);
  await card(page).getByRole('button', { name: 'Continue Review' }).click();
  await expect(page.getByRole('dialog', { name: 'Access Review' })).toBeVisible();
  await expect(entry(page, 'GitHub').getByRole('button', { name: 'GitHub is still needed' })).toHaveAttribute('aria-pressed', 'true');
});
