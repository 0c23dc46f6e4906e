import type { Locator, Page, Route } from '@playwright/test';
import { expect, openMenu } from './console.ts';
import { database, deployment, json, problem, project } from './scripted.ts';
import { storedZip } from './stored-zip.ts';

export interface Action {
  path: string;
  /** Opens the page without a session. */
  isSignedOut?: true;
  /** Fills in the required fields and returns the button that submits them. */
  ready: (page: Page) => Promise<Locator>;
  /** The server's response on success; null stands for an empty one. */
  answer: unknown;
  /** A refusal that leads to the next step, before anything is counted. */
  first?: (route: Route) => Promise<void>;
}

export const dialog = (page: Page) => page.locator('[role=dialog], [role=alertdialog]').last();
export const inDialog = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true });
const archive = { name: 'agent.zip', mimeType: 'application/zip', buffer: storedZip({ 'main.py': 'x' }) };
const apiKey = {
  id: 'key_1',
  name: 'ci',
  key_prefix: 'pk_live_abc',
  key_suffix: 'wxyz',
  is_test_key: false,
  scopes: ['agents:read'],
  is_active: true,
  rate_limit: 300,
  total_requests: 0,
  created_at: '2026-11-20T10:00:00.000Z',
  expires_at: null,
  last_used_at: null,
  last_used_ip: null,
  revoked_at: null,
  created_by: 'Ada',
  created_by_key: null,
};
const user = { id: 'usr_1', email: 'ada@example.org', name: 'Ada', plan: 'starter', email_verified: true };
const session = { token: 'token', user };

async function credentials(page: Page, fields: Record<string, string>) {
  for (const [label, value] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(value);
}
export const menu = async (page: Page, of: string, item: string) => {
  await (await openMenu(page, page.getByRole('button', { name: of }).first(), item)).click();
};

/** Every button press that changes something on the server, and the way to the button. */
export const actions: Record<string, Action> = {
  'sign in': {
    path: '/login',
    isSignedOut: true,
    async ready(page) {
      await credentials(page, { 'E-mail': 'ada@example.org', Password: 'a long password' });
      return page.getByRole('button', { name: /^Sign(ing)? in/ });
    },
    answer: session,
  },
  'sign in with a code': {
    path: '/login',
    isSignedOut: true,
    first: problem(401, 'second_factor_required', 'Enter the code.'),
    async ready(page) {
      await credentials(page, { 'E-mail': 'ada@example.org', Password: 'a long password' });
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByLabel('Code').fill('123456');
      return page.getByRole('button', { name: /^Sign(ing)? in/ });
    },
    answer: session,
  },
  'sign up': {
    path: '/signup',
    isSignedOut: true,
    async ready(page) {
      await credentials(page, {
        'Full name': 'Ada',
        'E-mail': 'ada@example.org',
        Password: 'a long password',
        'Confirm password': 'a long password',
      });
      await page.getByRole('checkbox').check();
      return page.getByRole('button', { name: /^Creat/ });
    },
    answer: user,
  },
  'forgot password': {
    path: '/forgot-password',
    isSignedOut: true,
    async ready(page) {
      await credentials(page, { 'E-mail': 'ada@example.org' });
      return page.getByRole('button', { name: /^Send/ });
    },
    answer: null,
  },
  'new password': {
    path: '/reset-password#token=x',
    isSignedOut: true,
    async ready(page) {
      await credentials(page, { 'New password': 'a long password', 'Confirm password': 'a long password' });
      return page.getByRole('button', { name: /^Set/ });
    },
    answer: null,
  },
  'verify e-mail': {
    path: '/verify-email#token=x',
    isSignedOut: true,
    ready: async (page) => page.getByRole('button', { name: /^Verify/ }),
    answer: { email: 'ada@example.org' },
  },
  'create project': {
    path: '/projects?action=new',
    async ready(page) {
      await dialog(page).getByLabel('Name').fill('two');
      return inDialog(page, 'Create project');
    },
    answer: project,
  },
  'delete project': {
    path: '/projects',
    async ready(page) {
      await menu(page, 'Actions for one', 'Delete project');
      await dialog(page).getByRole('textbox').fill('one');
      return inDialog(page, 'Delete project');
    },
    answer: null,
  },
  deploy: {
    path: '/deployments?action=deploy&project=prj_1',
    async ready(page) {
      await page.locator('input[type=file]').setInputFiles(archive);
      await expect(page.getByText('Detected Python')).toBeVisible();
      return dialog(page).getByRole('button', { name: /^(Deploy agent|Try again)$/ });
    },
    answer: deployment,
  },
  redeploy: {
    path: '/deployments/dep_1',
    async ready(page) {
      await page.getByRole('button', { name: 'Redeploy', exact: true }).click();
      return inDialog(page, 'Redeploy');
    },
    answer: { ...deployment, id: 'dep_2' },
  },
  'stop deployment': {
    path: '/deployments/dep_1',
    async ready(page) {
      await page.getByRole('button', { name: 'Stop', exact: true }).click();
      return inDialog(page, 'Stop deployment');
    },
    answer: deployment,
  },
  'restart deployment': {
    path: '/deployments/dep_1',
    async ready(page) {
      await menu(page, 'Actions for one', 'Restart');
      return inDialog(page, 'Restart');
    },
    answer: deployment,
  },
  'roll back': {
    path: '/deployments/dep_old',
    async ready(page) {
      await menu(page, 'Actions for one', 'Roll back to this');
      return inDialog(page, 'Roll back');
    },
    answer: { ...deployment, id: 'dep_2' },
  },
  'add variable': {
    path: '/projects/prj_1/variables',
    async ready(page) {
      await page.getByRole('button', { name: 'Add variable' }).first().click();
      await dialog(page).getByLabel('Name').fill('KEY');
      return inDialog(page, 'Add variable');
    },
    answer: { variables: [] },
  },
  'create API key': {
    path: '/api-keys?action=new',
    async ready(page) {
      await dialog(page).getByLabel('Name').fill('another');
      return dialog(page).getByRole('button', { name: /^Creat/ });
    },
    answer: { api_key: 'pk_live_secret', key_info: { ...apiKey, id: 'key_2' }, warning: 'Shown once' },
  },
  'rotate API key': {
    path: '/api-keys',
    async ready(page) {
      await page.getByRole('button', { name: 'Rotate ci' }).click();
      return inDialog(page, 'Rotate key');
    },
    answer: { api_key: 'pk_live_secret', key_info: { ...apiKey, id: 'key_2' }, warning: 'Shown once' },
  },
  'revoke API key': {
    path: '/api-keys',
    async ready(page) {
      await page.getByRole('button', { name: 'Revoke ci' }).click();
      return inDialog(page, 'Revoke key');
    },
    answer: apiKey,
  },
  'stop database': {
    path: '/databases',
    async ready(page) {
      await menu(page, 'Actions for PostgreSQL', 'Stop');
      return inDialog(page, 'Stop database');
    },
    answer: database,
  },
  'rotate database password': {
    path: '/databases',
    async ready(page) {
      await menu(page, 'Actions for PostgreSQL', 'Rotate password');
      return inDialog(page, 'Rotate password');
    },
    answer: database,
  },
  'back up database': {
    path: '/databases?open=db_1&tab=backups',
    ready: async (page) => page.getByRole('button', { name: 'Back up now' }),
    answer: { id: 'bak_1' },
  },
  'save profile': {
    path: '/settings',
    ready: async (page) => page.getByRole('button', { name: 'Save profile' }),
    answer: user,
  },
  'change password': {
    path: '/settings',
    async ready(page) {
      await credentials(page, {
        'Current password': 'a long password',
        'New password': 'another password',
        'Confirm new password': 'another password',
      });
      return page.getByRole('button', { name: 'Change password' });
    },
    answer: null,
  },
  'end a session': {
    path: '/settings',
    ready: async (page) => page.getByRole('button', { name: /^End the session of Firefox/ }),
    answer: null,
  },
  'resolve an alert': {
    path: '/dashboard',
    async ready(page) {
      await page.getByRole('button', { name: 'Alerts, 1 open' }).click();
      return page.getByRole('button', { name: /^Mark resolved/ });
    },
    answer: {},
  },
};

/** Responses to the reads of these pages. */
export const lists = {
  'GET /deployments/dep_old': json({ ...deployment, id: 'dep_old', status: 'stopped', is_current: false }),
  'GET /deployments/dep_2': json({ ...deployment, id: 'dep_2' }),
  'GET /projects/prj_1': json(project),
  'GET /projects/prj_1/variables': json({ variables: [] }),
  'GET /api-keys': json({ api_keys: [apiKey], next_cursor: null }),
  'GET /databases': json({ databases: [database], next_cursor: null, total: 1 }),
  'GET /databases/db_1': json(database),
  'GET /databases/db_1/backups': json({ backups: [], next_cursor: null }),
  'GET /auth/profile': json({ ...user, has_password: true, second_factor: { is_on: false, recovery_codes_left: 0 }, pending_email: null }),
  'GET /auth/sessions': json({
    sessions: ['This one', 'Firefox on Linux', 'Safari on iPhone'].map((device, index) => ({
      id: `ses_${index}`,
      created_at: '2026-11-20T10:00:00.000Z',
      last_used_at: '2026-11-20T10:00:00.000Z',
      expires_at: '2026-12-20T10:00:00.000Z',
      ip: '192.0.2.1',
      device,
      is_current: index === 0,
    })),
  }),
  'GET /oauth/providers': json({ providers: [] }),
  'GET /auth/identities': json({ identities: [], has_password: true }),
  'GET /metrics/alerts': json({
    alerts: [
      {
        id: 'alr_1',
        deployment_id: null,
        database_id: null,
        project_name: 'one',
        severity: 'warning',
        message: 'The disk fills up.',
        created_at: '2026-11-20T10:00:00.000Z',
        resolved: false,
        resolved_at: null,
        snoozed_until: null,
      },
    ],
    next_cursor: null,
    open: 1,
  }),
};
