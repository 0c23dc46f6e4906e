import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startFixture } from '../apps/gateway/test/fixture.ts';
import { startApi } from '../apps/server/test/server.ts';
import { recordingAgent } from './http/recording-agent.ts';
import { notHeld, tableText } from './http/table.ts';
import { tryAnswers } from './http/try-answers.ts';
import { tryRequests } from './http/try-requests.ts';
import { tryUnreadBodies } from './http/try-unread-bodies.ts';

test('a request that two servers could read differently is refused by the gateway, and the agent behind never sees it', async (t) => {
  const [fixture, agent] = [await startFixture(), await recordingAgent()];
  t.after(async () => {
    await fixture.close();
    await agent.close();
  });
  await fixture.route('a', agent);
  const rows = await tryRequests({ port: fixture.gateway.port, host: 'a.localhost', path: '/x' }, agent);
  console.log(tableText('Requests to the gateway (E 65, 66, 69)', rows));
  assert.deepEqual(notHeld(rows), []);
});

test('a request that two servers could read differently is refused by the API', async (t) => {
  const api = await startApi(t);
  const rows = await tryRequests({ port: Number(new URL(api.origin).port), host: 'localhost', path: '/api/v1/auth/login' });
  console.log(tableText('Requests to the API (E 65, 66, 69)', rows));
  assert.deepEqual(notHeld(rows), []);
});

test("an agent's hostile answer reaches its visitor whole and once, or as an error, and never another visitor", async (t) => {
  const fixture = await startFixture({ limits: { lingerMs: 200 } });
  t.after(() => fixture.close());
  const rows = await tryAnswers(fixture);
  console.log(tableText('Answers of agents (E 70, 71, R40)', rows));
  assert.deepEqual(notHeld(rows), []);
});

test('a body that an agent does not read answers no other visitor and takes nothing of theirs', async (t) => {
  const fixture = await startFixture();
  t.after(() => fixture.close());
  const rows = await tryUnreadBodies(fixture);
  console.log(tableText('Bodies that agents do not read (E 65)', rows));
  assert.deepEqual(notHeld(rows), []);
});
