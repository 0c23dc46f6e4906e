import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { METHODS } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { type Contract, contract } from '@paddock/contract';
import { WebSocket } from 'ws';
import { callerOf, rawExchange } from '../../test/exchange.ts';
import { startApi } from '../../test/server.ts';
import { createLog } from '../log.ts';

/** A console of two files. */
async function smallConsole(t: { after: (clean: () => Promise<void>) => void }): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'paddock-console-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, 'index.html'), '<!doctype html><html><head></head></html>');
  await writeFile(join(folder, 'favicon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  return folder;
}
const routes = Object.values(contract as Contract).flatMap((group) => Object.values(group));

/** All paths that accept calls, each with its methods. */
function addresses(): Map<string, string[]> {
  const all = new Map<string, string[]>();
  for (const { method, path } of routes) {
    const address = `/api/v1${path.replace(/:\w+/g, 'x1')}`;
    all.set(address, [...(all.get(address) ?? []), method]);
  }
  for (const path of [
    '/',
    '/projects',
    '/login',
    '/docs',
    '/docs/cli',
    '/docs/guides',
    '/docs/security',
    '/docs/errors',
    '/docs/guide.css',
    '/docs/reference/deployments',
    '/docs/reference/schemas',
    '/healthz',
    '/favicon.svg',
    '/api/v1/openapi.json',
    '/projects/',
    '/?q=1',
  ])
    all.set(path, ['GET']);
  return all;
}
const nowhere = [
  '/api',
  '/api/v1',
  '/api/v2/projects',
  '/api/v1/nothing',
  '/api/v1/projects/x1/nothing',
  '/ws',
  '/ws/logs/x1',
  '/-/metrics',
  '/-/nothing',
  '/assets/none.js',
];

function listening() {
  const lines: { level: number }[] = [];
  const to = new Writable({
    write(chunk: Buffer, _, done) {
      for (const line of chunk.toString().split('\n').filter(Boolean)) lines.push(JSON.parse(line) as { level: number });
      done();
    },
  });
  return { lines, log: createLog('info', to) };
}

test('each address answers every method that it does not take with 405 and Allow, and each other address is 404 by every method', async (t) => {
  const { lines, log } = listening();
  const { origin } = await startApi(t, { log, consoleDir: await smallConsole(t) });
  const call = callerOf(t, origin);
  const faults: string[] = [];
  const tryOne = async (path: string, method: string, allowed: string[] | undefined) => {
    const { status, headers, body } = await call(method, path);
    const code = method === 'HEAD' ? undefined : (JSON.parse(body.toString()) as { code: string; request_id: string }).code;
    const told = `${method} ${path}: ${status} ${code} ${headers.allow ?? ''}`;
    if (!headers['x-request-id']) faults.push(`${told} without a request id`);
    if (allowed === undefined) {
      if (status !== 404 || (method !== 'HEAD' && code !== 'route_not_found')) faults.push(told);
    } else if (status !== 405 || (method !== 'HEAD' && code !== 'method_not_allowed') || headers.allow !== allowed.join(', '))
      faults.push(told);
  };
  const methods = METHODS.filter((method) => method !== 'CONNECT');
  for (const [path, listed] of addresses()) {
    const allowed = [...new Set([...listed, ...(listed.includes('GET') ? ['HEAD'] : [])])].sort();
    await Promise.all(methods.filter((method) => !allowed.includes(method)).map((method) => tryOne(path, method, allowed)));
  }
  for (const path of nowhere) await Promise.all(methods.map((method) => tryOne(path, method, undefined)));
  assert.deepEqual(faults, []);
  assert.deepEqual(
    lines.filter(({ level }) => level >= 50),
    [],
    'and nothing of it is an error of the server',
  );
});

test('methods that HTTP knows and servers do not, and those that nobody knows, are refused with a request id', async (t) => {
  const { origin } = await startApi(t);
  const refused: [string, number][] = [
    ['BREW / HTTP/1.1\r\nHost: x\r\n\r\n', 400],
    ['get / HTTP/1.1\r\nHost: x\r\n\r\n', 400],
    ['CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n', 405],
    ['OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 405],
    ['TRACE / HTTP/1.1\r\nHost: x\r\n\r\n', 405],
    ['QUERY / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 405],
  ];
  for (const [bytes, status] of refused) {
    const answer = await rawExchange(origin, bytes);
    assert.match(answer, new RegExp(`^HTTP/1\\.1 ${status} `), bytes);
    assert.match(answer, /^x-request-id: (req_[\w-]+)\r$[^]*"request_id":"\1"/im, bytes);
    if (status === 405) assert.match(answer, /^allow: .*GET/im, bytes);
  }
});

test('an answer of 401 says how to sign in, and whether it was the token that was sent', async (t) => {
  const { origin } = await startApi(t);
  const told = async (path: string, headers: Record<string, string> = {}, init: RequestInit = {}) => {
    const answer = await fetch(`${origin}/api/v1${path}`, { headers, ...init });
    assert.equal(answer.status, 401, path);
    return answer.headers.get('www-authenticate');
  };
  const json = { 'content-type': 'application/json' };
  for (const { method, path, access } of routes) {
    if (access === 'public') continue;
    const address = path.replace(/:\w+/g, 'x1');
    assert.equal(await told(address, {}, { method }), 'Bearer realm="Paddock"', address);
    for (const token of ['Bearer nonsense', 'Basic YTpi', 'Bearer pk_live_nonsense'])
      assert.equal(await told(address, { authorization: token }, { method }), 'Bearer realm="Paddock", error="invalid_token"', address);
  }
  const login = { method: 'POST', body: JSON.stringify({ email: 'ada@example.com', password: 'wrong' }) };
  assert.equal(await told('/auth/login', json, login), 'Bearer realm="Paddock"');
});

test('a WebSocket that is refused is told why, with a request id that the log has, too', async (t) => {
  const { lines, log } = listening();
  const { origin, person } = await startApi(t, { log });
  const { token } = await person();
  const refusals: [string, number, Record<string, string>?][] = [
    ['/ws/logs/dep_none', 401],
    ['/ws/logs/dep_none?token=nonsense', 401],
    [`/ws/logs/dep_none?token=${token}`, 404],
    [`/ws/logs/dep_none?token=${token}&after=x`, 422],
    [`/ws/logs/dep_none?token=${token}`, 403, { origin: 'https://other.example' }],
    ['/ws/nothing', 404],
  ];
  for (const [path, status, headers = {}] of refusals) {
    const told = await new Promise<{ status?: number; id?: string; challenge?: string; body: string }>((resolve, reject) => {
      const socket = new WebSocket(`${origin.replace('http', 'ws')}${path}`, { headers });
      socket.on('error', reject);
      socket.on('unexpected-response', (_, answer) => {
        let body = '';
        answer.on('data', (chunk: Buffer) => (body += chunk.toString()));
        const { 'x-request-id': id, 'www-authenticate': challenge } = answer.headers as Record<string, string>;
        answer.on('end', () => resolve({ status: answer.statusCode!, id: id!, challenge: challenge!, body }));
      });
    });
    assert.equal(told.status, status, path);
    assert.match(told.id ?? '', /^req_[\w-]{20,}$/, path);
    assert.equal((JSON.parse(told.body) as { request_id: string }).request_id, told.id, path);
    assert.equal(told.challenge !== undefined, status === 401, path);
    const line = lines.find((each) => Object(each).request_id === told.id);
    assert.deepEqual([Object(line).status, JSON.stringify(line).includes(token)], [status, false], path);
  }
});
