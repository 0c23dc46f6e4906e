import { expect, expectAccessible, expectNoSideScroll, open, test } from './console.ts';

test('the page of a deployment lists the variables that its archive asks for, required ones first, and leads to where they are set', async ({
  demo: page,
}) => {
  await open(page, '/deployments?status=failed&environment=preview');
  await page
    .getByRole('row', { name: /invoice-triage/ })
    .getByRole('link')
    .first()
    .click();
  await expect(page.getByText(/It seems to need the variable ORDERS_URL/).first()).toBeVisible();
  const card = page.getByRole('region', { name: 'Variables the agent uses' });
  await expect(card.getByRole('listitem')).toContainText(['ORDERS_URL']);
  await expect(card).toContainText('Not set');
  await expect(card).toContainText('worker.py:6');
  await card.getByRole('link', { name: 'Set variables' }).click();
  await page.getByRole('button', { name: 'Add variable' }).first().click();
  await page.getByLabel('Name').fill('ORDERS_URL');
  await page.getByLabel('Value').fill('https://orders.example');
  await page.getByRole('dialog').getByRole('button', { name: 'Add variable' }).click();
  await expect(page.getByRole('table', { name: 'Variables in preview' })).toContainText('ORDERS_URL');
  await page.goBack();
  await expect(card.getByText('Set', { exact: true })).toBeVisible();
});

test('optional variables are folded away with their defaults, and a job in doubt says why as a warning', async ({ demo: page }) => {
  await open(page, '/deployments?status=completed');
  await page
    .getByRole('row', { name: /nightly-eval/ })
    .getByRole('link')
    .first()
    .click();
  await expect(page.getByText(/ended with exit code 0, but its output tells of errors/).first()).toBeVisible();
  await expectAccessible(page);
  await open(page, '/deployments?status=active');
  await page
    .getByRole('row', { name: /support-router/ })
    .getByRole('link')
    .first()
    .click();
  const card = page.getByRole('region', { name: 'Variables the agent uses' });
  await expect(card.getByText('MODEL')).toBeHidden();
  await card.getByText('Optional: 1').click();
  await expect(card).toContainText('main.py:10, for example gpt-4.1-mini');
  await expectNoSideScroll(page);
  await expectAccessible(page);
});
