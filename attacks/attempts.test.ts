import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { visit } from '../apps/server/test/platform.ts';
import { attemptsOf } from './databases/arena.ts';

test('a list of attempts may take as long as it is: each attempt has its time', async (t) => {
  const eachMs = 200;
  const boundMs = 2_000;
  const count = 96;
  /** Answers in the format of the hostile agent, one result for each attempt. */
  const agent = createServer((request, response) => {
    const wanted = JSON.parse(new URL(request.url ?? '/', 'http://agent').searchParams.get('of') ?? '[]') as unknown[];
    void sleep(wanted.length * eachMs).then(() => response.end(JSON.stringify(wanted.map(String))));
  }).listen(0, '127.0.0.1');
  await once(agent, 'listening');
  t.after(() => agent.close());
  const { port } = agent.address() as AddressInfo;
  const paddock = {
    visit: (host: string, path?: string, headers: Record<string, string> = {}) => visit(port, host, path ?? '/', headers, boundMs),
  };
  const targets = Array.from({ length: count }, (_, n) => [`target-${n}`]);
  assert.ok((count / 8) * eachMs > boundMs, 'the list takes longer than one attempt may');
  const got = await attemptsOf(paddock, { host: 'agent.localhost' })('dial', targets);
  assert.deepEqual(got, targets.flat());
});
