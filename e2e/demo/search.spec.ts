import { expect, expectAccessible, expectNoSideScroll, open, test } from './console.ts';
import { tracedAgent } from './trace-screens.ts';

const search = async (page: Parameters<typeof open>[0], text: string) => {
  // The keyboard is listened to once the page is there.
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search commands' }).fill(text);
};

test('the search finds a project, a deployment by its message, a database, a key and a page, each of which Enter opens', async ({
  demo: page,
}) => {
  await search(page, 'invoice-t');
  await expect(page.getByRole('option').first()).toHaveText(/^Projectinvoice-triage$/);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'invoice-triage', level: 1 })).toBeVisible();
  await search(page, 'refunds');
  await expect(page.getByRole('option', { name: /Deployment support-router, production, active/ })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`/deployments/${tracedAgent}`));
  await search(page, 'postgres support-router');
  await page
    .getByRole('option', { name: /Database PostgreSQL of support-router/ })
    .first()
    .click();
  await expect(page).toHaveURL(/\/databases\?project=/);
  await search(page, 'deploy from ci');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/api-keys/);
  await search(page, 'model prices');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/settings\?tab=model-prices/);
});

test('what was opened last is first in the search, and what fits nothing is said', async ({ demo: page }) => {
  await search(page, 'variables web-scout');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Variables', level: 1 })).toBeVisible();
  await search(page, '');
  await expect(page.getByRole('option').first()).toHaveText(/Variables of web-scout/);
  await page.getByRole('combobox', { name: 'Search commands' }).fill('zebra');
  await expect(page.getByText('Nothing matches “zebra”.')).toBeVisible();
});

test('on a deployment the search offers what can be done with it, and a pasted id opens any deployment', async ({ demo: page }) => {
  await search(page, tracedAgent);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'support-router', level: 1 })).toBeVisible();
  await search(page, 'redeploy');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alertdialog')).toContainText('Redeploy support-router?');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await search(page, 'dep_00000000-0000-7000-a000-000000000000');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Deployment not found.')).toBeVisible();
});

test('the search fits a phone', async ({ touch: page }) => {
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('combobox', { name: 'Search commands' }).fill('support');
  await expect(page.getByRole('option', { name: /Deployment support-router/ }).first()).toBeVisible();
  await expectNoSideScroll(page);
  await expectAccessible(page);
});
