import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Page } from '@playwright/test';
import { storedZip } from '../demo/stored-zip.ts';
import { brokenAgent, talkingAgent } from './agents.ts';
import { ask, deploy, deployTo, newProject, reaches, someEmail, someName } from './api.ts';
import { archive, enter, expect, expectNoReload, logLines, signedIn, statusOf, test } from './console.ts';

const started = 'Deployment started! Check the deployments list for status.';
const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Deploy agent' });
const chooseFile = (page: Page, file: string | ReturnType<typeof archive>) => page.locator('input[type=file]').setInputFiles(file);

test('a stranger signs up, drops a ZIP, watches it start, talks to the agent, breaks it, goes back and stops it', async ({
  page,
  context,
}) => {
  const [email, password, name] = [someEmail(), 'correct horse', someName('talker')];
  await test.step('a new account and an empty dashboard', async () => {
    await page.goto('/');
    await page.getByRole('link', { name: 'Sign up' }).click();
    await page.getByLabel('Full name').fill('Ada Lovelace');
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByLabel('Confirm password').fill(password);
    await page.getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByRole('link', { name: 'Sign in now' }).click();
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect(page.getByRole('heading', { name: 'Deploy Your First Agent' })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Total Projects' })).toContainText('0');
  });

  await test.step('the dropped archive is described before it is sent', async () => {
    await drop(page, `${name}.zip`, storedZip(talkingAgent('version one')));
    const dialog = dialogOf(page);
    await expect(dialog.getByRole('status').filter({ hasText: '2 files' })).toContainText(
      'Detected Node.js from package.json, starting from server.js',
    );
    await expect(dialog.getByLabel('Name of the new project')).toHaveValue(name);
  });

  await page.evaluate(() => document.documentElement.setAttribute('data-not-reloaded', ''));
  await test.step('its log comes in by itself until it is active', async () => {
    await dialogOf(page).getByRole('button', { name: 'Deploy agent' }).click();
    await page.waitForURL('**/deployments/dep_*');
    await expect(page.getByText(started)).toBeVisible();
    await expect(statusOf(page)).toHaveText('Active', { timeout: 300_000 });
    await expect(logLines(page).getByText('version one listens')).toBeVisible();
    await expect(page.getByText('Why: ')).toBeVisible();
    await expect(page.getByText(/^Node\.js \d/)).toBeVisible();
  });

  await test.step("'View App' opens the agent, and it answers", async () => {
    const [app] = await Promise.all([context.waitForEvent('page'), page.getByRole('link', { name: 'View App' }).click()]);
    await expect(app.getByRole('heading')).toHaveText('Hello from version one');
    expect(new URL(app.url()).hostname).toBe(`${name}.localhost`);
    await app.getByLabel('Question').fill('Are you there?');
    await app.getByRole('button', { name: 'Ask' }).click();
    await expect(app.locator('output')).toHaveText('You asked: Are you there?');
    await app.close();
    await expect(logLines(page).getByText('asked: Are you there?')).toBeVisible();
  });

  const good = page.url();
  const address = (await page.getByRole('link', { name: 'View App' }).getAttribute('href')) ?? '';
  await test.step('a broken version says why it failed, and the old one goes on serving', async () => {
    await page.getByRole('link', { name: 'Deployments', exact: true }).first().click();
    await page.getByRole('button', { name: 'Deploy agent' }).click();
    await chooseFile(page, archive(storedZip(brokenAgent)));
    await dialogOf(page).getByLabel('Project', { exact: true }).selectOption({ label: name });
    await dialogOf(page).getByRole('button', { name: 'Deploy agent' }).click();
    await page.waitForURL((url) => url.pathname.startsWith('/deployments/dep_') && url.href !== good);
    await expect(statusOf(page)).toHaveText('Failed');
    await expect(page.getByText(/Start failed: the agent ended with exit code 3 before it was ready;/).first()).toBeVisible();
    await expect(logLines(page).getByText('Error: the model file is missing', { exact: true })).toBeVisible();
    await expect.poll(async () => (await ask(address)).text).toContain('version one');
  });

  await test.step('a second version takes over, and rolling back brings the first one again', async () => {
    await page.getByRole('link', { name: 'Deployments', exact: true }).first().click();
    await expect(page.getByRole('row', { name: /Failed/ })).toContainText('exit code 3');
    await page.getByRole('button', { name: 'Deploy agent' }).click();
    await chooseFile(page, archive(storedZip(talkingAgent('version two'))));
    await dialogOf(page).getByLabel('Project', { exact: true }).selectOption({ label: name });
    await dialogOf(page).getByRole('button', { name: 'Deploy agent' }).click();
    await page.waitForURL('**/deployments/dep_*');
    await expect(statusOf(page)).toHaveText('Active', { timeout: 300_000 });
    await expect.poll(async () => (await ask(address)).text).toContain('version two');

    await page.evaluate((to) => history.pushState({}, '', to), good);
    await page.evaluate(() => dispatchEvent(new PopStateEvent('popstate')));
    await expect(statusOf(page)).toHaveText('Stopped');
    await page.getByRole('button', { name: /^Actions for/ }).click();
    await page.getByRole('menuitem', { name: 'Roll back to this' }).click();
    const confirm = page.getByRole('alertdialog', { name: `Roll back production of ${name}?` });
    await expect(confirm).toContainText('Variables and database contents are not rolled back');
    await confirm.getByRole('button', { name: 'Roll back' }).click();
    await page.waitForURL((url) => url.pathname.startsWith('/deployments/dep_') && url.href !== good);
    await expect(statusOf(page)).toHaveText('Active', { timeout: 300_000 });
    await expect.poll(async () => (await ask(address)).text).toContain('version one');
  });

  await test.step('stopping asks first, then the address answers no more', async () => {
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    const confirm = page.getByRole('alertdialog', { name: 'Are you sure you want to stop this deployment?' });
    await confirm.getByRole('button', { name: 'Cancel' }).click();
    await expect(statusOf(page)).toHaveText('Active');
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await confirm.getByRole('button', { name: 'Stop deployment' }).click();
    await expect(statusOf(page)).toHaveText('Stopped');
    await expect(page.getByRole('link', { name: 'View App' })).toHaveCount(0);
    await expect.poll(async () => (await ask(address)).status).toBeGreaterThanOrEqual(400);
  });
  expect(await page.evaluate(() => document.documentElement.hasAttribute('data-not-reloaded'))).toBe(true);
});

signedIn('the first upload leads to its log although the deployment is heard of before the upload is answered', async ({ page }) => {
  await page.route('**/api/v1/deployments', async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    const response = await route.fetch();
    // The dashboard gets the change meanwhile and is no longer empty.
    await expect(page.getByText('Recent Deployments', { exact: true })).toBeAttached();
    await route.fulfill({ response });
  });
  await page.goto('/dashboard');
  await drop(page, `${someName('early')}.zip`, storedZip(talkingAgent('early')));
  await dialogOf(page).getByRole('button', { name: 'Deploy agent' }).click();
  await page.waitForURL('**/deployments/dep_*');
  await expect(statusOf(page)).toHaveText('Active', { timeout: 300_000 });
});

signedIn('what is no deployable archive is refused before anything is sent', async ({ page, person }) => {
  const { id } = await newProject(person);
  const sent: string[] = [];
  page.on('request', (request) => (request.method() === 'POST' ? sent.push(request.url()) : undefined));
  await page.goto(`/deployments?project=${id}&action=deploy`);
  const dialog = dialogOf(page);
  const button = dialog.getByRole('button', { name: 'Deploy agent' });
  await button.click();
  await expect(dialog.getByText('Please select a project and upload a file', { exact: true })).toBeVisible();
  for (const [file, problem] of [
    [archive(storedZip({ '../../etc/evil': 'x', 'main.py': 'x' })), '“../../etc/evil” points outside the archive.'],
    [archive(storedZip({ '/etc/evil': 'x' })), '“/etc/evil” has an absolute path. Pack the folder from inside.'],
    [archive(Buffer.from('print("hello")'), 'agent.py'), 'The file must be a .zip archive.'],
    [archive(Buffer.from('not an archive at all, only long enough'), 'agent.zip'), 'This file is not a ZIP archive.'],
    [archive(storedZip({}), 'agent.zip'), 'The archive contains no files.'],
  ] as const) {
    await chooseFile(page, file);
    await expect(dialog.getByRole('alert').filter({ hasText: problem })).toBeVisible();
    await expect(button).toBeDisabled();
  }
  await chooseFile(page, archive(storedZip(talkingAgent('mended'))));
  await expect(dialog.getByText('Detected Node.js')).toBeVisible();
  await expect(button).toBeEnabled();
  expect(sent).toEqual([]);
});

signedIn('an upload tells how far it is, can be cancelled, and sent again', async ({ page, person, line }, testInfo) => {
  const { id } = await newProject(person);
  // The file is larger than all buffers on the way, so that the upload is really in progress when it is held.
  const file = testInfo.outputPath('heavy.zip');
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, storedZip({ ...talkingAgent('heavy'), 'weights.bin': randomBytes(24 * 1024 ** 2) }));
  await enter(page, person, line.origin);
  await page.goto(`${line.origin}/deployments?project=${id}&action=deploy`);
  await chooseFile(page, file);
  const dialog = dialogOf(page);
  await expect(dialog.getByText('Detected Node.js')).toBeVisible();
  line.hold(1024 ** 2);
  await dialog.getByRole('button', { name: 'Deploy agent' }).click();
  const progress = dialog.getByRole('progressbar');
  await expect(progress).toHaveAttribute('aria-valuetext', /^Uploading, [1-9]\d? %$/);
  await page.keyboard.press('Escape');
  await expect(progress).toBeVisible();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(progress).toHaveCount(0);
  line.release();
  expect((await person.api.deployments.list()).total).toBe(0);
  await dialog.getByRole('button', { name: 'Deploy agent' }).click();
  await page.waitForURL('**/deployments/dep_*');
  expect((await person.api.deployments.list()).total).toBe(1);
});

signedIn('the sample agent runs after one click, and answers', async ({ page, context }) => {
  await page.goto('/dashboard');
  await page.getByRole('button', { name: 'Deploy the sample agent' }).click();
  await page.waitForURL('**/deployments/dep_*');
  await expect(statusOf(page)).toHaveText('Active', { timeout: 300_000 });
  const [app] = await Promise.all([context.waitForEvent('page'), page.getByRole('link', { name: 'View App' }).click()]);
  await expect(app.locator('body')).toContainText(/chat/i);
});

signedIn(
  'what happens elsewhere appears in every tab by itself: made by API, stopped in the other tab',
  async ({ page, context, person }) => {
    const { id, name } = await newProject(person);
    await page.goto('/deployments');
    await expect(page.getByText('No deployments yet.')).toBeVisible();
    const second = await context.newPage();
    await second.goto('/dashboard');
    const recent = second.getByRole('region', { name: 'Recent Deployments' });
    await expect(second.getByRole('heading', { name: 'Deploy Your First Agent' })).toBeVisible();
    await expectNoReload(page, () =>
      expectNoReload(second, async () => {
        const made = await deploy(person, id, talkingAgent('by API'));
        const row = page.getByRole('row', { name: new RegExp(name) });
        await expect(row).toBeVisible();
        await reaches(person, made.id, 'active');
        await expect(row).toContainText('Active');
        await expect(row.getByRole('link', { name: `View App ${name}` })).toBeVisible();
        await expect(recent.getByRole('row', { name: new RegExp(name) })).toContainText('Active');
        await expect(second.getByRole('link', { name: 'Active Now' })).toContainText('1');
        await row.getByRole('button', { name: /^Stop/ }).click();
        await page.getByRole('alertdialog').getByRole('button', { name: 'Stop deployment' }).click();
        await expect(recent.getByRole('row', { name: new RegExp(name) })).toContainText('Stopped');
        await expect(second.getByRole('link', { name: 'Active Now' })).toContainText('0');
      }),
    );
  },
);

signedIn('the list keeps its filters in the address, and tells no match from nothing yet', async ({ page, person }) => {
  const { id } = await newProject(person);
  const made = await deployTo(person, { project_id: id, environment: 'preview' }, brokenAgent);
  await page.goto('/deployments?status=active&environment=preview&nonsense=1');
  await expect(page.getByText('No deployment matches these filters.')).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).last().click();
  const row = page.getByRole('row', { name: new RegExp(made.id.slice(0, 8)) });
  await expect(row).toContainText('Failed');
  await expect(row).toContainText('Preview');
  await expect(row.getByRole('link').first()).toHaveText(`${made.id.slice(0, 8)}${made.id.slice(8, 16)}`);
  await page.goto(`/deployments?logs=${made.id}`);
  await expect(page.getByRole('dialog').getByText('Error: the model file is missing', { exact: true })).toBeVisible();
});

/** Drops a file as if it was dragged from the desktop. */
async function drop(page: Page, name: string, content: Buffer) {
  const dataTransfer = await page.evaluateHandle(
    ([fileName, base64]) => {
      const data = new DataTransfer();
      const bytes = Uint8Array.from(atob(base64 as string), (char) => char.charCodeAt(0));
      data.items.add(new File([bytes], fileName as string, { type: 'application/zip' }));
      return data;
    },
    [name, content.toString('base64')],
  );
  const zone = page.locator('label').filter({ has: page.locator('input[type=file]') });
  await zone.dispatchEvent('dragover', { dataTransfer });
  await zone.dispatchEvent('drop', { dataTransfer });
}
