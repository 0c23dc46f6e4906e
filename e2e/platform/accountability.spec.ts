import { readFile } from 'node:fs/promises';
import { talkingAgent } from './agents.ts';
import { apiOf, ask, deploy, newProject, reaches, served } from './api.ts';
import { expect, expectAccessible, signedIn as test } from './console.ts';

test('a key that a review revokes ends at once, and the completed review is shown', async ({ page, person }) => {
  const { api_key: key } = await person.api.apiKeys.create({ name: 'Old pipeline', scopes: ['projects:read'] });
  await apiOf(key).projects.list({});

  await page.goto('/governance?tab=compliance');
  const card = page.getByRole('region', { name: 'Access Review' });
  await expect(card).toContainText('Never');
  await card.getByRole('button', { name: 'Start Review' }).click();
  const dialog = page.getByRole('dialog', { name: 'Access Review' });
  const entry = (name: string) => dialog.getByRole('listitem').filter({ has: page.getByText(name, { exact: true }) });
  await expect(entry('Ada Lovelace')).toContainText('You cannot remove yourself.');
  await expectAccessible(page);
  await entry('Old pipeline').getByRole('button', { name: 'Revoke Old pipeline' }).click();
  const question = page.getByRole('alertdialog', { name: 'Revoke Old pipeline?' });
  await question.getByLabel('Type Old pipeline to confirm').fill('Old pipeline');
  await question.getByRole('button', { name: 'Revoke', exact: true }).click();
  await expect(entry('Old pipeline')).toContainText('Revoked');
  await expect(apiOf(key).projects.list({})).rejects.toMatchObject({ code: 'not_signed_in' });

  await dialog.getByRole('button', { name: 'Complete Review' }).click();
  await expect(dialog.getByRole('alert').filter({ hasText: 'not decided yet' })).toBeVisible();
  await dialog.getByRole('button', { name: /^Still needed: all shown/ }).click();
  await dialog.getByRole('button', { name: 'Complete Review' }).click();
  await expect(dialog).toContainText(/Completed .* by Ada Lovelace: 1 still needed, 1 revoked, 0 gone\./);
  await page.reload();
  await expect(dialog).toContainText(/1 still needed, 1 revoked/);
});

test('what visitors wrote about a person is found, erased with a certificate, and found no more', async ({ page, person }) => {
  const project = await newProject(person, 'personal');
  const made = await deploy(person, project.id, talkingAgent('one'));
  await reaches(person, made.id, 'active');
  await served(project.url);
  const customer = `customer-${project.id.slice(-8)}`;
  await ask(project.url, `/of/${customer}`, JSON.stringify({ text: `Order of ${customer}` }));
  await expect.poll(async () => (await person.api.governance.auditLogs({ search: customer })).logs.length).toBeGreaterThan(0);

  const dialog = page.getByRole('dialog');
  const request = async (kind: 'Find' | 'Erase') => {
    await page.goto('/governance?tab=data-governance&open=request');
    if (kind === 'Erase') await dialog.getByRole('radio', { name: 'Erase' }).check();
    await dialog.getByLabel('Identifier 1').fill(customer);
    await dialog.getByLabel('Reference').fill(kind);
    await dialog.getByRole('button', { name: `${kind} data` }).click();
  };
  const records = dialog.getByRole('listitem', { name: 'Records', exact: true });
  await request('Find');
  await expect(records).toContainText(/^Records[1-9]\d* found/);
  await expectAccessible(page);

  await request('Erase');
  const question = page.getByRole('alertdialog', { name: 'Erase the stored data of this person?' });
  await expect(question).toContainText(/Records: [1-9]\d* of \d+/);
  await question.getByLabel('Your password').fill(person.password);
  await question.getByLabel(/^Type (erase|\d+) to confirm$/).fill('erase');
  await question.getByRole('button', { name: 'Erase permanently' }).click();
  const download = dialog.getByRole('button', { name: 'Download certificate' });
  await expect(download).toBeVisible({ timeout: 300_000 });
  const [file] = await Promise.all([page.waitForEvent('download'), download.click()]);
  const certificate = await readFile(await file.path(), 'utf8');
  expect(certificate).toContain('signature');
  expect(certificate).not.toContain(customer);

  await request('Find');
  await expect(records).toContainText(/^Records0 found|^RecordsNothing/);
});

test('the register of model providers is kept, and the statement of residency names the stores of this installation', async ({ page }) => {
  await page.goto('/governance?tab=data-governance');
  await expect(page.getByText('No providers yet.')).toBeVisible();
  await page.getByRole('button', { name: 'Add provider' }).click();
  const form = page.getByRole('dialog');
  await form.getByLabel('Provider', { exact: true }).fill('mistral_ai');
  await form.getByLabel('Region').fill('eu');
  await form.getByLabel('Agreement').selectOption('dpa');
  await form.getByRole('button', { name: 'Add provider' }).click();
  const row = page.getByRole('row').filter({ hasText: 'mistral_ai' });
  await expect(row).toContainText('eu');
  await page.reload();
  await expect(row).toContainText('eu');
  const stores = page.getByRole('table', { name: 'Where data is stored' });
  for (const store of ['Platform database', 'Source archives', 'Backups'])
    await expect(stores.getByRole('row', { name: store })).toHaveCount(1);
  await expect(page.getByText('No data of the team is sent to another host.')).toBeVisible();
  await expectAccessible(page);
});

test('a deployment says where its code came from and what it changed, and gives the list of its packages', async ({ page, person }) => {
  const project = await newProject(person, 'proven');
  const first = await deploy(person, project.id, talkingAgent('one'));
  await reaches(person, first.id, 'active');
  const second = await deploy(person, project.id, talkingAgent('two'));
  await reaches(person, second.id, 'active');
  await page.goto(`/deployments/${second.id}`);
  const card = page.getByRole('region', { name: 'Provenance' });
  const { sha256 } = await person.api.deployments.provenance({ id: second.id });
  expect(sha256).toMatch(/^[0-9a-f]{64}$/);
  await expect(card).toContainText(`sha256:${sha256}`);
  await expect(card).toContainText('Ada Lovelace, a person');
  await expect(card.getByRole('link', { name: `…${first.id.slice(-4)}` }).first()).toBeVisible();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    card.getByRole('button', { name: 'Download SBOM (CycloneDX)' }).click(),
  ]);
  expect(JSON.parse(await readFile(await file.path(), 'utf8')).bomFormat).toBe('CycloneDX');

  const changes = page.getByRole('region', { name: 'Changes' });
  await changes.getByText('Changes', { exact: true }).click();
  await changes.getByLabel('Compare with').selectOption(first.id);
  await expect(changes.getByRole('list', { name: 'Files' }).getByRole('listitem')).toHaveText([/^~changed: server\.js/]);
  await expect(changes.getByRole('region', { name: 'Packages' })).toContainText('None');
});
