import { expect, open, test } from './console.ts';

test('a card leads to the page of its project, and that to a deployment and back', async ({ demo: page }) => {
  await open(page, '/projects');
  const card = page.getByRole('article', { name: 'web-scout' });
  await expect(card.getByText('Active', { exact: true })).toBeVisible();
  await expect(card.getByText(/^deployed 23 h ago|^deployed 1 d ago/)).toBeVisible();
  await expect(card.getByRole('link', { name: /^View App web-scout/ })).toHaveAttribute('href', 'http://web-scout.demo.example');
  await card.getByRole('link', { name: 'web-scout', exact: true }).click();

  await expect(page.getByRole('heading', { name: 'web-scout', level: 1 })).toBeVisible();
  await expect(page.getByText('The latest deployment to production failed. The previous deployment keeps serving.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'View App', exact: true })).toHaveAttribute('href', 'http://web-scout.demo.example');
  await page
    .getByRole('table', { name: 'Latest deployments' })
    .getByRole('row', { name: /Failed/ })
    .first()
    .getByRole('link')
    .click();
  await page.waitForURL('**/deployments/dep_*');
  const breadcrumbs = page.getByRole('navigation', { name: 'Breadcrumbs' });
  await expect(breadcrumbs.getByText(/^Deployment …/)).toBeVisible();
  await breadcrumbs.getByRole('link', { name: 'web-scout' }).click();
  await expect(page.getByRole('heading', { name: 'Latest deployments' })).toBeVisible();
});

test('the page of a project redeploys, shows a connection string masked, renames and deletes', async ({ demo: page }) => {
  await open(page, '/projects');
  await page.getByRole('link', { name: 'support-router', exact: true }).click();
  const databases = page.getByRole('region', { name: 'Databases' });
  await databases.getByRole('button', { name: 'Connection String of PostgreSQL of support-router, production', exact: true }).click();
  await expect(page.getByRole('dialog').getByLabel('Connection string', { exact: true })).toHaveText(/^postgresql:\/\/•+$/);
  await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click();

  await page
    .getByRole('button', { name: /^Redeploy deployment/ })
    .first()
    .click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Redeploy' }).click();
  await page.waitForURL('**/deployments/dep_*');
  await page.getByRole('navigation', { name: 'Breadcrumbs' }).getByRole('link', { name: 'support-router' }).click();

  await page.getByRole('button', { name: 'Edit project', exact: true }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('ticket-router');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByRole('heading', { name: 'ticket-router', level: 1 })).toBeVisible();
  await page.getByRole('button', { name: 'Delete project', exact: true }).click();
  const confirm = page.getByRole('alertdialog');
  await confirm.getByRole('textbox').fill('ticket-router');
  await confirm.getByRole('button', { name: 'Delete project' }).click();
  await expect(page.getByRole('heading', { name: 'Projects', level: 1 })).toBeVisible();
  await expect(page.getByRole('article', { name: 'ticket-router' })).toHaveCount(0);
});

test('a project without a deployment says so, and the palette and the keyboard know its page', async ({ demo: page }) => {
  await open(page, '/projects?action=new');
  await page.getByRole('dialog').getByLabel('Name').fill('brand-new');
  await page.getByRole('button', { name: 'Create project' }).click();
  await expect(page.getByRole('article', { name: 'brand-new' }).getByText('No deployment yet')).toBeVisible();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search commands' }).fill('project brand-new');
  await page.getByRole('option', { name: 'Project brand-new', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'brand-new', level: 1 })).toBeVisible();
  await expect(page.getByText(/^No deployments yet\./)).toBeVisible();
  await page.keyboard.press('d');
  const dialog = page.getByRole('dialog', { name: 'Deploy agent' });
  await expect(dialog.getByLabel('Project', { exact: true }).locator('option:checked')).toHaveText('brand-new');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('heading', { name: 'brand-new', level: 1 })).toBeVisible();
  expect(new URL(page.url()).search).toBe('');
});
