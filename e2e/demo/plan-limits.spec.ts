import { billingLists } from './billing-actions.ts';
import { expect, open, test } from './console.ts';
import { json, problem, project, signedIn } from './scripted.ts';

const full = {
  plan: 'starter',
  binding: true,
  projects: { used: 1, limit: 1, reached: true, raised_by: 'pro' },
  bandwidth_gb: { used: 101.26, limit: 100, reached: true, raised_by: 'pro' },
  storage_gb: { used: 5, limit: 5, reached: true, raised_by: 'pro' },
};
const projects = 'Your Starter plan allows 1 project, and your team has 1. Pro allows 5 projects: switch in Billing, or delete a project.';
const answers = {
  'GET /projects': json({ projects: [project], next_cursor: null }),
  'GET /billing/limits': json(full),
};

test('a limit that is reached is told before a project is named, with the way out, and what was typed stays after the refusal', async ({
  page,
  site,
}) => {
  await signedIn(
    page,
    { address: `${site.url}/projects?action=new` },
    {
      ...answers,
      'POST /projects': problem(402, 'plan_limit_reached', 'Your Starter plan allows 1 project, and your team has 1.'),
    },
  );
  const dialog = page.getByRole('dialog', { name: 'New Project' });
  await expect(dialog.getByText(projects)).toBeVisible();
  await dialog.getByLabel('Name').fill('another');
  await dialog.getByRole('button', { name: 'Create project' }).click();
  await expect(dialog.getByRole('alert')).toContainText('Your Starter plan allows 1 project, and your team has 1.');
  await expect(dialog.getByLabel('Name')).toHaveValue('another');
  await dialog.getByRole('link', { name: 'Billing' }).click();
  await page.waitForURL(/\/billing/);
});

test('whoever deploys is told of the limits of bandwidth, of projects and of storage, each where it matters', async ({ page, site }) => {
  await signedIn(page, { address: `${site.url}/deployments?action=deploy` }, answers);
  const dialog = page.getByRole('dialog', { name: 'Deploy agent' });
  await expect(dialog.getByText('allows 100 GB of bandwidth per month, and your team has used 101.3 GB.')).toBeVisible();
  await expect(dialog.getByText(projects)).toHaveCount(0);
  await dialog.getByRole('combobox', { name: 'Project' }).selectOption({ label: 'New project' });
  await expect(dialog.getByText(projects)).toBeVisible();
  await expect(dialog.getByText('5 GB of database storage')).toHaveCount(0);
  await dialog.getByRole('combobox', { name: 'Database' }).selectOption('managed');
  await expect(dialog.getByText('allows 5 GB of database storage, and your team uses 5 GB.')).toBeVisible();
});

test('limits that do not bind are told of on the page of usage alone', async ({ page, site }) => {
  const shown = { ...answers, ...billingLists, 'GET /billing/limits': json({ ...full, binding: false }) };
  await signedIn(page, { address: `${site.url}/projects?action=new` }, shown);
  const dialog = page.getByRole('dialog', { name: 'New Project' });
  await dialog.getByLabel('Name').fill('another');
  await expect(dialog.getByText('Your Starter plan')).toHaveCount(0);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('link', { name: 'Billing' }).click();
  await page.getByRole('tab', { name: 'Usage & Costs' }).click();
  const card = page.getByRole('region', { name: 'Starter plan limits' });
  await expect(card.getByRole('meter', { name: 'Projects' })).toHaveAttribute('aria-valuetext', '1 of 1');
  await expect(card.getByText('101.3 of 100 GB')).toBeVisible();
  await expect(card.getByText('This installation only shows plan limits and does not enforce them.')).toBeVisible();
});

test('the demo shows its usage against its plan', async ({ demo: page }) => {
  await open(page, '/billing?tab=usage');
  const card = page.getByRole('region', { name: 'Pro plan limits' });
  await expect(card.getByRole('meter', { name: 'Projects' })).toHaveAttribute('aria-valuetext', '4 of 5');
  await expect(card.getByRole('meter', { name: 'PostgreSQL storage' })).toHaveAttribute('aria-valuetext', /^\d+\.\d of 50 GB$/);
});
