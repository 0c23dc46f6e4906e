import type { Page } from '@playwright/test';
import { expectToast } from '../toasts.ts';
import { appearance } from './appearance.ts';
import { expect, open, test } from './console.ts';
import { storedZip } from './stored-zip.ts';

const archive = (files: Record<string, string>, name = 'agent.zip') => ({ name, mimeType: 'application/zip', buffer: storedZip(files) });
const agent = archive({ 'main.py': 'print("hello")', 'requirements.txt': 'fastapi\n' });
const lines = (page: Page) => page.getByRole('region', { name: 'Log lines' });
const chooseFile = (page: Page, file: ReturnType<typeof archive>) => page.locator('input[type=file]').setInputFiles(file);

test('a chosen archive is described, sent with progress, and watched until it is active', async ({ demo: page }) => {
  await open(page, '/deployments?action=deploy');
  const dialog = page.getByRole('dialog', { name: 'Deploy agent' });
  await dialog.getByRole('button', { name: 'Deploy agent' }).click();
  await expect(dialog.getByRole('alert').filter({ hasText: 'Please select a project and upload a file' })).toBeVisible();
  await chooseFile(page, agent);
  await expect(dialog.getByText('Detected Python')).toBeVisible();
  await dialog.getByLabel('Project', { exact: true }).selectOption({ label: 'support-router' });
  const progress = appearance(page, { selector: '[role=dialog] [role=progressbar]' });
  const building = appearance(page, { selector: 'header', text: 'Building' });
  await dialog.getByRole('button', { name: 'Deploy agent' }).click();
  await progress;
  await page.waitForURL('**/deployments/dep_*');
  await expectToast(page, 'Deployment started! Check the deployments list for status.');
  const status = page
    .locator('header')
    .filter({ has: page.getByRole('heading', { level: 1 }) })
    .getByRole('status');
  await building;
  await expect(lines(page).getByText('uv pip install -r requirements.txt')).toBeVisible();
  await expect(status).toHaveText('Active');
  await expect(lines(page).getByText('Ready: the address now leads to this deployment')).toBeVisible();
  await expect(page.getByRole('link', { name: 'View App' })).toBeVisible();
});

test('an archive that would climb out of its folder is refused before anything is sent', async ({ demo: page }) => {
  await open(page, '/deployments?action=deploy');
  await chooseFile(page, archive({ '../../etc/evil': 'x', 'main.py': 'x' }));
  const dialog = page.getByRole('dialog', { name: 'Deploy agent' });
  await expect(dialog.getByText('points outside the archive')).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Deploy agent' })).toBeDisabled();
});

test('an upload can be cancelled and sent again', async ({ demo: page }) => {
  await open(page, '/deployments?action=deploy');
  const dialog = page.getByRole('dialog', { name: 'Deploy agent' });
  await chooseFile(page, agent);
  await dialog.getByLabel('Project', { exact: true }).selectOption({ label: 'web-scout' });
  // The upload takes a second, and a busy machine needs that for one press. So the page itself presses as soon as it can.
  await page.evaluate(`new MutationObserver((_, observer) => {
    if (!document.querySelector('[role=dialog] [role=progressbar]')) return;
    observer.disconnect();
    setTimeout(() => {
      [...document.querySelectorAll('[role=dialog] button')].find((each) => each.textContent === 'Cancel').click();
      window.isCancelled = true;
    });
  }).observe(document.body, { childList: true, subtree: true })`);
  await dialog.getByRole('button', { name: 'Deploy agent' }).click();
  await expect.poll(() => page.evaluate('window.isCancelled')).toBe(true);
  await expect(dialog.getByRole('progressbar')).toBeHidden();
  await page.waitForTimeout(700); // an earlier press would be the second one of a double click
  await dialog.getByRole('button', { name: 'Deploy agent' }).click();
  await page.waitForURL('**/deployments/dep_*');
  await open(page, '/deployments');
  await expect(page.getByText('14 of 14 shown')).toBeVisible();
});

test('pressed while the archive is still looked at, Deploy sends it once it was', async ({ demo: page }) => {
  await open(page, '/deployments?action=deploy');
  await page.evaluate(`{
    const read = Blob.prototype.arrayBuffer;
    Blob.prototype.arrayBuffer = async function () {
      await new Promise((resolve) => { window.letRead = resolve; });
      return read.call(this);
    };
    window.readAll = () => { Blob.prototype.arrayBuffer = read; window.letRead(); };
  }`);
  const dialog = page.getByRole('dialog', { name: 'Deploy agent' });
  await chooseFile(page, agent);
  await dialog.getByLabel('Project', { exact: true }).selectOption({ label: 'web-scout' });
  const deploy = dialog.getByRole('button', { name: 'Deploy agent' });
  await deploy.click();
  await expect(deploy).toHaveAttribute('aria-busy', 'true');
  await deploy.click({ force: true });
  await expect(dialog.getByRole('progressbar')).toBeHidden();
  await page.evaluate('window.readAll()');
  await page.waitForURL('**/deployments/dep_*');
  await open(page, '/deployments');
  await expect(page.getByText('14 of 14 shown')).toBeVisible();
});

test('a preview is promoted to production from its menu, and production alone shows no such entry', async ({ demo: page }) => {
  await open(page, '/deployments?environment=production');
  await page
    .getByRole('button', { name: /^Actions for/ })
    .first()
    .click();
  await expect(page.getByRole('menuitem', { name: 'Details' })).toBeVisible();
  await expect(page.getByRole('menuitem', { name: 'Promote to production' })).toHaveCount(0);
  await page.keyboard.press('Escape');
  await open(page, '/deployments?environment=preview&status=active');
  await page.getByRole('button', { name: /^Actions for support-router/ }).click();
  await page.getByRole('menuitem', { name: 'Promote to production' }).click();
  const confirm = page.getByRole('alertdialog', { name: 'Promote support-router to production?' });
  await expect(confirm).toContainText('with production’s variables and databases');
  await confirm.getByRole('button', { name: 'Promote' }).click();
  await page.waitForURL('**/deployments/dep_*');
  await expectToast(page, 'Deployment started! Check the deployments list for status.');
  await expect(page.getByText('Production', { exact: true }).first()).toBeVisible();
});
