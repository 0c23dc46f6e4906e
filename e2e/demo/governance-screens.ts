import type { Page } from '@playwright/test';
import { open } from './console.ts';

const table = (page: Page) => page.getByRole('table', { name: 'Audit logs' });

/** The screens of governance, and the settings of a project's data protection. */
export const governanceScreens: Record<string, (page: Page) => Promise<unknown>> = {
  governance: async (page) => {
    await open(page, '/governance');
    await table(page).waitFor();
    await page.getByText('Verified up to').waitFor();
  },
  'audit filters': async (page) => {
    await open(page, '/governance?q=chat&type=error&status=error&from=2026-01-01T00:00:00.000Z');
    await page.getByRole('button', { name: 'Clear from' }).waitFor();
    await page.getByRole('status').filter({ hasText: 'record' }).first().waitFor();
  },
  'no audit logs': async (page) => {
    await open(page, '/governance?q=nothing-is-called-so');
    await page.getByText('Try adjusting your filters').waitFor();
  },
  'audit log': async (page) => {
    await open(page, '/governance?type=request&q=completions');
    await table(page).getByRole('button', { name: /^View/ }).first().click();
    await page.getByRole('dialog', { name: 'Audit Log Details' }).getByText('Input Data', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Open the trace' }).waitFor();
  },
  'data lineage': async (page) => {
    await governanceScreens['audit log']?.(page);
    await page.getByRole('button', { name: 'Data lineage' }).click();
    await page.getByRole('list', { name: 'Stages' }).waitFor();
  },
  'export logs': async (page) => {
    await open(page, '/governance?open=export&status=error');
    await page.getByRole('dialog', { name: 'Export Logs' }).waitFor();
  },
  'data-subject requests': async (page) => {
    await open(page, '/governance?tab=data-governance');
    await page.getByRole('table', { name: 'Data-subject requests' }).scrollIntoViewIfNeeded();
    await page.getByRole('table', { name: 'Where data is stored' }).waitFor();
    await page.getByRole('button', { name: 'Add mistral_ai' }).waitFor();
  },
  'new data-subject request': async (page) => {
    await open(page, '/governance?tab=data-governance&open=request');
    const dialog = page.getByRole('dialog', { name: 'New Request' });
    await dialog.getByRole('radio', { name: 'Erase' }).check();
    await dialog.getByRole('button', { name: 'Add identifier' }).click();
    await dialog.getByLabel('Identifier 2').fill('abc');
    await dialog.getByRole('button', { name: 'Erase data' }).click();
    await dialog.getByText('An identifier needs at least 4 characters.').waitFor();
  },
  'data-subject erasure asked': async (page) => {
    await open(page, '/governance?tab=data-governance&open=request');
    const dialog = page.getByRole('dialog', { name: 'New Request' });
    await dialog.getByRole('radio', { name: 'Erase' }).check();
    await dialog.getByLabel('Identifier 1').fill('203.0.113.42');
    await dialog.getByRole('button', { name: 'Erase data' }).click();
    await page.getByRole('alertdialog').waitFor();
  },
  'data-subject request': async (page) => {
    await open(page, '/governance?tab=data-governance');
    await page.getByRole('button', { name: 'View request TICKET-1042' }).click();
    await page.getByRole('list', { name: 'Places' }).waitFor();
  },
  'certificate of an erasure': async (page) => {
    await governanceScreens['data-subject erasure asked']?.(page);
    await page.getByLabel('Your password').fill('demo password');
    await page.getByLabel('Type erase to confirm').fill('erase');
    await page.getByRole('button', { name: 'Erase permanently' }).click();
    await page.getByRole('button', { name: 'Download certificate' }).waitFor();
  },
  'add a model provider': async (page) => {
    await open(page, '/governance?tab=data-governance');
    await page.getByRole('button', { name: 'Add mistral_ai' }).click();
    await page.getByRole('dialog', { name: 'Add provider' }).waitFor();
  },
  'data governance': async (page) => {
    await open(page, '/governance?tab=data-governance');
    await page.getByRole('heading', { name: 'PII Detection' }).waitFor();
    await page.getByLabel('Text to scan').fill('Write to ada@example.org or call +44 20 7946 0958 before noon.');
    await page.getByRole('button', { name: 'Scan text' }).click();
    await page.getByText('2 values found').waitFor();
    await page.evaluate('scrollTo(0, 0)');
  },
  'pii details': async (page) => {
    await open(page, '/governance?tab=data-governance&open=pii');
    await page.getByText('Auto-Redaction Active').waitFor();
  },
  'compliance status': async (page) => {
    await open(page, '/governance?tab=compliance');
    await page.getByRole('table', { name: 'Frameworks' }).waitFor();
    await page.getByRole('heading', { name: 'Access Control' }).waitFor();
  },
  'access review': async (page) => {
    await open(page, '/governance?tab=compliance');
    await page.getByRole('button', { name: 'Start Review' }).click();
    await page.getByRole('button', { name: 'GitHub is still needed' }).click();
    await page.getByRole('list', { name: 'Access' }).getByText('Still needed').last().waitFor();
    await page.getByRole('button', { name: 'Complete Review' }).click();
    await page.getByText('not decided yet').waitFor();
  },
  'revoke in an access review': async (page) => {
    await open(page, '/governance?tab=compliance');
    await page.getByRole('button', { name: 'Start Review' }).click();
    await page.getByRole('button', { name: 'Revoke Deploy from CI' }).click();
    await page.getByRole('alertdialog').waitFor();
  },
  'framework with violations': async (page) => {
    await open(page, '/governance?tab=compliance&framework=pci-dss');
    await page.getByRole('link', { name: 'Open API Keys' }).first().waitFor();
  },
  'framework being checked': async (page) => {
    await open(page, '/governance?tab=compliance&framework=gdpr');
    await page.getByText('All compliance checks passed!').waitFor();
    await page.getByRole('button', { name: 'Run Check Now' }).click();
    await page.getByText('controls checked').waitFor();
  },
  control: async (page) => {
    await open(page, '/governance?tab=compliance&control=KEY-02');
    await page.getByText('As JSON').first().click();
    await page.getByText('"age_days": 212').waitFor();
  },
  'new waiver': async (page) => {
    await open(page, '/governance?tab=compliance&control=IAM-05');
    await page.getByRole('button', { name: 'Waive the finding on Demo team' }).click();
    await page.getByRole('form', { name: 'New waiver' }).getByRole('button', { name: 'Create waiver' }).click();
    await page.getByText('Enter at least 10 characters.').waitFor();
  },
  policies: async (page) => {
    await open(page, '/governance?tab=policies');
    await page.getByRole('listitem', { name: 'Access control' }).waitFor();
  },
  policy: async (page) => {
    await governanceScreens.policies?.(page);
    await page.getByRole('button', { name: 'View Details of Access control' }).click();
    await page.getByRole('button', { name: 'Preview refusals' }).click();
    await page.getByText('Nothing was enforced now.').waitFor();
  },
  'new policy': async (page) => {
    await open(page, '/governance?tab=policies&open=new');
    await page
      .getByRole('dialog')
      .getByLabel('Rules')
      .fill(`Delete logs after 30 days\nA_rule_with_a_long_word_${'W'.repeat(60)}`);
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByText('Enter a name for the policy.').waitFor();
  },
  'delete policy': async (page) => {
    await governanceScreens.policies?.(page);
    await page.getByRole('button', { name: 'View Details of Access control' }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('alertdialog').waitFor();
  },
  'data protection': async (page) => {
    await open(page, '/settings?tab=data-protection');
    await page.getByLabel('Action for Email').selectOption('Block');
    await page.getByLabel('Action for Name').selectOption('Allow');
    await page.getByRole('radio', { name: 'Some, redacted' }).check();
    await page.getByLabel('Share recorded with a body').fill('120');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Enter a whole number from 1 to 100.').waitFor();
  },
};
