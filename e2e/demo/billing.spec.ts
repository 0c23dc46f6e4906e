import { billingLists } from './billing-actions.ts';
import { expect, open, test } from './console.ts';
import { json, problem, signedIn } from './scripted.ts';

test('billing tells what the month costs, an earlier month by its address, and keeps budgets', async ({ demo: page }) => {
  await open(page, '/billing?tab=usage');
  const figures = page.getByRole('region', { name: 'Current Month Usage' });
  for (const [name, price] of [
    ['Compute Hours', '$0.10 per hour'],
    ['Bandwidth', '$0.05 per GB'],
    ['Database Storage', '$0.20 per GB'],
  ] as const) {
    await expect(figures.getByRole('meter', { name })).toHaveAttribute('aria-valuetext', /^[\d,]+\.\d (hours|GB)$/);
    await expect(figures.getByText(price)).toBeVisible();
  }
  const breakdown = page.getByRole('region', { name: 'Cost Breakdown' });
  const amounts = (await breakdown.locator('dd').allTextContents()).map((text) => Number(text.replace(/[$,]/g, '')));
  const total = amounts.pop() ?? 0;
  expect(amounts.reduce((all, each) => all + each, 0)).toBeCloseTo(total, 2);
  expect(amounts[0], 'the plan Pro').toBe(99);

  await page.getByRole('combobox', { name: 'Month' }).selectOption({ index: 1 });
  await page.waitForURL(/\?tab=usage&month=\d{4}-\d\d$/);
  await expect(page.getByText('Closed: this month is final')).toBeVisible();
  await expect(page.getByRole('heading', { name: /^Usage of / })).toBeVisible();

  await page.getByRole('combobox', { name: 'Budget for' }).selectOption({ label: 'web-scout' });
  await page.getByRole('textbox', { name: 'Dollars per month' }).fill('12.50');
  await page.getByRole('button', { name: 'Save budget' }).click();
  const budget = page.getByRole('meter', { name: 'web-scout' });
  await expect(budget).toHaveAttribute('aria-valuetext', /of \$12\.50$/);
  await page.getByRole('button', { name: 'Remove budget for web-scout' }).click();
  await expect(budget).toHaveCount(0);
});

test('an address with a month that is none shows the current one', async ({ demo: page }) => {
  await open(page, '/billing?month=9999-9');
  await expect(page.getByRole('heading', { name: 'Current Month Usage' })).toBeVisible();
});

test('usage that cannot be loaded is no empty month: it says so, and Retry brings it', async ({ page, site }) => {
  let works = false;
  const refuse = problem(500, 'internal', 'Something went wrong on the server.');
  const answer = billingLists['GET /billing/usage'];
  await signedIn(
    page,
    { address: `${site.url}/billing?tab=usage` },
    {
      ...billingLists,
      'GET /billing/usage': (route) => (works ? answer(route) : refuse(route)),
      'GET /billing/budgets': json({ budgets: [] }),
    },
  );
  await expect(page.getByText('Something went wrong on the server.')).toBeVisible();
  await expect(page.getByText('Nothing ran, was sent or was stored')).toHaveCount(0);
  works = true;
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByText('No usage this month.')).toBeVisible();
  await expect(page.getByText('Nothing metered yet')).toBeVisible();
});
