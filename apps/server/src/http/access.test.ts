import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Contract, contract, defaultDataProtection, type Route, type Scope, scopes } from '@paddock/contract';
import { WebSocket } from 'ws';
import { zip } from '../../test/archives.ts';
import { apiOf, startApi } from '../../test/server.ts';

const routes = Object.entries(contract as Contract).flatMap(([feature, group]) =>
  Object.entries(group).map(([name, route]) => ({ name: `${feature}.${name}`, route })),
);

/** Bodies that pass validation, so that the call is refused because of the caller. */
const bodies: Record<string, Record<string, unknown>> = {
  'projects.create': { name: 'mine' },
  'databases.update': { url: 'postgres://user:password@db.invalid/app' },
  'databases.restore': { into: 'same' },
  'alerts.snooze': { minutes: 60 },
  'governance.setDataProtection': { ...defaultDataProtection },
  'compliance.createWaiver': { owner: 'Eve', reason: 'It is not hers to accept', expires_at: '2099-01-01T00:00:00.000Z' },
  'dataSubjects.erase': { identifiers: ['hers'], password: 'correct horse battery' },
  'accessReviews.decide': { decision: 'keep', items: ['ari_none'] },
  'policies.update': { name: 'mine', rules: ['Be kind'] },
  'invoices.setDetails': { name: 'Eve', email: '', address: [], postal_code: '', city: '', country: '', tax_id: '' },
  'variables.set': { environment: 'production', variables: [{ key: 'A', value: 'b' }] },
};
const queries: Record<string, string> = { 'variables.get': '?environment=production', 'variables.remove': '?environment=production' };

interface Call {
  name: string;
  route: Route;
  ids: Record<string, string>;
  token?: string;
}

function call(origin: string, { name, route, ids, token }: Call) {
  const path = route.path.replace(/:(\w+)/g, (_, key: string) => ids[key] ?? 'KEY');
  const body = {
    ...bodies[name],
    ...(/project_id/.test(route.path) || !route.path.startsWith('/deployments') ? {} : { project_id: ids.project_id }),
  };
  const form = new FormData();
  if (route.file) {
    form.set('project_id', ids.project_id ?? '');
    form.set(route.file, zip({ 'server.js': '1' }), 'a.zip');
  }
  const json = route.method === 'POST' || route.method === 'PUT';
  const needsBody =
    json && !/\/(start|stop|restart|cancel|redeploy|rollback|ticket|logout|rotate|rotate-password|backups|resolve|try)$/.test(route.path);
  const request: RequestInit & { headers: Record<string, string> } = { method: route.method, headers: {} };
  if (token) request.headers.authorization = `Bearer ${token}`;
  if (route.file) request.body = form;
  else if (json) {
    request.headers['content-type'] = 'application/json';
    request.body = JSON.stringify(needsBody ? body : {});
  }
  return fetch(`${origin}/api/v1${path}${queries[name] ?? ''}`, request);
}

async function world(t: Parameters<typeof startApi>[0]) {
  const api = await startApi(t);
  const [ada, eve] = [await api.person(), await api.person()];
  const project = await ada.api.projects.create({ name: 'adas' });
  await ada.api.variables.set({ project_id: project.id, environment: 'production', variables: [{ key: 'KEY', value: 'CANARY_ada' }] });
  const file = { file: zip({ 'server.js': '1' }), file_name: 'a.zip' };
  const deployment = await ada.api.deployments.create({ project_id: project.id, database_mode: 'managed', ...file });
  const database = (await ada.api.databases.list()).databases[0]!;
  const { key_info: key } = await ada.api.apiKeys.create({ name: 'hers' });
  const { channel } = await ada.api.channels.create({ name: 'hers', type: 'webhook', url: 'https://203.0.113.7/' });
  const policy = await ada.api.policies.create({ name: 'hers', rules: ['Be kind'] });
  const review = await ada.api.accessReviews.start();
  const found = await ada.api.dataSubjects.create({ kind: 'find', identifiers: ['hers'] });
  const session = (await ada.api.profile.sessions()).sessions[0]!;
  const ids: Ids = {
    project: project.id,
    deployment: deployment.id,
    database: database.id,
    key: key.id,
    session: session.id,
    channel: channel.id,
    policy: policy.id,
    review: review.id,
    found: found.id,
  };
  return { ...api, ada, eve, project, deployment, ids };
}

type Ids = Record<'project' | 'deployment' | 'database' | 'key' | 'session' | 'channel' | 'policy' | 'review' | 'found', string>;
/** The ids for each path. */
const idsFor = (path: string, { project, deployment, database, key, session, channel, policy, review, found }: Ids) => {
  const ids = {
    '/deployments': deployment,
    '/databases': database,
    '/api-keys': key,
    '/auth/sessions': session,
    '/metrics/agents': deployment,
    '/metrics/alerts': 'alr_none',
    // The number of every installation's first invoice.
    '/billing/invoices': 'PD-000001',
    '/channels': channel,
    '/governance/policies': policy,
    '/governance/access-reviews': review,
    '/governance/data-subject-requests': found,
  };
  return {
    project_id: project,
    backup_id: 'bak_none',
    delivery_id: 'dlv_none',
    rule: 'error_rate',
    trace_id: 'a'.repeat(32),
    id: Object.entries(ids).find(([start]) => path.startsWith(start))?.[1] ?? project,
  };
};
const nobodys: Ids = {
  project: 'prj_none',
  deployment: 'dep_none',
  database: 'db_none',
  key: 'key_none',
  session: 'ses_none',
  channel: 'chn_none',
  policy: 'pol_none',
  review: 'arv_none',
  found: 'dsr_none',
};

test('without a token every call but the public ones is answered 401', async (t) => {
  const { origin, ids } = await world(t);
  for (const { name, route } of routes) {
    if (route.access === 'public') continue;
    const answer = await call(origin, { name, route, ids: idsFor(route.path, ids) });
    assert.equal(answer.status, 401, name);
    assert.equal(((await answer.json()) as { code: string }).code, 'not_signed_in', name);
  }
});

test('with the id of another team every call is answered 404, exactly as with an id that does not exist, to a person and to a key', async (t) => {
  const { origin, eve, ids } = await world(t);
  const { api_key } = await eve.api.apiKeys.create({ name: 'hers', scopes: Object.keys(scopes) as Scope[] });
  let tried = 0;
  for (const { name, route } of routes) {
    if (!/:(id|project_id)/.test(route.path) && !/^\/deployments(\/sample)?$/.test(route.path)) continue;
    if (route.path === '/deployments' && route.method === 'GET') continue;
    tried += 1;
    for (const token of [eve.token, api_key]) {
      const theirs = await call(origin, { name, route, ids: idsFor(route.path, ids), token });
      const unknown = await call(origin, { name, route, ids: idsFor(route.path, nobodys), token });
      const [a, b] = [(await theirs.json()) as Record<string, unknown>, (await unknown.json()) as Record<string, unknown>];
      // A key is refused for its kind before the object's owner is checked.
      const isForPeople = token === api_key && route.access === 'session';
      assert.equal(theirs.status, isForPeople ? 403 : 404, `${name}: ${JSON.stringify(a)}`);
      assert.deepEqual({ ...a, request_id: '' }, { ...b, request_id: '' }, name);
    }
  }
  assert.ok(tried >= 16, `only ${tried} calls were tried`);
});

test('lists and waits show nothing of another team', async (t) => {
  const { eve } = await world(t);
  assert.deepEqual((await eve.api.projects.list()).projects, []);
  assert.deepEqual((await eve.api.deployments.list()).deployments, []);
  assert.deepEqual((await eve.api.databases.list()).databases, []);
  assert.deepEqual((await eve.api.apiKeys.list()).api_keys, []);
  assert.deepEqual((await eve.api.channels.list()).channels, []);
});

test('a list filtered by the project of another team is empty', async (t) => {
  const { eve, project } = await world(t);
  assert.deepEqual((await eve.api.deployments.list({ project_id: project.id })).deployments, []);
  assert.deepEqual((await eve.api.databases.list({ project_id: project.id })).databases, []);
});

test("the live log refuses a missing or foreign token, another team's deployment and a foreign page before it upgrades", async (t) => {
  const { origin, ada, eve, deployment } = await world(t);
  const open = (query: string, headers: Record<string, string> = {}, id = deployment.id) =>
    new Promise<number>((resolve, reject) => {
      const socket = new WebSocket(`${origin.replace('http', 'ws')}/ws/logs/${id}${query}`, { headers });
      socket.on('open', () => (socket.close(), resolve(101)));
      socket.on('unexpected-response', (_, answer) => resolve(answer.statusCode ?? 0));
      socket.on('error', reject);
    });
  assert.equal(await open(''), 401);
  assert.equal(await open('?token=nonsense'), 401);
  assert.equal(await open(`?token=${eve.token}`), 404);
  assert.equal(await open(`?token=${ada.token}`, {}, 'dep_none'), 404);
  assert.equal(await open(`?token=${ada.token}`, { origin: 'https://evil.example' }), 403);
  assert.equal(await open(`?token=${ada.token}`), 101);
  const { ticket } = await ada.api.logs.ticket({ id: deployment.id });
  assert.equal(await open(`?token=${ticket}`), 101);
  assert.equal(await open(`?token=${ticket}`), 401, 'a ticket works once');
  const keyOf = async (api: typeof ada.api, scope: Scope) => (await api.apiKeys.create({ name: 'live', scopes: [scope] })).api_key;
  const reader = await keyOf(ada.api, 'logs:read');
  assert.equal(await open(`?token=${reader}`), 101);
  assert.equal(await open(`?token=${await keyOf(ada.api, 'agents:read')}`), 403);
  assert.equal(await open(`?token=${await keyOf(eve.api, 'logs:read')}`), 404);
  const byKey = await apiOf(origin, reader).logs.ticket({ id: deployment.id });
  assert.equal(await open(`?token=${byKey.ticket}`, {}, 'dep_none'), 401);
  assert.equal(await open(`?token=${byKey.ticket}`), 101);
  assert.equal(await open(`?token=${byKey.ticket}`), 401);
});

test('unknown addresses, wrong methods, wrong types and broken bodies are told as problems without a stack', async (t) => {
  const { origin, ada } = await world(t);
  const auth = { authorization: `Bearer ${ada.token}` };
  const cases: [number, string, string, RequestInit][] = [
    [404, 'route_not_found', '/nothing', { headers: auth }],
    [405, 'method_not_allowed', '/projects', { method: 'DELETE', headers: auth }],
    [415, 'media_type_unsupported', '/projects', { method: 'POST', headers: { ...auth, 'content-type': 'text/plain' }, body: '{}' }],
    [400, 'json_invalid', '/projects', { method: 'POST', headers: { ...auth, 'content-type': 'application/json' }, body: '{"name":' }],
    [
      413,
      'body_too_large',
      '/projects',
      { method: 'POST', headers: { ...auth, 'content-type': 'application/json' }, body: JSON.stringify({ name: 'x'.repeat(2_000_000) }) },
    ],
    [
      422,
      'input_invalid',
      '/projects',
      { method: 'POST', headers: { ...auth, 'content-type': 'application/json' }, body: '{"name":"a","team_id":"team_x"}' },
    ],
    [422, 'input_invalid', '/projects?limit=1&limit=2', { headers: auth }],
    [
      415,
      'media_type_unsupported',
      '/deployments',
      { method: 'POST', headers: { ...auth, 'content-type': 'application/json' }, body: '{}' },
    ],
  ];
  for (const [status, code, path, init] of cases) {
    const answer = await fetch(`${origin}/api/v1${path}`, init);
    const text = await answer.text();
    assert.equal(answer.status, status, `${path}: ${text}`);
    assert.match(answer.headers.get('content-type') ?? '', /^application\/problem\+json/, path);
    assert.equal((JSON.parse(text) as { code: string }).code, code);
    assert.doesNotMatch(text, /node_modules|SELECT|at .*:\d+:\d+/i);
  }
});

test('the OpenAPI document lists every route of the contract and nothing else', async (t) => {
  const { origin } = await startApi(t);
  const document = (await (await fetch(`${origin}/api/v1/openapi.json`)).json()) as {
    openapi: string;
    paths: Record<string, Record<string, unknown>>;
  };
  assert.equal(document.openapi, '3.1.0');
  const listed = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  assert.deepEqual(listed.sort(), routes.map(({ route }) => `${route.method} ${route.path.replace(/:(\w+)/g, '{$1}')}`).sort());
});

test('every answer carries the security headers, and those of the API are never stored', async (t) => {
  const { origin } = await startApi(t);
  for (const path of ['/api/v1/auth/me', '/api/v1/nothing', '/docs']) {
    const { headers } = await fetch(origin + path);
    const policy = headers.get('content-security-policy') ?? '';
    assert.match(policy, /frame-ancestors 'none'/, path);
    if (path === '/docs') assert.match(policy, /^default-src 'none'; style-src 'self'; img-src 'self';/);
    else assert.match(policy, /default-src 'self'.*object-src 'none'/, path);
    assert.doesNotMatch(policy, /unsafe|script-src (?!'self')/, path);
    assert.equal(headers.get('x-content-type-options'), 'nosniff', path);
    if (path.startsWith('/api')) assert.equal(headers.get('cache-control'), 'no-store');
  }
});

test('an upload that is cut, too large or of the wrong field leaves no deployment and no file', async (t) => {
  const { origin, ada, project, dataDir, sql } = await world(t);
  const { readdirSync } = await import('node:fs');
  const before = readdirSync(`${dataDir}/blobs`).length;
  const form = new FormData();
  form.set('project_id', project.id);
  form.set('wrong', zip({ a: '1' }), 'a.zip');
  assert.equal(
    (await fetch(`${origin}/api/v1/deployments`, { method: 'POST', headers: { authorization: `Bearer ${ada.token}` }, body: form })).status,
    400,
  );
  const { connect } = await import('node:net');
  const { port } = new URL(origin);
  await new Promise<void>((resolve) => {
    const socket = connect(Number(port), '127.0.0.1', () => {
      socket.write(
        `POST /api/v1/deployments HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${ada.token}\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 100000\r\n\r\n--b\r\nContent-Disposition: form-data; name="code"; filename="a.zip"\r\n\r\nPK`,
      );
      setTimeout(() => (socket.destroy(), resolve()), 200);
    });
  });
  const tooLarge = await new Promise<string>((resolve) => {
    const socket = connect(Number(port), '127.0.0.1', () =>
      socket.write(
        `POST /api/v1/deployments HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${ada.token}\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 999999999\r\n\r\n`,
      ),
    );
    socket.once('data', (chunk) => (resolve(chunk.toString().split('\r\n')[0]!), socket.destroy()));
  });
  assert.match(tooLarge, /413/);
  for (let tries = 0; tries < 50 && readdirSync(`${dataDir}/blobs`).length !== before; tries++)
    await new Promise((resolve) => setTimeout(resolve, 50));
  assert.equal(readdirSync(`${dataDir}/blobs`).length, before);
  assert.equal((await sql`select 1 from deployments`).length, 1);
});
