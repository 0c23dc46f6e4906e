import type { Page } from '@playwright/test';
import { expect, expectAccessible, expectNoSideScroll, open, test } from './console.ts';
import { storedZip } from './stored-zip.ts';

const archive = { name: 'agent.zip', mimeType: 'application/zip', buffer: storedZip({ 'main.py': 'x' }) };

async function openDeployment(page: Page, path: string, row: RegExp) {
  await open(page, path);
  await page.getByRole('row', { name: row }).getByRole('link').first().click();
}
const choices = (page: Page) => page.getByRole('list', { name: 'Other ways to start' });

test('another start command is used by a redeploy, kept for later uploads, and forgotten with empty fields', async ({ demo: page }) => {
  await openDeployment(page, '/deployments?status=active&environment=production', /support-router/);
  await expect(choices(page).getByRole('listitem')).toContainText([/^python replay\.py.*README\.md/, /^gunicorn/, /^tools\/labeller\//]);
  await page.getByRole('button', { name: /^Use this: python replay\.py/ }).click();
  const dialog = page.getByRole('alertdialog', { name: 'Change how support-router starts?' });
  await expect(dialog).toContainText(/python replay\.py --from tickets\.jsonl.*instead of uvicorn main:app.*saved for the project/);
  await expectAccessible(page);
  const before = page.url();
  await dialog.getByRole('button', { name: 'Use this' }).click();
  await expect(page).not.toHaveURL(before);
  await expect(choices(page).getByRole('listitem').first()).toContainText('uvicorn main:app');
  await expect(page.getByRole('button', { name: /^Use this: uvicorn/ })).toBeEnabled();

  await open(page, '/deployments?action=deploy');
  const deploy = page.getByRole('dialog', { name: 'Deploy agent' });
  await deploy.getByRole('combobox', { name: 'Project' }).selectOption('support-router');
  await expect(deploy.getByLabel('Start command')).toHaveValue('python replay.py --from tickets.jsonl');
  await expect(deploy).toContainText('Saved for this project.');
  await deploy.getByLabel('Start command').fill('');
  await expect(deploy).toContainText('Removed with this deployment: python replay.py --from tickets.jsonl');
  await deploy.locator('input[type=file]').setInputFiles(archive);
  await deploy.getByRole('button', { name: 'Deploy agent' }).click();
  await expect(deploy).toBeHidden();
  await open(page, '/deployments?action=deploy');
  await deploy.getByRole('combobox', { name: 'Project' }).selectOption('support-router');
  await expect(deploy.getByRole('combobox', { name: 'Project' })).toHaveValue(/^prj_/);
  await expect(deploy.getByLabel('Start command')).toBeHidden();
});

test('a deployment that failed for want of a package is deployed with it, and later uploads get it too', async ({ touch: page }) => {
  await openDeployment(page, '/deployments?status=failed&environment=production', /web-scout/);
  await expect(page.getByText('imports “cheerio”, which is not among the dependencies').first()).toBeVisible();
  await expectNoSideScroll(page);
  await page.getByRole('button', { name: 'Deploy with cheerio' }).click();
  const dialog = page.getByRole('alertdialog', { name: 'Deploy web-scout with additional packages?' });
  await expect(dialog).toContainText(/Packagescheerio.*later uploads get these packages too/);
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Deploy with packages' }).click();
  await expect(page.getByRole('region', { name: 'Plan', exact: true })).toContainText('packages cheerio, based on setting', {
    useInnerText: false,
  });

  await open(page, '/deployments?action=deploy');
  const deploy = page.getByRole('dialog', { name: 'Deploy agent' });
  await deploy.getByRole('combobox', { name: 'Project' }).selectOption('web-scout');
  await expect(deploy.getByLabel('Packages')).toHaveValue('cheerio');
  await deploy.getByLabel('Packages').fill('cheerio zod@^4');
  await expect(deploy).toContainText('Replaced with this deployment: packages cheerio');
  await expectNoSideScroll(page);
});

test('a deployment that failed because several folders hold an agent offers each of them', async ({ touch: page }) => {
  await openDeployment(page, '/deployments?status=failed&environment=preview', /web-scout/);
  await expect(choices(page).getByRole('listitem')).toContainText([/^agents\/scout\/.*Node/, /^agents\/summary\/.*Python, FastAPI/]);
  await expectNoSideScroll(page);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Use this: agents/scout/' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Use this' }).click();
  await expect(page.getByRole('region', { name: 'Plan', exact: true })).toContainText('agents/scout');
});
