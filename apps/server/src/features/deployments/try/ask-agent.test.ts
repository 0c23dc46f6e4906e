import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type TestContext, test } from 'node:test';
import type { TryEvent } from '@paddock/contract';
import { askAgent } from './ask-agent.ts';
import { resolveGateway } from './gateway.ts';
import { tryQuota } from './try-quota.ts';

/** More than any kernel buffers for a connection. */
const tooMuch = 256 * 1024 ** 2;

async function toServer(t: TestContext, server: Server) {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.closeAllConnections());
  t.after(() => void server.close());
  const { port } = server.address() as { port: number };
  return { gateway: { host: '127.0.0.1', port, isTls: false }, method: 'GET', path: '/', headers: ['host', 'x'], body: '' };
}

test('an answer that never ends is cut when its time is over, and what came of it is kept', async (t) => {
  const asked = await toServer(
    t,
    createServer((_, response) => void response.write('drip')),
  );
  const limits = { totalMs: 300, answerBytes: 1000 };
  const events: TryEvent[] = [];
  for await (const event of await askAgent(asked, { signal: new AbortController().signal, limits })) events.push(event);
  const [head, chunk, last] = events;
  assert.equal(events.length, 3);
  assert.equal(head?.head?.status, 200);
  assert.equal(chunk?.chunk, btoa('drip'));
  assert.deepEqual([last?.end?.outcome, last?.end?.detail], ['timed_out', 'The answer was not over after 0.3 s and was cut here.']);
});

test('who takes an answer slowly holds the agent back', async (t) => {
  let written = 0;
  const server = createServer((_, response) => {
    const flood = () => {
      do written += 64 * 1024;
      while (!response.destroyed && response.write(Buffer.alloc(64 * 1024)));
    };
    response.on('drain', flood);
    flood();
  });
  const asked = await toServer(t, server);
  const limits = { totalMs: 60_000, answerBytes: tooMuch * 2 };
  const events = await askAgent(asked, { signal: new AbortController().signal, limits });
  await events.next();
  await events.next();
  // The agent can write no more than the kernel buffers.
  for (let before = -1, same = 0; same < 10 && written < tooMuch; before = written) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    same = written === before ? same + 1 : 0;
  }
  assert.ok(written < tooMuch);
  await events.return(undefined);
});

test('a server asks its own gateway, and one that starts none asks at the address of the agents', () => {
  const url = 'https://chat-1.agents.example.net/';
  const at = (host: string, asksAtAgentUrl = false) => resolveGateway({ host, gatewayPort: 4001, asksAtAgentUrl }, url);
  assert.deepEqual(at('127.0.0.1'), { host: '127.0.0.1', port: 4001, isTls: false });
  assert.deepEqual(at('0.0.0.0'), { host: '127.0.0.1', port: 4001, isTls: false });
  assert.deepEqual(at('::'), { host: '127.0.0.1', port: 4001, isTls: false });
  assert.deepEqual(at('192.0.2.7'), { host: '192.0.2.7', port: 4001, isTls: false });
  assert.deepEqual(at('127.0.0.1', true), { host: 'chat-1.agents.example.net', port: 443, isTls: true });
  const own = resolveGateway({ host: '::', gatewayPort: 4001, asksAtAgentUrl: true }, 'http://chat-1.agents.example.net:8080');
  assert.deepEqual(own, { host: 'chat-1.agents.example.net', port: 8080, isTls: false });
});

test('the requests of all teams together have a bound, too, and each that ends makes room', () => {
  const enter = tryQuota({ perTeam: 2, atOnce: 3 });
  const under: AbortController[] = [];
  const begin = (team: string) => {
    const call = new AbortController();
    enter(team, call.signal);
    under.push(call);
  };
  for (const team of ['one', 'one', 'two']) begin(team);
  assert.throws(() => begin('one'), /2 requests of your team/);
  assert.throws(() => begin('three'), /This server/);
  under.shift()!.abort();
  begin('three');
  assert.throws(() => begin('one'), /This server/);
});
