import type { Page } from '@playwright/test';
import { expect, open, test } from './console.ts';
import { longTrace } from './trace-screens.ts';

const table = (page: Page) => page.getByRole('table', { name: 'Traces' });
const rows = (page: Page) =>
  table(page)
    .getByRole('row')
    .filter({ has: page.getByRole('link') });
const grid = (page: Page) => page.getByRole('treegrid', { name: 'Spans' });
const active = (page: Page) => grid(page).getByRole('row', { selected: true });

test('a failed request is found by filters, walked by keys, and leads to its log line and back', async ({ demo: page }) => {
  await open(page, '/metrics');
  await page.getByRole('tab', { name: 'Traces' }).click();
  await page.getByRole('combobox', { name: 'Filter by status' }).selectOption('Error');
  // The old rows remain until the filtered ones have arrived.
  await expect(rows(page).filter({ hasNotText: 'Error' })).toHaveCount(0);
  await page.getByRole('combobox', { name: 'Filter by model' }).selectOption('claude-sonnet-4-5');
  await page.waitForURL('**/metrics?deployment=dep_*&status=error&model=claude-sonnet-4-5');
  await rows(page).getByRole('link', { name: 'POST /v1/chat/completions' }).first().click();
  await page.waitForURL('**&trace=*');

  await grid(page).press('End');
  await expect(active(page)).toHaveAccessibleName(/chat claude-sonnet-4-5/);
  await grid(page).press('ArrowLeft');
  await expect(active(page)).toHaveAccessibleName(/invoke_agent support-router/);
  await grid(page).press('ArrowLeft');
  await expect(active(page)).toHaveAttribute('aria-expanded', 'false');
  await expect(grid(page).getByRole('row')).toHaveCount(4);
  await grid(page).press('ArrowRight');
  await grid(page).press('End');
  await grid(page).press('Enter');
  await expect(page.getByRole('dialog').getByText('exception.message')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(grid(page)).toBeFocused();

  const trace = new URL(page.url()).searchParams.get('trace') ?? '';
  await page.getByRole('link', { name: 'Log lines of this trace' }).click();
  const lines = page.getByRole('region', { name: 'Log lines' });
  await expect(lines.getByText('the model answered 529')).toBeInViewport();
  await lines.getByRole('link', { name: trace }).click();
  await page.waitForURL(`**/deployments/dep_*?tab=traces&trace=${trace}`);
  await expect(page.getByRole('heading', { name: 'POST /v1/chat/completions' })).toBeVisible();
  await page.getByRole('link', { name: 'All traces' }).click();
  await expect(table(page)).toBeVisible();
});

test('a model without a price leads to the prices, and its price counts in the traces of before', async ({ demo: page }) => {
  await open(page, '/metrics?tab=traces&model=acme-router-7b');
  const unpriced = table(page).getByRole('link', { name: 'no price' });
  await unpriced.first().focus();
  await expect(page.getByRole('tooltip', { name: /^No price is known for acme-router-7b\./ })).toBeVisible();
  await unpriced.first().press('Enter');
  await page.waitForURL('**/settings?tab=model-prices');
  await page.getByRole('button', { name: 'Add price' }).click();
  await page.getByRole('textbox', { name: 'Model' }).fill('acme-router-7b');
  await page.getByRole('textbox', { name: 'Input', exact: true }).fill('2');
  await page.getByRole('textbox', { name: 'Output' }).fill('4');
  await page.getByRole('button', { name: 'Save price' }).click();
  await expect(page.getByRole('row', { name: /^acme-router-7b .*Yours/ })).toBeVisible();
  await open(page, '/metrics?tab=traces&model=acme-router-7b');
  await expect(
    table(page)
      .getByText(/^(\$|< \$)0\.\d\d$/)
      .first(),
  ).toBeVisible();
  await expect(unpriced).toHaveCount(0);
});

test('the traces of a deployment stand beside its log, page by page, and each address can be kept', async ({ demo: page }) => {
  await open(page, '/deployments');
  await page
    .getByRole('row', { name: /web-scout.*Active/ })
    .first()
    .getByRole('link')
    .first()
    .click();
  await page.getByRole('tab', { name: 'Overview' }).press('ArrowRight');
  await expect(page.getByText(/\d+ traces shown/)).toBeVisible();
  await page.getByRole('searchbox', { name: 'Search traces by name or id' }).fill('invocations');
  await page.waitForURL('**?tab=traces&find=invocations');
  await expect(table(page).getByRole('link', { name: 'POST /ping' })).toHaveCount(0);
  await page.getByRole('combobox', { name: 'Filter by status' }).selectOption('OK');
  await longTrace(page).click();
  await expect(grid(page)).toHaveAttribute('aria-rowcount', '48');
  await page.goBack();
  await page.waitForURL('**?tab=traces&find=invocations&status=ok');
  await expect(page.getByRole('searchbox', { name: 'Search traces by name or id' })).toHaveValue('invocations');
});
