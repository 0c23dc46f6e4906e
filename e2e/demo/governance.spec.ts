import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expect, open, test } from './console.ts';
import { longTrace } from './trace-screens.ts';

const table = (page: Page) => page.getByRole('table', { name: 'Audit logs' });
const details = (page: Page) => page.getByRole('dialog', { name: 'Audit Log Details' });

test('a request is found by filters, read, followed to its lineage and its trace, and from the trace back to the lineage', async ({
  demo: page,
}) => {
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Governance' }).click();
  await expect(page).toHaveTitle('Governance · Paddock');
  await expect(page.getByText('100 records')).toBeVisible();
  await expect(page.getByRole('tab')).toHaveText(['Audit Trail', 'Compliance Status', 'Policies', 'Data Governance']);
  await page.getByRole('combobox', { name: 'Agent' }).selectOption('support-router');
  await page.getByRole('combobox', { name: 'Action type' }).selectOption('Request');
  await page.getByRole('searchbox', { name: 'Search' }).fill('completions');
  await page.waitForURL('**/governance?agent=prj_*&type=request&q=completions');
  // The old rows remain until the filtered ones have arrived.
  const rows = table(page)
    .getByRole('row')
    .filter({ has: page.getByRole('button', { name: /^View/ }) });
  await expect(rows.filter({ hasNotText: /support-router.*completions/ })).toHaveCount(0);
  await rows.getByRole('button', { name: /^View/ }).first().click();
  await page.waitForURL('**&log=aud_*');
  await expect(details(page).getByRole('region', { name: 'Input Data, as JSON' })).toContainText('[EMAIL]');
  await expect(details(page).getByText('1 body scanned, 2 found, 2 redacted.')).toBeVisible();

  await details(page).getByRole('button', { name: 'Data lineage' }).click();
  const stages = page.getByRole('list', { name: 'Stages' });
  await expect(stages.getByRole('heading').first()).toHaveText('Received');
  await expect(stages.getByRole('heading').last()).toHaveText('Recorded');
  const trace = new URL(page.url()).searchParams.get('lineage') ?? '';
  expect(trace).toMatch(/^[0-9a-f]{32}$/);
  await page.keyboard.press('Escape');
  await expect(details(page)).toBeVisible();

  await details(page).getByRole('link', { name: 'Open the trace' }).click();
  await page.waitForURL(`**/deployments/dep_*?tab=traces&trace=${trace}`);
  await page.getByRole('link', { name: 'Data lineage' }).click();
  await page.waitForURL(`**/governance?lineage=${trace}`);
  await stages.getByRole('button', { name: 'View record' }).click();
  await expect(details(page)).toBeVisible();
});

test('the trail is exported as the filters leave it, and one record by itself', async ({ demo: page }) => {
  await open(page, '/governance?status=error');
  await expect(page.getByText('16 records')).toBeVisible();
  await page.getByRole('button', { name: 'Export Logs' }).click();
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Export', exact: true }).click()]);
  expect(file.suggestedFilename()).toMatch(/^audit-logs-\d{4}-\d\d-\d\dT[\d-]+Z\.json$/);
  const { logs } = JSON.parse(await readFile(await file.path(), 'utf8')) as { logs: { status: string }[] };
  expect(logs.map(({ status }) => status)).toEqual(Array(16).fill('error'));
  await expect(page.getByText('Audit logs exported successfully!')).toBeVisible();

  await table(page).getByRole('button', { name: /^View/ }).first().click();
  const [one] = await Promise.all([page.waitForEvent('download'), details(page).getByRole('button', { name: 'Export This Log' }).click()]);
  expect(JSON.parse(await readFile(await one.path(), 'utf8'))).toMatchObject({ status: 'error' });
  await details(page).getByText('Close', { exact: true }).click();
  await expect(details(page)).toHaveCount(0);
});

test('the chain is verified by keys alone', async ({ demo: page }) => {
  await open(page, '/governance');
  await expect(page.getByText('Verified up to #96')).toBeVisible();
  await page.getByRole('button', { name: 'Verify now' }).press('Enter');
  await expect(page.getByText('100 records checked, all valid.')).toBeVisible();
  await expect(page.getByText('Verified up to #100')).toBeVisible();
});

test('personal data is found in a text, and what a project does with it is set and kept', async ({ demo: page }) => {
  await open(page, '/governance?tab=data-governance');
  await page.getByLabel('Text to scan').fill('Write to ada@example.org.');
  await page.getByRole('button', { name: 'Scan text' }).click();
  await expect(page.locator('mark')).toHaveText('ada@example.orgEmail');
  await open(page, '/projects');
  await page.getByRole('link', { name: 'Data protection of web-scout' }).click();
  await expect(page.getByRole('combobox', { name: 'Project' })).toHaveValue(/^prj_/);
  await page.getByLabel('Action for Credit Card').selectOption('Block');
  await page.getByLabel('Where it applies for Credit Card').selectOption('Requests and responses');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('Saved. Takes effect within seconds.')).toBeFocused();
  await open(page, '/dashboard');
  await page.goBack();
  await expect(page.getByLabel('Where it applies for Credit Card')).toHaveValue('both');
});

test('prompts and answers that a project keeps are read in their span', async ({ demo: page }) => {
  await open(page, '/metrics?tab=traces');
  await page.getByRole('combobox', { name: 'Agent' }).selectOption({ label: 'web-scout, production' });
  await longTrace(page).click();
  const grid = page.getByRole('treegrid', { name: 'Spans' });
  await grid.press('End');
  await grid.press('Enter');
  const span = page.getByRole('dialog');
  await span.getByText('gen_ai.output.messages').click();
  await expect(span.getByText('One: the payment provider')).toBeVisible();
  await span.getByText('gen_ai.input.messages').click();
  await expect(span.getByText('3 messages')).toBeVisible();
  await expect(span.getByText('Send it to [EMAIL].')).toBeVisible();
});
