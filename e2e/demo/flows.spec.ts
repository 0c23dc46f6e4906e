import type { Page } from '@playwright/test';
import { expectFitsInBothThemes } from './accessible.ts';
import { expect, open, test } from './console.ts';
import { storedZip } from './stored-zip.ts';

const archive = (files: Record<string, string>, name = 'agent.zip') => ({ name, mimeType: 'application/zip', buffer: storedZip(files) });
const lines = (page: Page) => page.getByRole('region', { name: 'Log lines' });
const chooseFile = (page: Page, file: ReturnType<typeof archive>) => page.locator('input[type=file]').setInputFiles(file);

test('a project is created by the rules, renamed, and deleted by its typed name', async ({ demo: page }) => {
  await open(page, '/projects');
  await page.getByRole('button', { name: 'New Project' }).click();
  const dialog = page.getByRole('dialog', { name: 'New Project' });
  await dialog.getByRole('button', { name: 'Create project' }).click();
  await expect(dialog.getByText('Project name cannot be empty')).toBeVisible();
  await dialog.getByLabel('Name').pressSequentially('My Agent!--');
  await expect(dialog.getByLabel('Name')).toHaveValue('myagent--');
  await dialog.getByRole('button', { name: 'Create project' }).click();
  await expect(dialog.getByText('Project name cannot start or end with a hyphen')).toBeVisible();
  await dialog.getByLabel('Name').fill('web-scout');
  await dialog.getByRole('button', { name: 'Create project' }).click();
  await expect(dialog.getByText('You already have a project with this name.')).toBeVisible();
  await dialog.getByLabel('Name').fill('my-agent');
  await dialog.getByRole('button', { name: 'Create project' }).click();
  await expect(page.getByRole('heading', { name: 'my-agent' })).toBeVisible();

  await page.getByRole('button', { name: 'Actions for my-agent' }).click();
  await page.getByRole('menuitem', { name: 'Edit project' }).click();
  await page.getByLabel('Name').fill('our-agent');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByRole('button', { name: 'Actions for our-agent' }).click();
  await page.getByRole('menuitem', { name: 'Delete project' }).click();
  const confirm = page.getByRole('alertdialog');
  await expect(confirm.getByRole('button', { name: 'Delete project' })).toBeDisabled();
  await confirm.getByRole('textbox').fill('our-agent');
  await confirm.getByRole('button', { name: 'Delete project' }).click();
  await expect(page.getByRole('heading', { name: 'our-agent' })).toHaveCount(0);
});

test('a stopped deployment changes in the list without a reload', async ({ demo: page }) => {
  await open(page, '/deployments?environment=preview&status=active');
  await page.getByRole('button', { name: /^Stop support-router/ }).click();
  const confirm = page.getByRole('alertdialog', { name: 'Are you sure you want to stop this deployment?' });
  await confirm.getByRole('button', { name: 'Stop deployment' }).click();
  await expect(page.getByText('No deployment matches these filters.')).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).last().click();
  await expect(page.getByText('13 of 13 shown')).toBeVisible();
  expect(new URL(page.url()).search).toBe('');
});

test('the log lets go when the reader scrolls up, does not move under them, and takes hold again', async ({ demo: page }) => {
  await openActive(page);
  await expect(page.getByText('Following')).toBeVisible();
  await lines(page).hover();
  await page.mouse.wheel(0, -400);
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  const before = await lines(page).evaluate((box) => box.scrollTop);
  await page.getByRole('button', { name: /new lines?$/ }).waitFor();
  expect(await lines(page).evaluate((box) => box.scrollTop)).toBe(before);
  await page.getByRole('button', { name: /new lines?$/ }).click();
  await expect(page.getByText('Following')).toBeVisible();
  await expect.poll(() => lines(page).evaluate((box) => box.scrollHeight - box.clientHeight - box.scrollTop)).toBeLessThan(30);
  await page.setViewportSize({ width: 360, height: 740 });
  await page.waitForTimeout(500);
  await expect.poll(() => lines(page).evaluate((box) => box.scrollHeight - box.clientHeight - box.scrollTop)).toBeLessThan(30);
  await expect(page.getByText('Following')).toBeVisible();
});

test('selected text survives new lines', async ({ demo: page }) => {
  await openActive(page);
  const last = lines(page).locator('[data-index]').last();
  await last
    .getByText(/POST|tool_call|WARNING|ERROR/)
    .first()
    .selectText();
  const selected = await page.evaluate<string>('String(getSelection())');
  expect(selected.length).toBeGreaterThan(5);
  await page.getByRole('button', { name: /new lines?$/ }).waitFor();
  expect(await page.evaluate<string>('String(getSelection())')).toBe(selected);
});

test('the log is searched, filtered by level, marked by line, and reached by a link to a line', async ({ demo: page }) => {
  await openActive(page);
  await page.getByRole('searchbox', { name: 'Search the log' }).fill('slow REQUEST');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('search').getByRole('status')).toHaveText(/^1 of \d+$/);
  await expect(lines(page).locator('mark').first()).toHaveText('slow request');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('search').getByRole('status')).toHaveText(/^2 of \d+$/);
  await page.getByRole('searchbox', { name: 'Search the log' }).fill('');
  await page.getByRole('button', { name: /^Error \d/ }).click();
  await expect(lines(page).getByText('INFO', { exact: true })).toHaveCount(0);
  await expect(page).toHaveURL(/\?level=error(#|$)/);
  await page.getByRole('button', { name: /^Error \d/ }).click();
  await expect(lines(page).getByText('INFO', { exact: true }).first()).toBeVisible();
  const marked = async () => (await page.getByText(/^Line \d+ marked$/).textContent())?.match(/\d+/)?.[0];
  await page.getByRole('button', { name: 'First error' }).click();
  // The line may have to be loaded first.
  await expect(page.getByText(/^Line \d+ marked$/)).toBeVisible();
  await expect(lines(page).locator(`[data-line="${await marked()}"]`)).toBeInViewport();
  await lines(page).locator('[data-line]').nth(3).click();
  // The address and the text change one after the other.
  await expect.poll(async () => new URL(page.url()).hash === `#L${await marked()}`).toBe(true);
  const { pathname } = new URL(page.url());
  await open(page, '/dashboard');
  await open(page, `${pathname}#L12`);
  await expect(page.getByText('Line 12 marked')).toBeVisible();
  await expect(lines(page).locator('[data-line="12"]')).toBeInViewport();
});

test('with nothing deployed the dashboard is the way to the first agent, in one click', async ({ demo: page }) => {
  await open(page, '/projects');
  for (const name of ['nightly-eval', 'web-scout', 'invoice-triage', 'support-router']) {
    await page.getByRole('button', { name: `Actions for ${name}` }).click();
    await page.getByRole('menuitem', { name: 'Delete project' }).click();
    await page.getByRole('alertdialog').getByRole('textbox').fill(name);
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete project' }).click();
    await expect(page.getByRole('heading', { name })).toHaveCount(0);
  }
  await expect(page.getByText('No projects yet.')).toBeVisible();
  await open(page, '/dashboard');
  await expect(page.getByRole('heading', { name: 'Deploy Your First Agent' })).toBeVisible();
  await expectFitsInBothThemes(page, 'first-deployment');
  await chooseFile(page, archive({ 'main.py': 'x' }, 'My Bot (1).zip'));
  await expect(page.getByLabel('Name of the new project')).toHaveValue('my-bot-1');
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Deploy the sample agent' }).click();
  await page.waitForURL('**/deployments/dep_*');
  await expect(page.getByRole('heading', { name: 'my-first-agent', level: 1 })).toBeVisible();
});

test('variables are added, refused by name, pasted as a block, replaced and removed, and no value is shown', async ({ demo: page }) => {
  await open(page, '/projects');
  await page.getByRole('link', { name: 'Variables of nightly-eval' }).click();
  await page.getByRole('button', { name: 'Add variable' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('PADDOCK_X');
  await dialog.getByRole('button', { name: 'Add variable' }).click();
  await expect(dialog.getByText('PADDOCK_X is set by Paddock and cannot be overridden')).toBeVisible();
  await dialog.getByLabel('Name').fill('API_KEY');
  await dialog.getByLabel('Value').fill('hidden-value');
  await dialog.getByRole('button', { name: 'Add variable' }).click();
  await expect(page.getByRole('rowheader', { name: 'API_KEY' })).toBeVisible();
  await expect(page.getByText('hidden-value')).toHaveCount(0);
  await page.getByRole('button', { name: 'Paste .env' }).click();
  await dialog.getByLabel('Lines of NAME=value').fill('API_KEY=2\nOTHER="a b"');
  await expect(dialog.getByText('Replaces the value of API_KEY.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Add 2 variables' }).click();
  await expect(page.getByRole('rowheader')).toHaveCount(2);
  await page.getByRole('button', { name: 'Remove OTHER' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove variable' }).click();
  await expect(page.getByRole('rowheader')).toHaveCount(1);
  await page.getByRole('tab', { name: 'Preview' }).click();
  await expect(page.getByText('No variables in preview yet.')).toBeVisible();
});

test('the keyboard goes everywhere: g p, g e, d, n and t', async ({ demo: page }) => {
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  await page.getByRole('heading', { name: 'Recent Deployments' }).waitFor();
  await press('g', 'p');
  await expect(page.getByRole('heading', { name: 'Projects', level: 1 })).toBeVisible();
  await press('g', 'e');
  await expect(page.getByRole('heading', { name: 'Deployments', level: 1 })).toBeVisible();
  await press('d');
  await expect(page.getByRole('dialog', { name: 'Deploy agent' })).toBeVisible();
  await press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await press('n');
  await expect(page.getByRole('dialog', { name: 'New Project' })).toBeVisible();
  await press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await press('t');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
});

async function openActive(page: Page) {
  await open(page, '/deployments?environment=production&status=active');
  await page
    .getByRole('row', { name: /support-router/ })
    .getByRole('link')
    .first()
    .click();
  await lines(page).getByText('INFO').first().waitFor();
  await lines(page).scrollIntoViewIfNeeded();
}

test('the settings change the person, the password, the second factor and the sessions', async ({ demo: page }) => {
  await page.getByRole('heading', { name: 'Recent Deployments' }).waitFor();
  await page.keyboard.press('g');
  await page.keyboard.press('s');
  await page.getByRole('tab', { name: 'API Keys' }).click();
  await expect(page).toHaveURL(/\/settings\?tab=api-keys$/);
  await expect(page.getByRole('heading', { name: 'Deploy from CI' })).toBeVisible();
  await page.keyboard.press('ArrowLeft');
  await expect(page).toHaveURL(/\/settings\?tab=billing$/);
  await page.keyboard.press('ArrowLeft');
  await expect(page).toHaveURL(/\/settings$/);
  await page.getByLabel('Full name').fill('Ada Lovelace');
  await page.getByRole('button', { name: 'Save profile' }).click();
  await expect(page.getByRole('complementary').getByText('Ada Lovelace')).toBeVisible();

  await page.getByRole('button', { name: 'End the session of Safari on iPhone at 198.51.100.7' }).click();
  await expect(page.getByText('Safari on iPhone')).toBeHidden();
  await page.getByLabel('Current password').fill('wrong horse');
  await page.getByLabel('New password', { exact: true }).fill('a better horse');
  await page.getByLabel('Confirm new password').fill('a better house');
  const change = page.getByRole('button', { name: 'Change password' });
  await change.click();
  await expect(page.getByText('Passwords do not match', { exact: true })).toBeVisible();
  await page.getByLabel('Confirm new password').fill('a better horse');
  await change.click();
  await expect(page.getByText('The current password is wrong.')).toBeVisible();
  await page.getByLabel('Current password').fill('paddock-demo');
  await change.click();
  await expect(page.getByText('Firefox on Windows')).toBeHidden();
  await expect(page.getByText('This device')).toBeVisible();

  await page.getByRole('button', { name: 'Set up' }).click();
  await page.getByLabel('Your password').fill('a better horse');
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByLabel('Code from the app')).toBeFocused();
  await page.keyboard.type('123 456');
  await page.keyboard.press('Enter');
  const code = await page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem').first().innerText();
  await page.keyboard.press('Escape');
  await expect(page.getByText('They cannot be shown again. Store them first.')).toBeVisible();
  await page.getByLabel('I have stored the recovery codes').check();
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Switch off' }).click();
  await page.getByLabel('Your password').fill('a better horse');
  await page.getByLabel('Code from the app, or a recovery code').fill(code);
  await page.getByRole('dialog').getByRole('button', { name: 'Switch off' }).click();
  await expect(page.getByRole('button', { name: 'Set up' })).toBeVisible();

  await page.getByRole('button', { name: 'Delete account' }).click();
  const remove = page.getByRole('dialog').getByRole('button', { name: 'Delete account' });
  await page.getByLabel('Your password').fill('a better horse');
  await expect(remove).toBeDisabled();
  await page.getByLabel('Type demo@paddock.dev to confirm').fill('demo@paddock.dev');
  await remove.click();
  await page.waitForURL('**/login');
});
