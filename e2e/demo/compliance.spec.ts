import type { Page } from '@playwright/test';
import { expectToast } from '../toasts.ts';
import { appearance } from './appearance.ts';
import { expect, open, test } from './console.ts';

// Each text in the spec's sections on compliance and policies, in the demo.

const dialog = (page: Page) => page.getByRole('dialog');
const figure = (page: Page, label: string) =>
  page
    .locator('dl > div')
    .filter({ has: page.getByText(label, { exact: true }) })
    .locator('dd')
    .first();

test('the summary cards and the tabs have the words of the spec', async ({ demo: page }) => {
  await open(page, '/governance');
  await expect(page.getByRole('tab')).toHaveText(['Audit Trail', 'Compliance Status', 'Policies', 'Data Governance']);
  await expect(figure(page, 'Total Actions')).toHaveText('100');
  await expect(figure(page, 'Compliance Score')).toHaveText('98.5%');
  await expect(figure(page, 'Violations')).toHaveText('4');
  await expect(figure(page, 'Active Policies')).toHaveText('3');
  await page.getByRole('tab', { name: 'Audit Trail' }).press('ArrowRight');
  await page.waitForURL('**/governance?tab=compliance');
  await page.getByRole('tab', { name: 'Compliance Status' }).press('ArrowRight');
  await page.waitForURL('**/governance?tab=policies');
});

test('each framework is listed, and the three cards hold the sample claims', async ({ demo: page }) => {
  await open(page, '/governance?tab=compliance');
  const table = page.getByRole('table', { name: 'Frameworks' });
  await expect(table.getByRole('rowheader')).toHaveText(['GDPR', 'SOC 2 Type II', 'HIPAA', 'ISO 27001', 'CCPA', 'PCI DSS']);
  await expect(table.getByRole('row').filter({ hasText: 'GDPR' })).toContainText(/Compliant.*ago.*0 violations.*View Details/);
  await expect(table.getByRole('row').filter({ hasText: 'HIPAA' }).getByText('1 violation', { exact: true })).toBeVisible();
  await expect(table.getByRole('row').filter({ hasText: 'PCI DSS' }).getByText('3 violations', { exact: true })).toBeVisible();
  for (const [card, lines] of [
    ['Data Privacy', ['PII Detection', 'Active', 'Log Redaction', 'On', 'Data Encryption', 'Enabled', 'Retention Policy', '90 days']],
    ['Access Control', ['MFA Required', 'Yes', 'Role-Based Access', 'Enabled', 'Audit Logging', 'Full']],
    ['Security', ['SOC 2 Type II', 'Compliant', 'ISO 27001', 'Certified', 'Penetration Tests', 'Quarterly']],
  ] as const)
    for (const line of lines) await expect(page.getByRole('region', { name: card, exact: true })).toContainText(line);
});

for (const [name, about] of [
  ['GDPR', 'General Data Protection Regulation'],
  ['SOC 2 Type II', 'trust services criteria'],
  ['HIPAA', 'Health Insurance Portability'],
  ['ISO 27001', 'international standard'],
  ['CCPA', 'California Consumer Privacy Act'],
  ['PCI DSS', 'Payment Card Industry'],
] as const)
  test(`the details of ${name} describe it, with all figures`, async ({ demo: page }) => {
    await open(page, '/governance?tab=compliance');
    await page.getByRole('button', { name: `View Details of ${name}` }).click();
    await expect(page.getByRole('dialog', { name })).toContainText(about);
    for (const term of [
      'Overall Status',
      'Last Checked',
      'Violations',
      'Checks Passed',
      'Checks Failed',
      'Not Verified',
      'Not Applicable',
      'Coverage',
    ])
      await expect(dialog(page).getByText(term, { exact: true }).first()).toBeVisible();
    await expect(dialog(page).getByRole('button', { name: 'Run Check Now' })).toBeVisible();
  });

test('a check runs to its end, by keys alone, and its framework is read again', async ({ demo: page }) => {
  await open(page, '/governance?tab=compliance');
  await page.getByRole('button', { name: 'View Details of GDPR' }).press('Enter');
  await expect(dialog(page).getByText('No violations found. All compliance checks passed!')).toBeVisible();
  await expect(dialog(page)).toContainText(/Coverage100%/);
  const underWay = appearance(page, { selector: '[role=dialog]', text: ' of 36 controls checked' });
  await dialog(page).getByRole('button', { name: 'Run Check Now' }).press('Enter');
  await expectToast(page, 'Compliance check initiated successfully!');
  await underWay;
  await expect(dialog(page).getByText(/controls checked/)).toHaveCount(0);
  await expect(dialog(page).getByText('just now').first()).toBeVisible();
  await page.keyboard.press('Escape');
  await page.waitForURL('**/governance?tab=compliance');
  await expect(page.getByRole('button', { name: 'View Details of GDPR' })).toBeFocused();
});

test('a violation leads to its evidence and to where it is mended; a waiver takes it away', async ({ demo: page }) => {
  await open(page, '/governance?tab=compliance&framework=pci-dss');
  await expect(dialog(page).getByText('What to do: Rotate the key and give it an end.')).toBeVisible();
  await dialog(page).getByRole('button', { name: 'Evidence: control KEY-02' }).click();
  await page.waitForURL('**&control=KEY-02');
  await dialog(page).getByRole('button', { name: 'Waive the finding on Nightly evaluation' }).click();
  await dialog(page).getByLabel('Reason').fill('The job is switched off next month.');
  await dialog(page).getByRole('form').getByRole('button', { name: 'Create waiver' }).click();
  await expect(dialog(page).getByText(/^Owner demo@paddock.dev, until/)).toBeVisible();
  await page.goBack();
  await expect(dialog(page).getByText('is 212 days old', { exact: false })).toHaveCount(0);
  await expect(dialog(page).getByText('Sessions of the team end after 720 minutes')).toBeVisible();
  await dialog(page).getByRole('link', { name: 'Open Policies' }).first().click();
  await page.waitForURL('**/governance?tab=policies');
});

test('a policy is created, viewed, edited, tried and deleted', async ({ demo: page }) => {
  await open(page, '/governance?tab=policies');
  await page.getByRole('button', { name: 'Create Policy' }).click();
  await expect(page.getByRole('dialog', { name: 'Create Policy' })).toBeVisible();
  await expect(dialog(page).getByLabel('Status')).toHaveValue('draft');
  await expect(dialog(page).getByLabel('Type')).toHaveValue('data_retention');
  await dialog(page).getByLabel('Name').fill('Short logs');
  await dialog(page).getByLabel('Rules', { exact: true }).fill('Keep it tidy\n\n');
  await dialog(page).getByRole('button', { name: 'Add rule' }).click();
  await expect(dialog(page).getByLabel('Rules', { exact: true })).toHaveValue('Keep it tidy\nDelete logs after 30 days');
  await expect(dialog(page).getByRole('list', { name: 'Effects' }).getByText('Advisory')).toBeVisible();
  await expect(dialog(page).getByRole('list', { name: 'Effects' }).getByText('Enforced')).toBeVisible();
  await dialog(page).getByLabel('Rules', { exact: true }).press('Tab');
  await dialog(page).getByRole('button', { name: 'Create', exact: true }).click();
  await expectToast(page, 'Policy created successfully!');

  const card = page.getByRole('listitem', { name: 'Short logs' });
  await expect(card).toContainText(/Draft.*Data Retention.*Keep it tidy.*Delete logs after 30 days.*Created/);
  await card.getByRole('button', { name: 'View Details' }).click();
  await dialog(page).getByRole('button', { name: 'Preview refusals' }).click();
  await expect(dialog(page).getByText(/^\d+ would have been refused in the last 30 days\. Nothing was enforced now\.$/)).toBeVisible();
  await dialog(page).getByRole('button', { name: 'Edit Policy' }).click();
  await expect(page.getByRole('dialog', { name: 'Edit Policy' })).toBeVisible();
  await dialog(page).getByLabel('Status').selectOption('Active');
  await dialog(page).getByRole('button', { name: 'Save changes' }).click();
  await expectToast(page, 'Policy updated successfully!');
  await expect(figure(page, 'Active Policies')).toHaveText('4');

  await card.getByRole('button', { name: 'View Details' }).click();
  await dialog(page).getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('alertdialog', { name: 'Delete policy Short logs?' }).getByRole('button', { name: 'Delete policy' }).click();
  await expect(card).toHaveCount(0);
  await expect(figure(page, 'Active Policies')).toHaveText('3');
});
