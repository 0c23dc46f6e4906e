import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import type { RuntimeDriver } from '@paddock/runtime';
import { waitUntilReady } from './readiness.ts';

/** The readiness of an agent with this response. Its address is known, so the driver gets no other calls. */
async function judged(t: TestContext, answer: RequestListener, url: string) {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const driver = {
    direct: () => ({ host: '127.0.0.1', port }),
    listening: () => Promise.resolve([{ port, family: 4, loopback_only: false }]),
    find: () => Promise.resolve({ state: 'running' }),
  } as unknown as RuntimeDriver;
  const wanted = {
    instance_id: 'ins_1',
    expected: { kind: 'web' as const },
    mayEnd: false,
    cpus: 1,
    health: '/healthz',
    url,
    budgetSeconds: 0.5,
    onWait: () => undefined,
  };
  return (await waitUntilReady(driver, wanted, AbortSignal.timeout(10_000))).kind;
}

test('an app that answers its own host alone, and its scheme, is ready', async (t) => {
  const answer: RequestListener = ({ headers }, reply) => {
    const isOwn =
      headers.host === 'desk.example.com' && headers['x-forwarded-host'] === headers.host && headers['x-forwarded-proto'] === 'https';
    reply.writeHead(isOwn ? 200 : 400).end();
  };
  assert.equal(await judged(t, answer, 'https://desk.example.com'), 'web');
});

test('an app that leads its health path to https of the same host is ready, and not one that leads elsewhere', async (t) => {
  const to =
    (location: string): RequestListener =>
    (_, reply) =>
      void reply.writeHead(301, { location }).end();
  assert.equal(await judged(t, to('https://desk.localhost/healthz'), 'http://desk.localhost:4001'), 'web');
  assert.equal(await judged(t, to('https://other.example/healthz'), 'http://desk.localhost:4001'), 'timeout');
  assert.equal(await judged(t, to('/login'), 'http://desk.localhost:4001'), 'timeout');
});
