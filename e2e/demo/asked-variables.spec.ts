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
  // A press is ignored on a control that appears under a resting pointer.
  await page.mouse.move(0, 0);
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

test('a failed deployment takes the variable that it misses, and one press stores it and deploys again', async ({ demo: page }) => {
  await open(page, '/deployments?status=failed&environment=preview');
  await page
    .getByRole('row', { name: /invoice-triage/ })
    .getByRole('link')
    .first()
    .click();
  const failed = page.url();
  const form = page.getByRole('form', { name: 'Missing variables' });
  await form.getByRole('button', { name: 'Save and redeploy' }).click();
  await expect(form.getByText('Enter a value first.')).toBeVisible();
  await expectAccessible(page);
  await form.getByLabel('ORDERS_URL').fill('https://orders.example');
  await form.getByRole('button', { name: 'Save and redeploy' }).click();
  await expect(page).not.toHaveURL(failed);
  await expect(page.getByRole('list', { name: 'Stages' })).toBeVisible();
  await expect(form).toBeHidden();
  await open(page, '/projects');
  await page.getByRole('link', { name: 'Variables of invoice-triage' }).click();
  await page.getByRole('tab', { name: /Preview/ }).click();
  await expect(page.getByRole('table', { name: 'Variables in preview' })).toContainText('ORDERS_URL');
});

test('a failed deployment is deployed anew from a corrected ZIP, to its project and environment', async ({ demo: page }) => {
  await open(page, '/deployments?status=failed&environment=preview');
  await page
    .getByRole('row', { name: /web-scout/ })
    .getByRole('link')
    .first()
    .click();
  await page.getByRole('button', { name: 'Deploy a corrected ZIP' }).click();
  const dialog = page.getByRole('dialog', { name: 'Deploy agent' });
  await expect(dialog.getByRole('combobox', { name: /^Project/ }).locator('option:checked')).toHaveText('web-scout');
  await expect(dialog.getByRole('combobox', { name: /^Environment/ })).toHaveValue('preview');
});

test('variables that changed since the start of the newest deployment offer a restart, removed ones too', async ({ demo: page }) => {
  await open(page, '/projects');
  await page.getByRole('link', { name: 'Variables of support-router' }).click();
  const offer = page.getByRole('button', { name: 'Restart production' });
  await expect(page.getByRole('table', { name: 'Variables in production' })).toBeVisible();
  await expect(offer).toBeHidden();
  await page.getByRole('button', { name: 'Remove TICKETS_URL' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove variable' }).click();
  await expect(page.getByText('TICKETS_URL changed. The newest deployment to production still has the former values.')).toBeVisible();
  await page.getByRole('button', { name: 'Replace the value of OPENAI_API_KEY' }).click();
  await page.getByRole('dialog').getByLabel('Value').fill('another');
  await page.getByRole('dialog').getByRole('button', { name: 'Replace value' }).click();
  await expect(page.getByText('OPENAI_API_KEY, TICKETS_URL changed.')).toBeVisible();
  await expectNoSideScroll(page);
  await expectAccessible(page);
  await offer.click();
  await expect(page.getByText('Restart started')).toBeVisible();
  await expect(offer).toBeHidden();
  await page.getByRole('button', { name: 'Add variable' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Add variable' });
  await dialog.getByLabel('Name').fill('BUILD_MODE');
  await dialog.getByLabel('Value').fill('small');
  await dialog.getByRole('switch').check();
  await dialog.getByRole('button', { name: 'Add variable' }).click();
  await page.getByRole('button', { name: 'Redeploy production' }).click();
  await expect(page).toHaveURL(/\/deployments\/dep_/);
  await page.goBack();
  await expect(page.getByRole('button', { name: 'Redeploy production' })).toBeHidden();
});
