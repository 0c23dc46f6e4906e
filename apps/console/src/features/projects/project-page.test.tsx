import type { Deployment, Project } from '@paddock/contract';
import { createMemoryHistory } from '@tanstack/react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { endSession, startSession } from '../../api/session.ts';
import { Console } from '../../app/Console.tsx';
import { consoleQueries } from '../../app/query-client.ts';
import { consoleRouter } from '../../app/router.tsx';

const user = { id: 'usr_1', email: 'ada@example.org', name: 'Ada Lovelace', plan: 'starter', email_verified: true };
const project: Project = {
  id: 'prj_1',
  name: 'support-router',
  description: 'Hands tickets to teams',
  url: 'http://support-router.localhost',
  created_at: '2026-11-20T12:00:00.000Z',
  deployment_count: 1,
  build_settings: { start: 'python agent.py' },
};
const serving: Deployment = {
  id: 'dep_1',
  project_id: 'prj_1',
  project_name: 'support-router',
  status: 'active',
  environment: 'production',
  database_mode: 'none',
  url: 'http://support-router.localhost',
  deployment_url: null,
  error_message: null,
  failed_stage: null,
  agent_type: 'web',
  trigger: 'upload',
  message: null,
  commit_sha: null,
  commit_branch: null,
  commit_dirty: null,
  source_name: 'agent.zip',
  source_deployment_id: null,
  is_current: true,
  restarts: 0,
  restart_at: null,
  variables_at: null,
  created_at: '2026-11-20T12:00:00.000Z',
  building_at: null,
  deploying_at: null,
  deployed_at: '2026-11-20T12:01:00.000Z',
  ended_at: null,
};
const failed: Deployment = {
  ...serving,
  id: 'dep_2',
  status: 'failed',
  url: null,
  is_current: false,
  failed_stage: 'building',
  error_message: 'Build failed: requirements.txt not found.',
  created_at: '2026-11-21T12:00:00.000Z',
  deployed_at: null,
};

const problem = (status: number, code: string, detail: string) =>
  Response.json({ status, code, detail }, { status, headers: { 'content-type': 'application/problem+json' } });
const list = (deployments: Deployment[]) =>
  Response.json({ deployments, next_cursor: null, total: deployments.length, active: deployments.length });

const server = vi.spyOn(window, 'fetch');
let deployments: Deployment[] = [];
/** The newest deployments of the whole team, which may include none of the project. */
let newestOfTeam: Deployment[] | undefined;
let answers: Record<string, () => Response> = {};
let asked: string[] = [];

beforeEach(() => {
  deployments = [serving];
  newestOfTeam = undefined;
  asked = [];
  answers = {
    '/projects': () => Response.json({ projects: [project], next_cursor: null }),
    '/projects/prj_1': () => Response.json(project),
    '/projects/prj_1/variables': () => Response.json({ variables: [] }),
    '/databases': () => Response.json({ databases: [], next_cursor: null, total: 0 }),
    '/metrics/alerts': () => Response.json({ alerts: [], next_cursor: null, open: 0 }),
    '/auth/me': () => Response.json(user),
  };
  server.mockImplementation((given) => {
    const { pathname, searchParams } = new URL(String(given), location.origin);
    const path = pathname.replace('/api/v1', '');
    asked.push(path);
    // Nothing changes: the long poll stays pending.
    if (path === '/changes') return new Promise(() => undefined);
    if (path.endsWith('/provenance'))
      return Promise.resolve(Response.json({ actor: { type: 'key', id: 'key_1', name: 'Deploy from CI' } }));
    const answer = answers[path];
    if (answer) return Promise.resolve(answer());
    if (path !== '/deployments') return Promise.resolve(problem(404, 'not_found', 'There is no such thing.'));
    if (searchParams.has('status')) return Promise.resolve(list(deployments.filter(({ status }) => status === 'active')));
    return Promise.resolve(list(searchParams.has('project_id') ? deployments : (newestOfTeam ?? deployments)));
  });
  startSession({ token: 'tok', user }, false);
});
afterEach(() => endSession());

async function open(path: string) {
  const router = consoleRouter(createMemoryHistory({ initialEntries: [path] }));
  await render(<Console router={router} queries={consoleQueries()} />);
  return router;
}

test('the page tells what serves, who deployed it, and which build settings are kept', async () => {
  await open('/projects/prj_1');
  await expect.element(page.getByRole('heading', { name: 'support-router', level: 1 })).toBeVisible();
  await expect
    .element(page.getByRole('link', { name: 'View App', exact: true }))
    .toHaveAttribute('href', 'http://support-router.localhost');
  await expect.element(page.getByRole('table', { name: 'Latest deployments' }).getByText('Deploy from CI, API key')).toBeVisible();
  await expect.element(page.getByRole('link', { name: 'Metrics of production' })).toHaveAttribute('href', '/metrics?deployment=dep_1');
  await expect.element(page.getByRole('link', { name: 'Traces of production' })).toHaveAttribute('href', '/deployments/dep_1?tab=traces');
  await expect.element(page.getByText('python agent.py')).toBeVisible();
  await expect.element(page.getByText('No variables yet.')).toBeVisible();
  await expect.element(page.getByText(/^No databases yet\./)).toBeVisible();
});

test('a failed deployment is told with its reason, and with what serves nevertheless', async () => {
  deployments = [failed, serving];
  await open('/projects/prj_1');
  await expect.element(page.getByText('The latest deployment to production failed. The previous deployment keeps serving.')).toBeVisible();
  await expect.element(page.getByText('Build failed: requirements.txt not found.')).toBeVisible();
});

test('where the only deployment failed nothing serves, and no address pretends to answer', async () => {
  deployments = [failed];
  await open('/projects/prj_1');
  await expect.element(page.getByText('The latest deployment to production failed. Nothing is serving it now.')).toBeVisible();
  await expect.element(page.getByText(/becomes available once a deployment serves production/)).toBeVisible();
  expect(page.getByRole('link', { name: 'View App' }).query()).toBeNull();
});

test('a part that cannot be loaded says so in its place and is asked for again, while the others stand', async () => {
  const usual = answers['/databases'];
  answers['/databases'] = () => problem(403, 'scope_missing', 'This key may not read databases.');
  await open('/projects/prj_1');
  const databases = page.getByRole('region', { name: 'Databases' });
  await expect.element(databases.getByText('This key may not read databases.')).toBeVisible();
  expect(databases.getByText(/^No databases yet/).query()).toBeNull();
  await expect.element(page.getByRole('table', { name: 'Environments' })).toBeVisible();
  if (usual) answers['/databases'] = usual;
  await databases.getByRole('button', { name: 'Retry' }).click();
  await expect.element(databases.getByText(/^No databases yet/)).toBeVisible();
});

test('deployments that cannot be loaded are no project without deployments', async () => {
  answers['/deployments'] = () => problem(403, 'scope_missing', 'This key may not read deployments.');
  await open('/projects/prj_1');
  await expect.element(page.getByText('This key may not read deployments.')).toBeVisible();
  expect(page.getByText(/No deployments? yet/).query()).toBeNull();
});

test.each(['/projects/prj_2', '/projects/not-an-id'])('%s is no project, and the page says so', async (path) => {
  answers['/projects/prj_2'] = () => problem(404, 'project_not_found', 'There is no such project.');
  await open(path);
  await expect.element(page.getByText('Project not found. It may have been deleted.')).toBeVisible();
  expect(asked).not.toContain('/projects/not-an-id');
});

test('the card of an idle project tells its last deployment, although others of the team are newer', async () => {
  deployments = [{ ...serving, status: 'stopped', url: null, is_current: false }];
  newestOfTeam = [{ ...serving, id: 'dep_9', project_id: 'prj_9' }];
  await open('/projects');
  const card = page.getByRole('article', { name: 'support-router' });
  await expect.element(card.getByText('Stopped')).toBeVisible();
  await expect.element(card.getByText('No deployment is serving its address')).toBeVisible();
  await card.getByRole('link', { name: 'support-router', exact: true }).click();
  await expect.element(page.getByRole('heading', { name: 'support-router', level: 1 })).toBeVisible();
});
