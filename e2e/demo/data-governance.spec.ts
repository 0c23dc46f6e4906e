import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expect, open, test } from './console.ts';
import { governanceLists } from './governance-actions.ts';
import { json, problem, signedIn } from './scripted.ts';

const dialog = (page: Page) => page.getByRole('dialog');
const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });

test('what is stored of a person is found, and leads to where it is', async ({ demo: page }) => {
  await open(page, '/governance?tab=data-governance');
  await page.getByRole('button', { name: 'New Request' }).press('Enter');
  await dialog(page).getByLabel('Identifier 1').fill('203.0.113.42');
  await dialog(page).getByRole('button', { name: 'Add identifier' }).click();
  await dialog(page).getByLabel('Identifier 2').fill('demo@paddock.dev');
  await dialog(page).getByLabel('Reference').fill('TICKET-7');
  await dialog(page).getByRole('button', { name: 'Find data' }).click();
  await expect(dialog(page)).toContainText('The request continues');
  await expect(dialog(page).getByRole('listitem', { name: 'Records', exact: true })).toContainText(/^Records[1-9]\d* found/);
  await expect(dialog(page).getByRole('listitem', { name: 'Accounts' })).toContainText('1 found');
  await expect(dialog(page).getByText('Certificate', { exact: true })).toHaveCount(0);

  await dialog(page)
    .getByRole('button', { name: /^Record …/ })
    .first()
    .click();
  await expect(page.getByRole('dialog', { name: 'Audit Log Details' })).toContainText('203.0.113.42');
  await page.goBack();
  await expect(page.getByRole('dialog', { name: 'Find request' })).toBeVisible();
  // After a reload the demo no longer has the request in the address. No heading behind the dialog is accessible.
  await page.reload();
  await expect(dialog(page)).toContainText('There is no such request.');
  await page.keyboard.press('Escape');
  await page.getByRole('heading', { name: 'Governance', level: 1 }).waitFor();
});

test('the examples in logs and traces lead to the line and to the lineage', async ({ demo: page }) => {
  await open(page, '/governance?tab=data-governance&open=request');
  await dialog(page).getByLabel('Identifier 1').fill('Accepted');
  await dialog(page).getByLabel('Reference').fill('lines');
  await dialog(page).getByRole('button', { name: 'Find data' }).click();
  const line = dialog(page).getByRole('listitem', { name: 'Logs', exact: true }).getByRole('link').first();
  await expect(line).toHaveAttribute('href', /^\/deployments\/dep_[\w-]+#L\d+$/);
  await dialog(page).getByRole('button', { name: 'Close' }).last().click();
  await page.getByRole('button', { name: 'New Request' }).click();
  await dialog(page).getByLabel('Identifier 1').fill('chat');
  await dialog(page).getByRole('button', { name: 'Find data' }).click();
  await dialog(page)
    .getByRole('button', { name: /^Trace …/ })
    .first()
    .click();
  await page.waitForURL('**lineage=*');
  await expect(page.getByRole('dialog', { name: 'Data lineage' })).toBeVisible();
});

test('an erasure says what is lost, waits for the word, and gives its certificate as a file', async ({ demo: page }) => {
  await open(page, '/governance?tab=data-governance&open=request');
  await dialog(page).getByRole('radio', { name: 'Erase' }).check();
  await dialog(page).getByRole('button', { name: 'Erase data' }).click();
  await expect(dialog(page).getByText('Enter at least one identifier.')).toBeVisible();
  await dialog(page).getByLabel('Identifier 1').fill('203.0.113.42');
  await dialog(page).getByLabel('Reference').fill('TICKET-8');
  await dialog(page).getByRole('button', { name: 'Erase data' }).click();
  const question = page.getByRole('alertdialog', { name: 'Erase the stored data of this person?' });
  await expect(question).toContainText('This cannot be undone.');
  await expect(question.getByRole('list', { name: 'To be erased' })).toContainText(/Records: 1 of \d+/);
  await expect(question.getByRole('button', { name: 'Erase permanently' })).toBeDisabled();
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog(page).getByLabel('Identifier 1')).toHaveValue('203.0.113.42');
  await dialog(page).getByRole('button', { name: 'Erase data' }).click();
  await question.getByLabel('Your password').fill('demo password');
  await question.getByLabel('Type erase to confirm').fill('erase');
  await question.getByRole('button', { name: 'Erase permanently' }).click();
  const saving = page.waitForEvent('download');
  await dialog(page).getByRole('button', { name: 'Download certificate' }).click();
  const file = await saving;
  expect(file.suggestedFilename()).toMatch(/^erasure-[0-9a-f]{8}\.json$/);
  const certificate = JSON.parse(await readFile(await file.path(), 'utf8'));
  expect(certificate.places.find((one: { place: string }) => one.place === 'records').erased).toBeGreaterThan(0);
  await dialog(page)
    .getByRole('button', { name: /^Record …/ })
    .first()
    .click();
  await expect(page.getByRole('dialog', { name: 'Audit Log Details' })).not.toContainText('203.0.113.42');
  await page.goBack();
  await dialog(page).getByRole('button', { name: 'Close' }).last().click();
  // The newest is first. The requests that only counted have the same reference.
  await expect(row(page, 'TICKET-8')).toHaveCount(3);
  await expect(row(page, 'TICKET-8').first()).toContainText(/Erase.*Completed.*found, \d+ erased/);
});

test('a failed request says why and what to do, and a refused one keeps what was typed', async ({ page, site }) => {
  const failed = {
    id: 'dsr_1',
    kind: 'erase',
    status: 'failed',
    reference: 'TICKET-9',
    created_at: '2026-11-20T10:00:00.000Z',
    due_at: '2026-12-20T10:00:00.000Z',
    finished_at: null,
    places: [],
    certificate: null,
    error: 'Something went wrong on the server.',
  };
  const change = problem(409, 'data_subject_requests_waiting', 'Ten requests about people’s data are waiting or running.');
  const visit = { address: `${site.url}/governance?tab=data-governance`, isSignedOut: false, change };
  await signedIn(page, visit, {
    ...governanceLists,
    'GET /governance/data-subject-requests': json({ requests: [failed] }),
    'GET /governance/data-subject-requests/dsr_1': json(failed),
  });
  await page.getByRole('button', { name: 'View request TICKET-9' }).click();
  await expect(dialog(page)).toContainText('Something went wrong on the server. Make the request again');
  await dialog(page).getByRole('button', { name: 'Close' }).last().click();
  await page.getByRole('button', { name: 'New Request' }).click();
  await dialog(page).getByLabel('Identifier 1').fill('ada@example.org');
  await dialog(page).getByRole('button', { name: 'Find data' }).click();
  await expect(dialog(page)).toContainText('Ten requests about people’s data are waiting');
  await expect(dialog(page).getByLabel('Identifier 1')).toHaveValue('ada@example.org');
});

test('a provider that agents call joins the register, is changed, and goes', async ({ demo: page }) => {
  await open(page, '/governance?tab=data-governance');
  const residency = page.getByRole('region', { name: 'Where agents call models' });
  await expect(residency.getByRole('listitem').filter({ hasText: 'api.mistral.ai' })).toContainText('not in the register');
  await page.getByRole('button', { name: 'Add mistral_ai' }).click();
  await dialog(page).getByLabel('Region').fill('eu');
  await dialog(page).getByRole('button', { name: 'Add provider' }).click();
  await expect(dialog(page).getByText('Choose the agreement that you have, or None.')).toBeVisible();
  await dialog(page).getByLabel('Agreement').selectOption('dpa');
  await dialog(page).getByRole('button', { name: 'Add provider' }).click();
  await expect(row(page, 'mistral_ai')).toContainText(/eu.*DPA/);
  await expect(page.getByText('All providers that agents called in the last 30 days are in the register.')).toBeVisible();
  await expect(residency.getByRole('listitem').filter({ hasText: 'api.mistral.ai' })).toContainText('region eu, agreement DPA');

  await page.getByRole('button', { name: 'Add provider' }).click();
  await dialog(page).getByLabel('Provider', { exact: true }).fill('OpenAI');
  await dialog(page).getByRole('button', { name: 'Add provider' }).click();
  await expect(dialog(page).getByText('Already in the register. Edit that entry instead.')).toBeVisible();
  await dialog(page).getByRole('button', { name: 'Cancel' }).click();

  await page.getByRole('button', { name: 'Edit mistral_ai' }).click();
  await dialog(page).getByLabel('Agreement').selectOption('None');
  await dialog(page).getByRole('button', { name: 'Save changes' }).click();
  await expect(row(page, 'mistral_ai')).toContainText(/eu.*None/);
  await page.getByRole('button', { name: 'Remove mistral_ai' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove provider' }).click();
  await expect(row(page, 'mistral_ai')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Add mistral_ai' })).toBeVisible();
});

test('the residency statement tells where data lies and who gets some of it', async ({ demo: page }) => {
  await open(page, '/governance?tab=data-governance');
  const card = page.getByRole('region', { name: 'Data Residency' });
  await expect(card.getByRole('row').filter({ hasText: 'Backups' })).toContainText(/mnt\/backup.*xfs.*Unknown/);
  await expect(card.getByRole('row').filter({ hasText: 'Platform database' })).toContainText(/ext4.*Encrypted/);
  await expect(card.getByRole('region', { name: 'Where Paddock sends data' })).toContainText('hooks.demo.example');
});

test('a deployment tells where it came from and hands out its SBOM', async ({ demo: page }) => {
  await open(page, '/deployments');
  await page.locator('a[href^="/deployments/dep_"]').first().click();
  const card = page.getByRole('region', { name: 'Provenance' });
  await expect(card).toContainText(/sha256:[0-9a-f]{64}/);
  await expect(card).toContainText(/Demo User, a person/);
  const saving = page.waitForEvent('download');
  await card.getByRole('button', { name: 'Download SBOM (CycloneDX)' }).click();
  const file = await saving;
  expect(file.suggestedFilename()).toMatch(/^[a-z-]+-[0-9a-f]{8}\.cdx\.json$/);
  expect(JSON.parse(await readFile(await file.path(), 'utf8'))).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.6' });
});

test('a deployment tells what it changed against another one, which its address keeps, and so does the question before a rollback', async ({
  demo: page,
}) => {
  await open(page, '/deployments');
  await page.locator('a[href^="/deployments/dep_"]').first().click();
  const card = page.getByRole('region', { name: 'Changes' });
  await card.getByText('Changes', { exact: true }).click();
  const select = card.getByLabel('Compare with');
  await select.selectOption({ index: 1 });
  const files = card.getByRole('list', { name: 'Files' });
  await expect(files.getByRole('listitem').filter({ hasText: 'added: agent/prompts/triage.md' })).toContainText('960 B');
  await expect(card.getByRole('region', { name: 'Packages' })).toContainText('2.13.0 → 2.14.1');
  await expect(page).toHaveURL(/[?&]with=dep_/);
  await page.reload();
  await expect(files).toContainText('agent/main.py');
  await select.selectOption('');
  await expect(files).toHaveCount(0);
  await expect(page).not.toHaveURL(/with=/);

  await open(page, '/deployments');
  await page
    .getByRole('row')
    .filter({ hasText: 'Stopped' })
    .first()
    .getByRole('button', { name: /^Actions for/ })
    .click();
  await page.getByRole('menuitem', { name: 'Roll back to this' }).click();
  const question = page.getByRole('alertdialog');
  await question.getByRole('button', { name: 'Show what changes' }).click();
  await expect(question.getByRole('region', { name: 'Files' })).toContainText(/changes?|None/);
  await expect(question.getByRole('region', { name: 'Variables' }), 'variables are not rolled back').toHaveCount(0);
});

test('a deployment without packages or digest says why', async ({ page, site }) => {
  const { deployment } = await import('./scripted.ts');
  const provenance = {
    deployment_id: 'dep_1',
    project_id: 'prj_1',
    project_name: 'one',
    environment: 'production',
    status: 'active',
    sha256: null,
    source_name: 'one.zip',
    source_bytes: 10,
    trigger: 'upload',
    source_deployment_id: null,
    actor: { type: 'key', id: 'key_1', name: 'ci' },
    audit_id: null,
    created_at: deployment.created_at,
    deployed_at: null,
    predecessor: null,
    rollback_target: null,
  };
  const missing = problem(
    409,
    'sbom_missing',
    'Nothing was built for this deployment, or its packages have not been read yet. Deploy it again.',
  );
  const visit = { address: `${site.url}/deployments/dep_1`, isSignedOut: false, change: missing };
  await signedIn(page, visit, {
    'GET /deployments/dep_1': json(deployment),
    'GET /deployments/dep_1/provenance': json(provenance),
    'GET /deployments/dep_1/sbom': missing,
  });
  const card = page.getByRole('region', { name: 'Provenance' });
  await expect(card).toContainText('uploaded before Paddock stored digests');
  await expect(card).toContainText('the first to serve its environment');
  await card.getByRole('button', { name: 'Download SBOM (CycloneDX)' }).click();
  await expect(card).toContainText('its packages have not been read yet. Deploy it again.');
});
