import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Contract, contract, type Problem, type Route, type Scope, scopes } from '@paddock/contract';
import { startApi } from '../../test/server.ts';

const every = Object.keys(scopes) as Scope[];
const routes = Object.entries(contract as Contract).flatMap(([feature, group]) =>
  Object.entries(group).map(([name, route]) => ({ name: `${feature}.${name}`, route })),
);

/** Access is checked first, so a call without fields and with unknown ids shows the result and changes nothing. */
async function attempt(origin: string, route: Route, token?: string): Promise<{ status: number; code: string; detail: string }> {
  const answer = await fetch(`${origin}/api/v1${route.path.replace(/:\w+/g, 'none')}`, {
    method: route.method,
    headers: {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(route.method === 'POST' || route.method === 'PUT' ? { 'content-type': 'application/json' } : {}),
    },
    ...(route.method === 'POST' || route.method === 'PUT' ? { body: '{}' } : {}),
  });
  const text = await answer.text();
  const { code = '', detail = '' } = (answer.ok ? {} : JSON.parse(text)) as Partial<Problem>;
  return { status: answer.status, code, detail };
}

test('each call takes exactly the keys whose scope it names, says which one a key lacks, and keeps sessions to sessions', async (t) => {
  const { origin, person, sql } = await startApi(t);
  const { api } = await person();
  await api.projects.create({ name: 'something' }); // so that a wait for changes does not wait
  const keyFor = async (chosen: Scope[]) => (await api.apiKeys.create({ name: 'matrix', scopes: chosen })).api_key;
  const only = new Map<Scope, string>();
  const without = new Map<Scope, string>();
  for (const scope of every) {
    only.set(scope, await keyFor([scope]));
    without.set(scope, await keyFor(every.filter((other) => other !== scope)));
  }
  const all = await keyFor(every);
  await sql`update api_keys set rate_limit = 100000`;

  let judged = 0;
  for (const { name, route } of routes) {
    const { access } = route;
    if (access === 'public') {
      const [open, keyed] = [await attempt(origin, route), await attempt(origin, route, all)];
      assert.notEqual(open.code, 'not_signed_in', name);
      assert.deepEqual([keyed.status, keyed.code], [open.status, open.code], `${name}: a key changes nothing`);
      continue;
    }
    for (const [scope, key] of only) {
      judged += 1;
      const { status, code, detail } = await attempt(origin, route, key);
      const what = `${name} with ${scope}: ${status} ${code}`;
      if (access === 'session') assert.deepEqual([status, code], [403, 'session_needed'], what);
      else if (access !== 'any' && access !== scope) {
        assert.deepEqual([status, code], [403, 'scope_missing'], what);
        assert.ok(detail.includes(access), what);
      } else assert.ok(![401, 429].includes(status) && status < 500 && code !== 'scope_missing', what);
      if (access === scope) assert.notEqual(status, 403, what);
    }
    if (access === 'session') assert.equal((await attempt(origin, route, all)).code, 'session_needed', name);
    if (access === 'session' || access === 'any') continue;
    const lacking = await attempt(origin, route, without.get(access));
    assert.deepEqual([lacking.status, lacking.code], [403, 'scope_missing'], `${name} with all others`);
    assert.ok(lacking.detail.includes(access), name);
    assert.notEqual((await attempt(origin, route, all)).status, 403, name);
  }
  assert.ok(judged >= 200, `only ${judged} cells were judged`);
});

test('every scope that a call names exists, and each operation of the OpenAPI document tells who may make it', async (t) => {
  const { origin } = await startApi(t);
  type Operation = {
    'x-paddock-scope'?: string;
    description: string;
    security?: unknown[];
    responses: Record<string, { description: string }>;
  };
  const { paths } = (await (await fetch(`${origin}/api/v1/openapi.json`)).json()) as { paths: Record<string, Record<string, Operation>> };
  for (const { name, route } of routes) {
    const { access } = route;
    assert.ok(access in scopes || ['public', 'session', 'any'].includes(access), `${name}: ${access}`);
    const operation = paths[route.path.replace(/:(\w+)/g, '{$1}')]?.[route.method.toLowerCase()];
    assert.ok(operation, name);
    assert.equal(operation['x-paddock-scope'], access in scopes ? access : undefined, name);
    assert.equal(operation.security?.length === 0, access === 'public', name);
    const told = [operation.responses[401], operation.responses[403], operation.responses[429]].map((answer) => answer?.description);
    for (const code of ['not_signed_in', 'session_needed', 'scope_missing', 'too_many_requests'])
      if (told.join(' ').includes(`\`${code}\``)) assert.notEqual(access, 'public', `${name}: ${code}`);
      else assert.ok(!refusalsOf(access).includes(code), `${name}: ${code}`);
    if (access in scopes) assert.match(operation.description, new RegExp(`\`${access}\``), name);
  }
  const page = await fetch(`${origin}/docs/scopes`);
  assert.equal(page.status, 200);
  assert.match(await page.text(), /<code>agents:deploy<\/code>/);
});

function refusalsOf(access: Route['access']): string[] {
  if (access === 'public') return [];
  const ofTokens = ['not_signed_in', 'too_many_requests'];
  if (access === 'any') return ofTokens;
  return [...ofTokens, access === 'session' ? 'session_needed' : 'scope_missing'];
}
