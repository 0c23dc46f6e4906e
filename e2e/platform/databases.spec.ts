import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { storedZip } from '../demo/stored-zip.ts';
import { expectToast } from '../toasts.ts';
import { ask, newProject } from './api.ts';
import { archive, expect, expectAccessible, statusOf, signedIn as test } from './console.ts';
import { place } from './place.ts';

const example = join(import.meta.dirname, '../../examples/counter-node');

test('a counter is deployed with managed databases; its connection string is copied and rotated, and a backup is made and put back', async ({
  page,
  person,
}) => {
  await page.addInitScript('window.copied = []; navigator.clipboard.writeText = async (text) => void window.copied.push(text)');
  const copied = () => page.evaluate<string[]>('window.copied');
  const { name, url } = await newProject(person, 'counter');
  const counts = async () => JSON.parse((await ask(url)).text) as { postgresql: number; redis: number };
  const files = Object.fromEntries(
    await Promise.all((await readdir(example)).map(async (file) => [file, await readFile(join(example, file))] as const)),
  );

  await test.step('deployed with databases, it counts in both', async () => {
    await page.goto('/deployments?action=deploy&database=managed');
    const dialog = page.getByRole('dialog', { name: 'Deploy agent' });
    await page.locator('input[type=file]').setInputFiles(archive(storedZip(files)));
    await dialog.getByLabel('Project', { exact: true }).selectOption({ label: name });
    await expect(dialog.getByLabel('Database')).toHaveValue('managed');
    await dialog.getByRole('button', { name: 'Deploy agent' }).click();
    await page.waitForURL('**/deployments/dep_*');
    await expect(statusOf(page)).toHaveText('Active', { timeout: 300_000 });
    await expect.poll(async () => (await ask(url)).status).toBe(200);
    expect((await counts()).postgresql).toBeGreaterThan(0);
  });

  const full = `PostgreSQL of ${name}, production`;
  const card = page.getByRole('article', { name: full, exact: true });
  const dialog = page.getByRole('dialog', { name: 'Connection String' });
  await test.step('both cards are available', async () => {
    await page.goto('/databases');
    await expect(card.getByText('Available')).toBeVisible();
    await expect(page.getByRole('article', { name: `Redis of ${name}, production`, exact: true }).getByText('Available')).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('the connection string is copied unseen, and another one after a rotation', async () => {
    await card.getByRole('button', { name: 'Connection String' }).click();
    await dialog.getByRole('button', { name: 'Copy connection string' }).click();
    await expectToast(page, 'Copied to clipboard!');
    const [first = ''] = await copied();
    expect(first).toMatch(/^postgresql:\/\/agent:[\w-]{24,}@127\.0\.0\.1:\d+\/app$/);
    await expect(page.getByText(first)).toHaveCount(0);
    await dialog.getByRole('button', { name: 'Show' }).click();
    await expect(dialog.getByText(first, { exact: true })).toBeVisible();

    await dialog.getByRole('button', { name: 'Rotate password' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Rotate password' }).click();
    await dialog.getByRole('button', { name: 'Show' }).click();
    await expect(dialog.getByText(first, { exact: true })).toHaveCount(0);
    await expect(dialog.getByText(/^postgresql:/)).toBeVisible();
    await page.keyboard.press('Escape');
    const log = await readFile(place().log_file, 'utf8');
    const password = new URL(first).password;
    expect(log.includes(password)).toBe(false);
    // The agent gets the new connection string and goes on counting.
    await expect.poll(async () => (await ask(url)).status).toBe(200);
  });

  await test.step('what was counted after a backup is gone once that is put back', async () => {
    await card.getByRole('button', { name: 'Backups' }).click();
    const drawer = page.getByRole('dialog', { name: `PostgreSQL of ${name}` });
    await drawer.getByRole('button', { name: 'Back up now' }).click();
    const made = drawer.getByRole('list', { name: 'Backups' }).getByRole('listitem').filter({ hasText: 'Manual' });
    await expect(made.getByText('Available')).toBeVisible();
    await expect(made.getByText(/SHA-256/)).toBeVisible();
    const before = (await counts()).postgresql;
    await counts();
    await counts();
    await made.getByRole('button', { name: /^Restore/ }).click();
    const restore = page.getByRole('dialog', { name: 'Restore backup' });
    await restore.getByRole('radio', { name: 'This database' }).check();
    await restore.getByLabel(`Type ${name} to confirm`).fill(name);
    await restore.getByRole('button', { name: 'Replace the data' }).click();
    await expect(drawer.getByRole('listitem').filter({ hasText: 'Before a restore' }).getByText('Available')).toBeVisible({
      timeout: 300_000,
    });
    await drawer.getByRole('button', { name: 'Close' }).click();
    await expect(card.getByText('Available')).toBeVisible();
    await expect.poll(async () => (await ask(url)).status).toBe(200);
    // Visits during the restore may have counted; those after the backup are lost.
    expect((await counts()).postgresql).toBeLessThanOrEqual(before + 2);
  });
});
