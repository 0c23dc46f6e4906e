import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { type Agent, echo, type Fixture, startAgent, startFixture, until } from '../../test/fixture.ts';
import { exchangeCopies } from './copies.ts';
import { deliverTo } from './to-worker.ts';

/** Reads copies, and says what it has read in the body of another message. */
const reader = `
  const { parentPort } = require('node:worker_threads');
  const text = (bytes) => Buffer.from(bytes).toString();
  parentPort.on('message', ({ number, copy }) => {
    const { request, answer } = copy;
    parentPort.postMessage({ said: { ...copy, request: [text(request.first), text(request.last), request.total], answer: [text(answer.first), text(answer.last), answer.total] } });
    parentPort.postMessage(number);
  });`;

const worker = new Worker(reader, { eval: true });
const said: { target: string; request: [string, string, number]; answer: [string, string, number]; status: number }[] = [];
worker.on('message', (message: { said?: (typeof said)[number] }) => message.said && said.push(message.said));
const copies = exchangeCopies({ maxFirst: 16, maxLast: 8, maxBytes: 8_000 }, deliverTo(worker));

let fixture: Fixture;
let agent: Agent;
before(async () => {
  fixture = await startFixture({ tapsOf: ({ label }) => (label === 'copied' ? [copies.tap] : []) });
  agent = await startAgent(echo());
  await fixture.route('copied', agent);
  await fixture.route('other', agent);
});
after(async () => {
  await worker.terminate();
  await fixture.close();
  await agent.close();
});

test('a worker gets the first and the last bytes of both bodies, of the routes that want it and of no other', async () => {
  const body = `begins here ${'x'.repeat(3_000)} and ends so`;
  await fixture.fetch('other', '/other', { method: 'POST', body });
  await fixture.fetch('copied', '/long', { method: 'POST', body });
  await fixture.fetch('copied', '/short', { method: 'POST', body: 'ab' });
  await until(() => said.length === 2, 'two copies were read');
  assert.deepEqual(
    said.map(({ target, request, status }) => [target, request, status]),
    [
      ['/long', ['begins here xxxx', 'd ends so'.slice(1), body.length], 200],
      ['/short', ['ab', '', 2], 200],
    ],
  );
  assert.ok(said[0]!.answer[2] > 3_000);
  assert.equal(copies.givenUp(), 0);
});

test('copies beyond the memory that is set are given up and counted, and the visitor notices nothing', async () => {
  const never = exchangeCopies({ maxFirst: 1_000, maxLast: 1_000, maxBytes: 6_000 }, () => new Promise(() => undefined));
  const tight = await startFixture({ database: fixture.database, tapsOf: () => [never.tap] });
  await tight.route('copied', agent);
  const asked = await Promise.all(Array.from({ length: 8 }, () => tight.fetch('copied', '/', { method: 'POST', body: 'y'.repeat(2_000) })));
  assert.ok(asked.every(({ status, json }) => status === 200 && (json().body as string).length === 2_000));
  await until(() => never.givenUp() >= 6, 'the others were given up');
  await tight.close();
});

test('a worker that dies costs copies, never a visitor', async () => {
  const dying = new Worker('throw new Error("on purpose")', { eval: true });
  const lost = exchangeCopies({ maxFirst: 16, maxLast: 16, maxBytes: 10_000 }, deliverTo(dying));
  const losing = await startFixture({ database: fixture.database, tapsOf: () => [lost.tap] });
  await losing.route('copied', agent);
  for (let i = 0; i < 50; i++) assert.equal((await losing.fetch('copied')).status, 200);
  await until(() => lost.givenUp() === 50, 'all copies were counted as given up');
  await losing.close();
});
