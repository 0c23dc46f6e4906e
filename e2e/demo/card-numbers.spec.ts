import { active, billingLists, quote } from './billing-actions.ts';
import { expect, test } from './console.ts';
import { json, signedIn } from './scripted.ts';

test('a number of a card, typed into any field of billing, is refused and not sent', async ({ page, site }) => {
  const sent: string[] = [];
  await signedIn(
    page,
    {
      address: `${site.url}/billing?tab=usage`,
      change: (route) => {
        sent.push(route.request().postData() ?? '');
        return json({})(route);
      },
    },
    {
      ...billingLists,
      'GET /billing/invoices': json({ invoices: [], next_cursor: null }),
      'GET /billing/details': json({ name: '', email: '', address: [], postal_code: '', city: '', country: '', tax_id: '' }),
      'GET /billing/subscription': json(active),
      'GET /billing/quote': json({ ...quote, plan: 'enterprise', kind: 'upgrade' }),
    },
  );
  for (const number of ['4242 4242 4242 4242', '4242424242424242', '4242-4242-4242-4242']) {
    await page.getByLabel('Dollars per month').fill(number);
    await page.getByRole('button', { name: 'Save budget' }).click();
    await expect(page.getByText('Enter an amount from 0.01')).toBeVisible();
  }
  await page.goto(`${site.url}/billing?tab=invoices`);
  for (const name of ['Name or company', 'E-mail for invoices', 'Address', 'Postal code', 'City', 'Tax ID']) {
    await page.getByLabel(name, { exact: true }).fill('card 4242 4242-42424242 x');
    await page.getByRole('button', { name: 'Save billing details' }).click();
    await expect(page.getByText('This looks like the number of a card.')).toBeVisible();
    await page.getByLabel(name, { exact: true }).fill('');
    await expect(page.getByText('This looks like the number of a card.')).toHaveCount(0);
  }
  // No other field takes text: methods are chosen, and cards are entered with the provider.
  for (const path of ['/billing', '/settings?tab=billing']) {
    await page.goto(`${site.url}${path}`);
    await page.getByRole('button', { name: /(Switch|Upgrade) to Enterprise/ }).click();
    await page.getByText('Due now').first().waitFor();
    await expect(page.locator('input, textarea')).toHaveCount(0);
  }
  expect(sent).toEqual([]);
});
