import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Contract, contract, type Route } from '@paddock/contract';
import * as z from 'zod';
import { callerOf } from '../../test/exchange.ts';
import { startApi } from '../../test/server.ts';

const changing = Object.entries(contract as Contract).flatMap(([feature, group]) =>
  Object.entries(group)
    .filter(([, { method }]) => method !== 'GET')
    .map(([name, route]) => ({ name: `${feature}.${name}`, route })),
);
/** Headers of requests without body bytes. */
const empty: Record<string, Record<string, string>> = {
  'no type': {},
  'no type, length 0': { 'content-length': '0' },
  JSON: { 'content-type': 'application/json' },
  'JSON of a charset': { 'content-type': 'application/json; charset=utf-8' },
  'JSON, length 0': { 'content-type': 'application/json', 'content-length': '0' },
  'JSON, in no chunks': { 'content-type': 'application/json', 'transfer-encoding': 'chunked' },
  'JSON of a charset, in no chunks': { 'content-type': 'Application/JSON;charset=UTF-8', 'transfer-encoding': 'chunked' },
};

/** The required fields of the body: those that are reported missing for an empty input. */
function missingFields(route: Route): string[] {
  const inPath = new Set([...route.path.matchAll(/:(\w+)/g)].map(([, name]) => name));
  const { error } = z.safeParse(route.input, {});
  return (error?.issues ?? []).map(({ path }) => path.join('.')).filter((name) => !inPath.has(name));
}

test('a call without a body is the same however its emptiness is put: done where nothing is needed, else told what is missing', async (t) => {
  const { origin, person, sql } = await startApi(t);
  const call = callerOf(t, origin);
  const signedIn = await person();
  const faults: string[] = [];
  for (const { name, route } of changing) {
    if (route.file) continue; // its body is a multipart form
    const path = `/api/v1${route.path.replace(':provider', 'github').replace(/:(\w+)/g, (_, key: string) => `${idStart(route.path, key)}_none`)}`;
    const missing = route.method === 'DELETE' ? [] : missingFields(route);
    for (const [how, headers] of Object.entries(empty)) {
      await sql`delete from rate_limits`;
      const token = name === 'accounts.logout' ? (await person()).token : signedIn.token;
      const { status, body } = await call(route.method, path, { ...headers, authorization: `Bearer ${token}` });
      const told = `${name} with ${how}: ${status} ${body.toString().slice(0, 200)}`;
      if (status >= 500 || status === 400 || status === 415) faults.push(told);
      if (missing.length === 0) continue;
      const { errors = [] } = JSON.parse(body.toString()) as { errors?: { path: string }[] };
      if (status !== 422 || missing.some((field) => !errors.some((one) => one.path === field))) faults.push(told);
    }
  }
  assert.deepEqual(faults, []);
});

function idStart(path: string, key: string): string {
  if (key === 'project_id') return 'prj';
  if (key === 'backup_id') return 'bak';
  const starts: Record<string, string> = {
    projects: 'prj',
    deployments: 'dep',
    databases: 'db',
    'api-keys': 'key',
    auth: 'ses',
    metrics: 'alr',
  };
  return starts[path.split('/')[1]!] ?? 'x';
}

test('a body that is there still has to be what it says', async (t) => {
  const { origin, person } = await startApi(t);
  const call = callerOf(t, origin);
  const authorization = `Bearer ${(await person()).token}`;
  const asked = async (type: string | undefined, body: string) => {
    const { status, body: text } = await call(
      'POST',
      '/api/v1/projects',
      { authorization, ...(type ? { 'content-type': type } : {}) },
      body,
    );
    return [status, (JSON.parse(text.toString()) as { code?: string }).code];
  };
  assert.deepEqual(await asked('application/json', '{"name":'), [400, 'json_invalid']);
  assert.deepEqual(await asked('application/json', ' '), [400, 'json_invalid']);
  assert.deepEqual(await asked('application/json', '{"__proto__":{"name":"x"}}'), [400, 'json_invalid']);
  assert.deepEqual(await asked('application/json; charset=utf-8', '{"name":"first"}'), [201, undefined]);
  assert.deepEqual(await asked(undefined, '{"name":"second"}'), [415, 'media_type_unsupported']);
  assert.deepEqual(await asked('text/plain', '{"name":"second"}'), [415, 'media_type_unsupported']);
  assert.deepEqual(await asked('text/plain', ''), [415, 'media_type_unsupported']);
});

test('a wrong field and an unknown one are told in sentences for people, under their names', async (t) => {
  const { origin, person } = await startApi(t);
  const { token } = await person();
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const refusal = async (path: string, sent: RequestInit = {}) => {
    const answer = await fetch(`${origin}/api/v1${path}`, { headers, ...sent });
    const { code, detail, errors } = (await answer.json()) as Record<string, unknown>;
    assert.deepEqual([answer.status, code], [422, 'input_invalid'], path);
    return { detail, errors };
  };
  assert.deepEqual(await refusal('/projects?limit=0'), {
    detail: 'limit must be at least 1',
    errors: [{ path: 'limit', message: 'limit must be at least 1' }],
  });
  assert.deepEqual(await refusal('/projects', { method: 'POST', body: '{"colour":"red"}' }), {
    detail: 'name is required; colour is not a known field',
    errors: [
      { path: 'name', message: 'name is required' },
      { path: 'colour', message: 'colour is not a known field' },
    ],
  });
});
