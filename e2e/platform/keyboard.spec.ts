import type { Page } from '@playwright/test';
import { storedZip } from '../demo/stored-zip.ts';
import { talkingAgent } from './agents.ts';
import { newPerson, newProject } from './api.ts';
import { archive, expect, logLines, statusOf, test } from './console.ts';

test('without a mouse: sign in, deploy, read the log, open the agent, stop it, sign out', async ({ page, context }) => {
  const person = await newPerson();
  const { name } = await newProject(person, 'keys');
  await page.goto('/login');
  // An empty page swallows all key presses before its fields are drawn.
  await expect(page.getByLabel('E-mail')).toBeVisible();
  await reach(page, 'E-mail');
  await page.keyboard.type(person.email);
  await reach(page, 'Password');
  await page.keyboard.type(person.password);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/dashboard');
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible();

  // Listening starts before the key press: a busy browser may handle the key before it is told to report the file chooser.
  const choosing = page.waitForEvent('filechooser');
  await page.keyboard.press('d');
  const dialog = page.getByRole('dialog', { name: 'Deploy agent' });
  await expect(dialog).toBeVisible();
  await reach(page, 'Drop a ZIP here, or choose one');
  await page.keyboard.press('Enter');
  const chooser = await choosing;
  await chooser.setFiles(archive(storedZip(talkingAgent('the keys'))));
  await expect(dialog.getByText('Detected Node.js')).toBeVisible();
  const project = dialog.getByLabel('Project', { exact: true });
  // A list that is still loading ignores letters.
  await expect(project.getByRole('option', { name })).toBeAttached();
  await reach(page, 'Project');
  await page.keyboard.type(name);
  await expect(project.locator('option:checked')).toHaveText(name);
  await reach(page, 'Deploy agent');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/deployments/dep_*');
  await expect(statusOf(page)).toHaveText('Active', { timeout: 300_000 });

  await page.keyboard.press('/');
  await expect(page.getByRole('searchbox', { name: 'Search the log' })).toBeFocused();
  await page.keyboard.type('the keys');
  await page.keyboard.press('Enter');
  await expect(logLines(page).locator('mark').first()).toHaveText('the keys');

  await reach(page, 'View App', 'Shift+Tab');
  const [app] = await Promise.all([context.waitForEvent('page'), page.keyboard.press('Enter')]);
  await expect(app.getByRole('heading')).toHaveText('Hello from the keys');
  await app.close();

  await reach(page, 'Stop', 'Shift+Tab');
  await page.keyboard.press('Enter');
  const confirm = page.getByRole('alertdialog');
  await expect(confirm).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(confirm).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Stop', exact: true })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(confirm).toBeVisible();
  await reach(page, 'Stop deployment');
  await page.keyboard.press('Enter');
  await expect(statusOf(page)).toHaveText('Stopped');

  await page.keyboard.press('Control+k');
  await page.getByRole('option', { name: /Deploy agent/ }).waitFor();
  await page.keyboard.type('logout');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/login');
});

/** Presses Tab until the focused element has this name. Its focus must be visible, within 60 presses. */
async function reach(page: Page, name: string, key: 'Tab' | 'Shift+Tab' = 'Tab') {
  for (let presses = 0; presses < 60; presses += 1) {
    const focused = await page.evaluate(() => {
      const at = document.activeElement;
      if (!(at instanceof HTMLElement) || at === document.body) return null;
      const label = at instanceof HTMLInputElement || at instanceof HTMLSelectElement ? at.labels?.[0]?.textContent : null;
      const box = at.classList.contains('sr-only') ? (at.closest('label') ?? at) : at;
      const { outlineStyle, outlineWidth } = getComputedStyle(box);
      return { name: (at.getAttribute('aria-label') ?? label ?? at.textContent).trim(), outline: `${outlineStyle} ${outlineWidth}` };
    });
    if (focused?.name.startsWith(name)) {
      expect(focused.outline, `the focus on ${name}`).not.toMatch(/^none| 0px$/);
      return;
    }
    await page.keyboard.press(key);
  }
  throw new Error(`${name} was not reached`);
}
