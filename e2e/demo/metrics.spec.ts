import { expect, open, test } from './console.ts';

test('an agent leads to its metrics from the dashboard, from its row and from its page, and the keys lead there too', async ({
  demo: page,
}) => {
  await page.getByRole('link', { name: 'Metrics of web-scout, production' }).click();
  await expect(page.getByRole('heading', { name: 'web-scout, production' })).toBeVisible();
  await expect(page).toHaveTitle('Metrics · Paddock');

  await open(page, '/deployments?environment=preview');
  await page
    .getByRole('button', { name: /^Actions for support-router/ })
    .first()
    .click();
  await page.getByRole('menuitem', { name: 'Metrics' }).click();
  await expect(page.getByRole('heading', { name: 'support-router, preview' })).toBeVisible();
  await page.getByRole('link', { name: 'Show deployment' }).click();
  await page.getByRole('main').getByRole('link', { name: 'Metrics' }).click();
  await page.waitForURL('**/metrics?deployment=dep_*');
  await expect(page.getByRole('heading', { name: 'support-router, preview' })).toBeVisible();

  await page.keyboard.press('g');
  await page.keyboard.press('d');
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible();
  await page.keyboard.press('g');
  await page.keyboard.press('m');
  await expect(page.getByRole('heading', { name: 'support-router, production' })).toBeVisible();
});

test('the source of a figure is told on focus, and the formula of the score on request', async ({ demo: page }) => {
  await open(page, '/metrics?range=7d');
  await page.getByRole('button', { name: 'Uptime' }).focus();
  await expect(page.getByRole('tooltip', { name: /^From the status changes of its deployments: the share of the time/ })).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByText('How it is calculated').press('Enter');
  await expect(page.getByRole('table', { name: 'Parts of the health score' }).getByRole('row')).toHaveCount(4);
  await page.getByRole('radio', { name: '1h' }).check();
  await page.waitForURL('**/metrics?range=1h');
  await expect(page.getByText('One point per minute')).toBeVisible();
});
