import type { Page } from '@playwright/test';
import { billingScreens } from './billing-screens.ts';
import { chooseForRow, open, openMenu } from './console.ts';
import { governanceScreens } from './governance-screens.ts';
import { traceScreens } from './trace-screens.ts';

/** Every screen and dialog, and the way to it from the dashboard of the demo. */
export const screens: Record<string, (page: Page) => Promise<unknown>> = {
  dashboard: async (page) => {
    await page.getByRole('heading', { name: 'Recent Deployments' }).waitFor();
    await page.getByRole('table', { name: 'Active agents, last 24 hours' }).waitFor();
  },
  projects: async (page) => {
    await open(page, '/projects');
    await page.getByRole('heading', { name: 'support-router' }).waitFor();
  },
  'new project': async (page) => {
    await open(page, '/projects?action=new');
    await page.getByRole('dialog', { name: 'New Project' }).waitFor();
  },
  'delete project': async (page) => {
    await open(page, '/projects');
    await (await openMenu(page, page.getByRole('button', { name: 'Actions for support-router' }), 'Delete project')).click();
    await page.getByRole('alertdialog').waitFor();
  },
  project: async (page) => {
    await open(page, '/projects');
    await page.getByRole('link', { name: 'support-router', exact: true }).click();
    await page.getByRole('region', { name: 'Log lines' }).getByText('INFO').first().waitFor();
    await page.getByRole('table', { name: 'Latest deployments' }).getByText('Demo User').first().waitFor({ state: 'attached' });
    await page.getByRole('list', { name: 'Databases' }).waitFor();
  },
  variables: async (page) => {
    await open(page, '/projects');
    await page.getByRole('link', { name: 'Variables of support-router' }).click();
    await page.getByText('TICKETS_URL').waitFor();
  },
  'add variable': async (page) => {
    await screens.variables?.(page);
    await page.getByRole('button', { name: 'Add variable' }).click();
    await page.getByRole('dialog').waitFor();
  },
  'paste variables': async (page) => {
    await screens.variables?.(page);
    await page.getByRole('button', { name: 'Paste .env' }).click();
    await page.getByLabel('Lines of NAME=value').fill('A_KEY=one\nPORT=80\nnonsense');
    await page.getByText('Line 3').waitFor();
  },
  deployments: async (page) => {
    await open(page, '/deployments');
    await page.getByText('13 of 13 shown').waitFor();
  },
  'no match': async (page) => {
    await open(page, '/deployments?status=completed&environment=preview');
    await page.getByText('No deployment matches these filters.').waitFor();
  },
  logs: async (page) => {
    await screens.deployments?.(page);
    await chooseForRow(page, { button: /^Logs of support-router/, item: 'Logs' });
    await page.getByRole('region', { name: 'Log lines' }).getByText('INFO').first().waitFor();
  },
  'row menu': async (page) => {
    await screens.deployments?.(page);
    await openMenu(page, page.getByRole('button', { name: /^Actions for support-router/ }).first(), 'Details');
  },
  'stop deployment': async (page) => {
    await screens.deployments?.(page);
    await chooseForRow(page, { button: /^Stop support-router/, item: 'Stop deployment' });
    await page.getByText('Are you sure you want to stop this deployment?').waitFor();
  },
  'deploy agent': async (page) => {
    await open(page, '/deployments?action=deploy');
    const dialog = page.getByRole('dialog', { name: 'Deploy agent' });
    await dialog.getByLabel('Database').selectOption('byo');
    await dialog.getByLabel('Redis URL').waitFor();
  },
  'active deployment': async (page) => {
    await screens.deployments?.(page);
    await page
      .getByRole('row', { name: /support-router.*Active/ })
      .first()
      .getByRole('link')
      .first()
      .click();
    await page.getByRole('region', { name: 'Log lines' }).getByText('INFO').first().waitFor();
  },
  'try an agent': async (page) => {
    await screens['active deployment']?.(page);
    await page.getByRole('button', { name: 'Write a request' }).click();
    await page.getByLabel('Template').selectOption('MCP: initialize');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText(/^Complete after/).waitFor();
    await page.getByText(/^Response headers/).click();
  },
  'failed deployment': async (page) => {
    await screens.deployments?.(page);
    await page
      .getByRole('row', { name: /web-scout.*Failed/ })
      .first()
      .getByRole('link')
      .first()
      .click();
    await page.getByRole('button', { name: 'Deploy with cheerio' }).waitFor();
    await page.getByRole('region', { name: 'Log', exact: true }).getByText('Ended', { exact: true }).waitFor();
  },
  databases: async (page) => {
    await open(page, '/databases');
    await page.getByRole('heading', { name: 'PostgreSQL of support-router, production', exact: true }).waitFor();
  },
  'connect database': async (page) => {
    await open(page, '/databases?action=connect');
    await page.getByLabel('Project', { exact: true }).selectOption({ label: 'nightly-eval' });
    await page.getByRole('textbox', { name: 'Address' }).fill('postgresql://app:no-password@down.example.org/app');
    await page.getByRole('button', { name: 'Check address' }).click();
    await page.getByText('does not answer on port 5432').waitFor();
  },
  'connection string': async (page) => {
    await screens.databases?.(page);
    await page.getByRole('button', { name: 'Connection String of PostgreSQL of support-router, production', exact: true }).click();
    await page.getByRole('button', { name: 'Show', exact: true }).click();
  },
  'database metrics': async (page) => {
    await screens.databases?.(page);
    await page.getByRole('button', { name: 'Metrics of Redis of support-router, production' }).click();
    await page.getByRole('slider', { name: 'Keys over time' }).press('ArrowLeft');
    await page.getByText('View as table').first().click();
    await page.getByRole('table', { name: 'Memory' }).waitFor();
  },
  'database backups': async (page) => {
    await screens.databases?.(page);
    await page.getByRole('button', { name: 'Backups of PostgreSQL of support-router, production', exact: true }).click();
    await page.getByText('The disk of the server was full').waitFor();
  },
  'restore backup': async (page) => {
    await screens['database backups']?.(page);
    await page
      .getByRole('button', { name: /^Restore the backup/ })
      .first()
      .click();
    await page.getByRole('radio', { name: 'This database' }).check();
    await page.getByLabel('Type support-router to confirm').waitFor();
  },
  'delete database': async (page) => {
    await screens.databases?.(page);
    const actions = page.getByRole('button', { name: 'Actions for PostgreSQL of support-router, production', exact: true });
    await (await openMenu(page, actions, 'Delete')).click();
    await page.getByText('Currently used by one deployment of support-router').waitFor();
  },
  metrics: async (page) => {
    await open(page, '/metrics');
    // The page first shows the newest deployment, which after some time is an agent that the demo is deploying.
    await page.getByRole('combobox', { name: 'Agent' }).selectOption({ label: 'support-router, production' });
    await page.getByRole('heading', { name: 'support-router, production' }).waitFor();
    await page.getByText('How it is calculated').click();
  },
  'metrics with gaps': async (page) => {
    await screens.metrics?.(page);
    await page.getByRole('combobox', { name: 'Agent' }).selectOption({ label: 'support-router, preview' });
    await page.getByRole('heading', { name: 'support-router, preview' }).waitFor();
  },
  'metrics without requests': async (page) => {
    await screens.metrics?.(page);
    await page.getByRole('combobox', { name: 'Agent' }).selectOption({ label: 'invoice-triage, production' });
    await page.getByText('there are no charts of requests').waitFor();
  },
  'metrics of no agent': async (page) => {
    await open(page, '/metrics?deployment=dep_unknown');
    await page.getByText('Deployment not found.').waitFor();
    await page.getByRole('button', { name: 'web-scout, production' }).waitFor();
  },
  alerts: async (page) => {
    await page.getByRole('button', { name: 'Alerts, 4 open' }).click();
    await page.getByText('Snoozed until').waitFor();
  },
  'api keys': async (page) => {
    await open(page, '/api-keys');
    await page.getByRole('heading', { name: 'Deploy from CI' }).waitFor();
  },
  'create api key': async (page) => {
    await open(page, '/api-keys?action=new');
    await page.getByRole('dialog', { name: 'Create API key' }).waitFor();
  },
  'new api key': async (page) => {
    await screens['create api key']?.(page);
    await page.getByLabel('Name').fill(`A_key_with_a_rather_long_name_${'W'.repeat(60)}`);
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('dialog', { name: 'API Key Created Successfully!' }).waitFor();
  },
  settings: async (page) => {
    await open(page, '/settings');
    await page.getByText('Safari on iPhone').waitFor();
    await page.getByLabel('E-mail').fill('new@paddock.dev');
    await page.getByLabel('Your password, to confirm the new address').waitFor();
  },
  'alert rules': async (page) => {
    await open(page, '/settings?tab=alerts');
    await page.getByRole('textbox', { name: /^Error rate/ }).fill('120');
    await page.getByRole('button', { name: 'Save the threshold of Error rate' }).click();
    await page.getByText('Enter a number from 0.1 to 100.').waitFor();
  },
  channels: async (page) => {
    await open(page, '/settings?tab=alerts');
    await page.getByRole('button', { name: 'Send a test to Incident board' }).click();
    await page.getByText('Test not delivered').waitFor();
  },
  'new channel': async (page) => {
    await open(page, '/settings?tab=alerts&action=new');
    await page.getByRole('textbox', { name: 'Name' }).fill('Build farm');
    await page.getByRole('textbox', { name: 'Address' }).fill('http://10.0.0.7/hooks');
    await page.getByRole('button', { name: 'Create channel' }).click();
    await page.getByText('The address 10.0.0.7 is refused').waitFor();
  },
  'channel secret': async (page) => {
    await open(page, '/settings?tab=alerts&action=new');
    await page.getByRole('textbox', { name: 'Name' }).fill(`A_channel_with_a_rather_long_name_${'W'.repeat(60)}`);
    await page.getByRole('textbox', { name: 'Address' }).fill('https://bot.example.com/hooks');
    await page.getByRole('button', { name: 'Create channel' }).click();
    await page.getByRole('dialog', { name: 'Channel created' }).waitFor();
  },
  'channel menu': async (page) => {
    await open(page, '/settings?tab=alerts');
    await page.getByRole('list', { name: 'Alert rules' }).waitFor();
    const button = page.getByRole('button', { name: 'Actions for Release pipeline' });
    // The position is fixed: a control half covered by the header would count as too small.
    await button.evaluate((element: { scrollIntoView(how: object): void }) => element.scrollIntoView({ block: 'center' }));
    await openMenu(page, button, 'Rotate secret');
  },
  'channel deliveries': async (page) => {
    await open(page, '/settings?tab=alerts');
    await page.getByRole('button', { name: 'Deliveries of Incident board' }).click();
    await page.getByText('7 attempts').waitFor();
  },
  'second factor setup': async (page) => {
    await open(page, '/settings');
    await page.getByRole('button', { name: 'Set up' }).click();
    await page.getByLabel('Your password').fill('paddock-demo');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('img', { name: /^QR code/ }).waitFor();
  },
  'recovery codes': async (page) => {
    await screens['second factor setup']?.(page);
    await page.getByLabel('Code from the app').fill('123456');
    await page.getByRole('button', { name: 'Switch on' }).click();
    await page.getByRole('list', { name: 'Recovery codes' }).waitFor();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByText('They cannot be shown again').waitFor();
  },
  'delete account': async (page) => {
    await open(page, '/settings');
    await page.getByText('Safari on iPhone').waitFor();
    await page.getByRole('button', { name: 'Delete account' }).click();
    await page.getByRole('dialog').waitFor();
  },
  palette: async (page) => {
    await screens.dashboard?.(page);
    await page.keyboard.press('Control+k');
    await page.getByRole('option', { name: /Deploy agent/ }).waitFor();
  },
  ...billingScreens,
  ...traceScreens,
  ...governanceScreens,
};

/** Screens that change the data of other screens. */
export const changesDemo = new Set([
  'try an agent',
  'connect database',
  'channels',
  'new api key',
  'channel secret',
  'settings',
  'second factor setup',
  'recovery codes',
  'declined upgrade',
  'payment to confirm',
  'cancelled subscription',
  'usage and costs',
  'invoices',
  'audit log',
  'data lineage',
  'certificate of an erasure',
  'data governance',
  'access review',
  'revoke in an access review',
  'framework being checked',
  'new waiver',
  'policy',
]);
