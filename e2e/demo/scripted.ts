import type { Database, DeploymentDetail, Project } from '@paddock/contract';
import type { Page, Route } from '@playwright/test';

/** Scripted responses of the server, by call. The journeys with a real server are elsewhere. */
export type Answers = Record<string, (route: Route) => Promise<void>>;

export const user = { id: 'usr_1', email: 'ada@example.org', name: 'Ada', plan: 'starter', email_verified: true };
export const project = {
  id: 'prj_1',
  name: 'one',
  description: '',
  url: 'http://one.localhost',
  created_at: '2026-11-20T10:00:00.000Z',
  deployment_count: 1,
  build_settings: null,
} satisfies Project;
export const deployment = {
  id: 'dep_1',
  project_id: 'prj_1',
  project_name: 'one',
  status: 'active',
  environment: 'production',
  database_mode: 'none',
  url: null,
  deployment_url: null,
  error_message: null,
  failed_stage: null,
  agent_type: 'worker',
  trigger: 'upload',
  message: null,
  commit_sha: null,
  commit_branch: null,
  commit_dirty: null,
  source_name: 'one.zip',
  source_deployment_id: null,
  is_current: true,
  restarts: 0,
  restart_at: null,
  variables_at: null,
  created_at: '2026-11-20T10:00:00.000Z',
  building_at: '2026-11-20T10:00:01.000Z',
  deploying_at: '2026-11-20T10:00:05.000Z',
  deployed_at: '2026-11-20T10:00:06.000Z',
  ended_at: null,
  plan: null,
  failure_choices: null,
  databases: [],
  protocols: null,
  host_header: null,
} satisfies DeploymentDetail;
export const database = {
  id: 'db_1',
  type: 'postgresql',
  project_id: 'prj_1',
  project_name: 'one',
  environment: 'production',
  mode: 'managed',
  name: 'main',
  is_attached: false,
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
} satisfies Database;
export const json =
  (body: unknown, status = 200) =>
  (route: Route) =>
    route.fulfill({ status, json: body });
export const problem = (status: number, code: string, detail: string) => (route: Route) =>
  route.fulfill({
    status,
    contentType: 'application/problem+json',
    json: { type: 'about:blank', title: code, status, detail, code, request_id: 'req_42' },
  });

export const system = {
  version: '0',
  isolated: true,
  runtime_problem: null,
  agent_domain: 'localhost',
  database_problems: { postgresql: null, redis: null },
  recording_problem: null,
};
/** No subscription yet; the payment provider is the built-in test provider. */
export const freePlan = {
  subscription: null,
  current_period_start: null,
  current_period_end: null,
  payment: null,
  payment_method: null,
  credit: 0,
  notices: [],
  provider: 'test',
  is_test: true,
};
export const usual: Answers = {
  'GET /auth/me': json(user),
  'GET /system': json(system),
  'GET /billing/subscription': json(freePlan),
  'GET /databases': json({ databases: [], next_cursor: null, total: 0 }),
  'GET /metrics/alerts': json({ alerts: [], next_cursor: null, open: 0 }),
  // Nothing changes: the long poll remains open.
  'GET /changes': async (route) => (route.request().url().endsWith('after=0') ? route.fulfill({ json: { version: 1 } }) : undefined),
  'GET /projects': json({ projects: [project], next_cursor: null }),
  'GET /deployments': json({ deployments: [deployment], next_cursor: null, total: 1, active: 1 }),
  'GET /deployments/dep_1': json(deployment),
};

interface Visit {
  address: string;
  isSignedOut?: boolean;
  /** Answers every call other than GET that has no answer of its own. */
  change?: (route: Route) => Promise<void>;
}

export async function signedIn(page: Page, { address, isSignedOut = false, change }: Visit, answers: Answers) {
  if (!isSignedOut)
    await page.evaluate(`localStorage.paddock_token = 'token'; localStorage.paddock_user = ${JSON.stringify(JSON.stringify(user))};`);
  const all = { ...usual, ...answers };
  await page.route('**/api/v1/**', async (route) => {
    const call = `${route.request().method()} ${new URL(route.request().url()).pathname.replace('/api/v1', '')}`;
    const other = route.request().method() === 'GET' ? undefined : change;
    await (all[call] ?? other ?? problem(404, 'route_not_found', `No answer is scripted for ${call}`))(route);
  });
  await page.goto(address);
}
