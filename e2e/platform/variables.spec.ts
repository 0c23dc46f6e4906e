import { printingAgent } from './agents.ts';
import { ask, deploy, newProject, reaches } from './api.ts';
import { expect, signedIn as test } from './console.ts';

test('variables are added, pasted as a block, replaced and removed for one environment, and no value is ever shown', async ({
  page,
  person,
}) => {
  const { id } = await newProject(person);
  const secret = 'a-value-nobody-may-read';
  const answers: string[] = [];
  page.on('response', (response) => {
    if (response.url().includes('/api/v1/')) response.text().then((text) => answers.push(text), console.warn);
  });
  await page.goto(`/projects/${id}/variables`);
  await page.getByRole('button', { name: 'Add variable' }).first().click();
  const dialog = page.getByRole('dialog');
  const add = dialog.getByRole('button', { name: 'Add variable' });
  for (const [name, message] of [
    ['', 'Name cannot be empty'],
    ['1ST', 'Name can only contain letters, numbers, and underscores, and cannot start with a number'],
    ['PORT', 'PORT is set by Paddock and cannot be overridden'],
  ] as const) {
    await dialog.getByLabel('Name').fill(name);
    await add.click();
    await expect(dialog.getByText(message, { exact: true })).toBeVisible();
  }
  await dialog.getByLabel('Name').fill('API_KEY');
  await dialog.getByLabel('Value').fill(secret);
  await add.click();
  const names = page.getByRole('rowheader');
  await expect(names).toHaveText(['API_KEY']);

  await page.getByRole('button', { name: 'Paste .env' }).click();
  await dialog.getByLabel('Lines of NAME=value').fill(`# mine\nAPI_KEY=${secret}\nexport GREETING="Good day" # said\n=nothing\nPORT=80`);
  await expect(dialog.getByText('Replaces the value of API_KEY.')).toBeVisible();
  await expect(dialog.getByText('Line 4: Expected NAME=value')).toBeVisible();
  await expect(dialog.getByText('Line 5: PORT is set by Paddock and cannot be overridden')).toBeVisible();
  await dialog.getByRole('button', { name: 'Add 2 variables' }).click();
  await expect(names).toHaveText(['API_KEY', 'GREETING']);

  await page.getByRole('tab', { name: 'Preview' }).click();
  await expect(page).toHaveURL(/environment=preview$/);
  await expect(page.getByText('No variables in preview yet.')).toBeVisible();
  await page.reload();
  await expect(page.getByRole('tab', { name: 'Preview', selected: true })).toBeVisible();
  await page.getByRole('tab', { name: 'Production' }).click();
  await page.getByRole('button', { name: 'Remove API_KEY' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove variable' }).click();
  await expect(names).toHaveText(['GREETING']);
  await expect(page.getByText(secret)).toHaveCount(0);
  expect(answers.length).toBeGreaterThan(3);
  expect(answers.join('\n')).not.toContain(secret);
});

test('a variable that is replaced acts from the next deployment on', async ({ page, person }) => {
  const { id, url } = await newProject(person);
  // Gateways learn of an active deployment a moment after the API reports it.
  const greeting = async () => (await ask(url, '/GREETING')).text;
  const variables = [{ key: 'GREETING', value: 'good morning', available_at_build: false }];
  await person.api.variables.set({ project_id: id, environment: 'production', variables });
  const first = await deploy(person, id, printingAgent);
  await reaches(person, first.id, 'active');
  await expect.poll(greeting).toBe('good morning');

  await page.goto(`/projects/${id}/variables`);
  await page.getByRole('button', { name: 'Replace the value of GREETING' }).click();
  await page.getByRole('dialog').getByLabel('Value').fill('good night');
  await page.getByRole('dialog').getByRole('button', { name: 'Replace value' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  expect(await greeting()).toBe('good morning');
  const second = await person.api.deployments.redeploy({ id: first.id });
  await reaches(person, second.id, 'active');
  await expect.poll(greeting).toBe('good night');
});

/** It ends at once without its variables, and answers with one of them. */
const needyAgent = {
  'server.js': `
const { DESK_URL, DESK_TOKEN } = process.env;
if (!DESK_URL) throw new Error('DESK_URL is not set');
if (!DESK_TOKEN) throw new Error('DESK_TOKEN is not set');
require('node:http').createServer((request, response) => response.end(DESK_URL)).listen(process.env.PORT);
`,
};

test('an agent that failed for want of variables gets them where it failed, and one press brings it up', async ({ page, person }) => {
  const { id, url } = await newProject(person, 'needy');
  const failed = await deploy(person, id, needyAgent);
  await reaches(person, failed.id, 'failed');
  await page.goto(`/deployments/${failed.id}`);
  const form = page.getByRole('form', { name: 'Missing variables' });
  await form.getByLabel('DESK_URL').fill('https://desk.example');
  await form.getByLabel('DESK_TOKEN').fill('a-word-of-this-test');
  await expect(form.getByLabel('DESK_TOKEN')).toHaveAttribute('type', 'password');
  await form.getByRole('button', { name: 'Save and redeploy' }).click();
  await page.waitForURL((to) => to.pathname.startsWith('/deployments/dep_') && !to.pathname.endsWith(failed.id));
  await reaches(person, new URL(page.url()).pathname.slice('/deployments/'.length), 'active');
  await expect.poll(async () => (await ask(url)).text).toBe('https://desk.example');
  await page.goto(`/projects/${id}/variables`);
  await expect(page.getByRole('rowheader')).toHaveText(['DESK_TOKEN', 'DESK_URL']);
  await expect(page.getByRole('button', { name: 'Redeploy production' })).toBeHidden();
});
