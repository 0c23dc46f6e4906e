import { readFile } from 'node:fs/promises';
import { expectToast } from '../toasts.ts';
import { talkingAgent } from './agents.ts';
import { ask, deploy, newProject, reaches, served } from './api.ts';
import { expect, expectAccessible, signedIn as test } from './console.ts';

test('what a visitor sends is on record, redacted, with its lineage; the chain verifies, and the trail is exported', async ({
  page,
  person,
}) => {
  const project = await newProject(person, 'recorded');
  const made = await deploy(person, project.id, talkingAgent('one'));
  await reaches(person, made.id, 'active');
  await served(project.url);
  await ask(project.url, '/hello-from-ada', JSON.stringify({ text: 'Write to ada.lovelace@example.org today.' }));

  await page.goto('/governance?q=hello-from-ada&type=request');
  const table = page.getByRole('table', { name: 'Audit logs' });
  await expect(async () => {
    await page.getByRole('button', { name: 'Refresh' }).click();
    await expect(table.getByRole('row', { name: /POST \/hello-from-ada/ })).toBeVisible({ timeout: 2000 });
  }).toPass();
  await table.getByRole('button', { name: /^View/ }).first().click();
  const details = page.getByRole('dialog', { name: 'Audit Log Details' });
  await expect(details.getByRole('region', { name: 'Input Data, as JSON' })).toContainText('[EMAIL]');
  await expect(details.getByText('ada.lovelace@example.org')).toHaveCount(0);
  await expectAccessible(page);
  await details.getByRole('button', { name: 'Data lineage' }).click();
  const stages = page.getByRole('list', { name: 'Stages' }).getByRole('heading');
  await expect(stages.first()).toHaveText('Received');
  await expect(stages.filter({ hasText: 'Answered' })).toHaveCount(1);

  await page.goto('/governance');
  await page.getByRole('button', { name: 'Verify now' }).click();
  await expect(page.getByText(/records checked, all valid\./)).toBeVisible();
  await expect(page.getByText(/^Verified up to #/)).toBeVisible();
  await page.getByRole('button', { name: 'Export Logs' }).click();
  await page.getByRole('radio', { name: 'JSON Lines' }).check();
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Export', exact: true }).click()]);
  expect(file.suggestedFilename()).toMatch(/^audit-logs-.+\.jsonl$/);
  const text = await readFile(await file.path(), 'utf8');
  expect(text).toContain('/hello-from-ada');
  expect(text).not.toContain('ada.lovelace@example.org');
});

test('what a project does with personal data is set, and a reload shows it', async ({ page, person }) => {
  const project = await newProject(person, 'protected');
  await page.goto(`/settings?tab=data-protection&project=${project.id}`);
  await expect(page.getByText('Using the defaults')).toBeVisible();
  await page.getByLabel('Action for SSN').selectOption('Block');
  await page.getByRole('radio', { name: 'None' }).check();
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('Saved. Takes effect within seconds.')).toBeVisible();
  await page.reload();
  await expect(page.getByText('Project-specific settings')).toBeVisible();
  await expect(page.getByLabel('Action for SSN')).toHaveValue('block');
  await expect(page.getByRole('radio', { name: 'None' })).toBeChecked();
  await page.goto('/governance?tab=data-governance');
  await page.getByLabel('Text to scan').fill('My SSN is 123-45-6789.');
  await page.getByRole('button', { name: 'Scan text' }).click();
  await expect(page.locator('mark')).toContainText('123-45-6789');
});

test('a framework is checked from its dialog, and an active policy refuses what its rule says', async ({ page, person }) => {
  await page.goto('/governance?tab=compliance');
  await page.getByRole('button', { name: 'View Details of GDPR' }).click();
  const framework = page.getByRole('dialog', { name: 'GDPR' });
  await framework.getByRole('button', { name: 'Run Check Now' }).click();
  await expectToast(page, 'Compliance check initiated successfully!');
  await expect(framework.getByText(/\d+ of \d+ controls checked/)).toHaveCount(0, { timeout: 300_000 });
  await expect(framework.getByText('Least-privilege key scopes')).toBeVisible();

  await page.goto('/governance?tab=policies');
  await page.getByRole('button', { name: 'Create Policy' }).first().click();
  const form = page.getByRole('dialog', { name: 'Create Policy' });
  await form.getByLabel('Name').fill('Production only');
  await form.getByLabel('Rules', { exact: true }).fill('Allowed environments: production\nBe kind');
  const effects = form.getByRole('list', { name: 'Effects' });
  await expect(effects.getByText('Enforced')).toBeVisible();
  await expect(effects.getByText('Advisory')).toBeVisible();
  await form.getByLabel('Status').selectOption('Active');
  await form.getByRole('button', { name: 'Create', exact: true }).click();
  await expectToast(page, 'Policy created successfully!');
  const project = await newProject(person, 'governed');
  const preview = person.api.deployments.sample({ project_id: project.id, environment: 'preview', sample: 'chat' });
  await expect(preview).rejects.toThrow('The policy "Production only" does not allow this: Allowed environments: production.');
});
