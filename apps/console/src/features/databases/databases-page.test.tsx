import type { Database } from '@paddock/contract';
import { createMemoryHistory } from '@tanstack/react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { endSession, startSession } from '../../api/session.ts';
import { Console } from '../../app/Console.tsx';
import { consoleQueries } from '../../app/query-client.ts';
import { consoleRouter } from '../../app/router.tsx';

const user = { id: 'usr_1', email: 'ada@example.org', name: 'Ada Lovelace', plan: 'starter', email_verified: true };
const secret = 'postgresql://agent:no-password-at-all@127.0.0.1:5432/app';
const database: Database = {
  id: 'db_1',
  type: 'postgresql',
  project_id: 'prj_1',
  project_name: 'support-router',
  environment: 'production',
  mode: 'managed',
  name: 'main',
  is_attached: true,
  status: 'available',
  status_message: null,
  host: '127.0.0.1',
  port: 5432,
  version: '18.1',
  size_bytes: 900,
  storage_limit_bytes: 1000,
  is_read_only: false,
  last_backup_at: null,
  created_at: '2026-11-20T12:00:00.000Z',
};

const server = vi.spyOn(window, 'fetch');
let databases: Database[] = [];
let connection: () => Response;
let asked: string[] = [];

const problem = (status: number, code: string, detail: string) =>
  Response.json({ status, code, detail }, { status, headers: { 'content-type': 'application/problem+json' } });
const lists: Record<string, unknown> = {
  '/api/v1/projects': { projects: [], next_cursor: null },
  '/api/v1/metrics/alerts': { alerts: [], next_cursor: null, open: 0 },
  '/api/v1/auth/me': user,
  '/api/v1/system': {
    version: '1',
    isolated: true,
    runtime_problem: null,
    agent_domain: 'localhost',
    database_problems: { postgresql: null, redis: null },
    recording_problem: null,
  },
};

beforeEach(() => {
  databases = [database];
  asked = [];
  connection = () => Response.json({ connection_string: secret, env_var: 'DATABASE_URL', command: `psql '${secret}'` });
  server.mockImplementation((given) => {
    const { pathname } = new URL(String(given), location.origin);
    asked.push(pathname);
    // Nothing changes: the long poll stays pending.
    if (pathname.endsWith('/changes')) return new Promise(() => undefined);
    if (pathname.endsWith('/connection-string')) return Promise.resolve(connection());
    if (pathname === '/api/v1/databases') return Promise.resolve(Response.json({ databases, next_cursor: null, total: databases.length }));
    return Promise.resolve(pathname in lists ? Response.json(lists[pathname]) : problem(404, 'not_found', 'There is no such thing.'));
  });
  startSession({ token: 'tok', user }, false);
});
afterEach(() => endSession());

async function open(path: string) {
  const router = consoleRouter(createMemoryHistory({ initialEntries: [path] }));
  const queries = consoleQueries();
  await render(<Console router={router} queries={queries} />);
  return { router, queries };
}

test('without a database the page leads into the deploy form with managed chosen, or to connecting one', async () => {
  databases = [];
  await open('/databases');
  await expect
    .element(page.getByRole('link', { name: 'Deploy with managed databases' }))
    .toHaveAttribute('href', '/deployments?action=deploy&database=managed');
  await expect.element(page.getByText(/^Databases are provisioned automatically/)).toBeVisible();
  await page.getByRole('button', { name: 'Connect your own' }).click();
  await expect.element(page.getByRole('dialog', { name: 'Connect your own database' })).toBeVisible();
});

test('a list that cannot be loaded is no empty list, and is asked for again', async () => {
  const usual = server.getMockImplementation();
  server.mockImplementation((given, init) =>
    String(given).includes('/databases')
      ? Promise.resolve(problem(403, 'scope_missing', 'This key may not read databases.'))
      : (usual?.(given, init) ?? Promise.reject(new Error('not asked'))),
  );
  await open('/databases');
  await expect.element(page.getByRole('alert').getByText('This key may not read databases.')).toBeVisible();
  expect(page.getByText('No databases yet').query()).toBeNull();
  if (usual) server.mockImplementation(usual);
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect.element(page.getByRole('heading', { name: 'PostgreSQL of support-router, production' })).toBeVisible();
});

test('the connection string is asked for when its dialog opens, is masked, and is in no cache and on no page afterwards', async () => {
  const { queries } = await open('/databases');
  const button = page.getByRole('button', { name: 'Connection String of PostgreSQL of support-router, production' });
  await expect.element(button).toBeVisible();
  expect(asked.filter((path) => path.endsWith('/connection-string'))).toEqual([]);
  await button.click();
  const dialog = page.getByRole('dialog', { name: 'Connection String' });
  await expect.element(dialog.getByText('DATABASE_URL')).toBeVisible();
  expect(document.documentElement.outerHTML).not.toContain('no-password-at-all');
  await dialog.getByRole('button', { name: 'Show' }).click();
  await expect.element(dialog.getByText(secret, { exact: true })).toBeVisible();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  const kept = JSON.stringify([queries.getQueryCache().getAll(), queries.getMutationCache().getAll()].flat().map(({ state }) => state));
  expect(kept).not.toContain('no-password-at-all');
  expect(document.documentElement.outerHTML).not.toContain('no-password-at-all');
});

test('a connection string that cannot be loaded is told in the dialog and as a toast', async () => {
  connection = () => problem(409, 'database_not_ready', 'The database is not available right now. Start it, or wait a moment.');
  await open('/databases');
  await page.getByRole('button', { name: 'Connection String of PostgreSQL of support-router, production' }).click();
  const dialog = page.getByRole('dialog', { name: 'Connection String' });
  await expect.element(dialog.getByText(/^Failed to load connection string: The database is not available/)).toBeVisible();
  await expect.element(page.getByRole('region', { name: 'Notifications' }).getByText('Failed to load connection string')).toBeVisible();
  connection = () => Response.json({ connection_string: secret, env_var: 'DATABASE_URL', command: `psql '${secret}'` });
  await dialog.getByRole('button', { name: 'Retry' }).click();
  await expect.element(dialog.getByRole('button', { name: 'Show' })).toBeVisible();
});
