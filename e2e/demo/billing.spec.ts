import { expect, open, test } from './console.ts';

test('billing tells what the month costs, an earlier month by its address, and keeps budgets', async ({ demo: page }) => {
  await open(page, '/billing');
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
  expect(amounts[0], 'the base plan').toBe(0);

  await page.getByRole('combobox', { name: 'Month' }).selectOption({ index: 1 });
  await page.waitForURL(/\?month=\d{4}-\d\d$/);
  await expect(page.getByText('Closed: it does not change any more')).toBeVisible();
  await expect(page.getByRole('heading', { name: /^Usage of / })).toBeVisible();

  await page.getByRole('combobox', { name: 'Budget of' }).selectOption({ label: 'web-scout' });
  await page.getByRole('textbox', { name: 'Dollars a month' }).fill('12.50');
  await page.getByRole('button', { name: 'Save budget' }).click();
  const budget = page.getByRole('meter', { name: 'web-scout' });
  await expect(budget).toHaveAttribute('aria-valuetext', /of \$12\.50$/);
  await page.getByRole('button', { name: 'Remove the budget: web-scout' }).click();
  await expect(budget).toHaveCount(0);
});

test('an address with a month that is none shows the current one', async ({ demo: page }) => {
  await open(page, '/billing?month=9999-9');
  await expect(page.getByRole('heading', { name: 'Current Month Usage' })).toBeVisible();
});
