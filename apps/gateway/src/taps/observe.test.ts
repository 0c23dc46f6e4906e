import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { type Fixture, startAgent, startFixture, startRawAgent, until } from '../../test/fixture.ts';
import type { Tap } from './tap.ts';

/** The tap's calls, in order; bodies as text, with the pieces of one body joined. */
let told: [string, string][] = [];
const note = (what: string, text: string) => {
  const last = told.at(-1);
  if (last?.[0] === what && what.endsWith('body')) last[1] += text;
  else told.push([what, text]);
};
const observing: Tap = {
  watch: (exchange) => {
    note('begins', `${exchange.method} ${exchange.target} ${exchange.requestHeader('content-type') ?? '-'}`);
    return {
      requestBody: (bytes, from, to) => note('request body', bytes.toString('latin1', from, to)),
      answerHead: ({ status, answerHeader }) => note('answer', `${status} ${answerHeader.call(exchange, 'content-type') ?? '-'}`),
      answerBody: (bytes, from, to) => note('answer body', bytes.toString('latin1', from, to)),
      ended: ({ status, bytesIn, bytesOut, isUpstreamError }) => note('ends', `${status} ${bytesIn} ${bytesOut} ${isUpstreamError}`),
    };
  },
};
let fixture: Fixture;
before(async () => {
  fixture = await startFixture({
    limits: { answerIdleMs: 400, halfClosedMs: 400 },
    tapsOf: ({ label }) => (label === 'plain' ? [] : [observing]),
  });
});
after(() => fixture.close());
const ended = () => until(() => told.some(([what]) => what === 'ends'), 'the exchange was told to its end');

test('a tap sees both bodies whole and in order, without their framing', async () => {
  told = [];
  const agent = await startAgent((req, res) => {
    res.setHeader('content-type', 'text/plain');
    req.pipe(res);
  });
  await fixture.route('seen', agent);
  const chunks = '3;a=b\r\none\r\n4\r\n two\r\n0\r\nT: v\r\n\r\n';
  const head =
    'POST /p?q HTTP/1.1\r\nHost: seen.localhost\r\nContent-Type: text/x\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n';
  await fixture.raw(head + chunks);
  await ended();
  assert.deepEqual(told, [
    ['begins', 'POST /p?q text/x'],
    ['request body', 'one two'],
    ['answer', '200 text/plain'],
    ['answer body', 'one two'],
    ['ends', '200 7 7 false'],
  ]);
  await agent.close();
});

test('a tap sees an encoded answer as the agent sent it', async () => {
  told = [];
  const body = gzipSync('a'.repeat(5_000));
  const agent = await startAgent((_req, res) => res.writeHead(200, { 'content-encoding': 'gzip' }).end(body));
  await fixture.route('gzip', agent);
  await fixture.fetch('gzip');
  await ended();
  const seen = told.find(([what]) => what === 'answer body')![1];
  assert.equal(String(gunzipSync(Buffer.from(seen, 'latin1'))), 'a'.repeat(5_000));
  await agent.close();
});

test('of a stream that the visitor leaves, a tap sees what passed and one end', async () => {
  told = [];
  const agent = await startAgent((_req, res) => {
    res.writeHead(200, { 'content-type': 'text/event-stream' });
    const timer = setInterval(() => res.write('data: x\n\n'), 5);
    res.on('close', () => clearInterval(timer));
  });
  await fixture.route('stream', agent);
  const socket = connect(fixture.gateway.port, '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\nHost: stream.localhost\r\n\r\n'));
  await new Promise((resolve) => socket.once('data', resolve));
  socket.destroy();
  await ended();
  assert.deepEqual(
    told.map(([what]) => what),
    ['begins', 'answer', 'answer body', 'ends'],
  );
  assert.match(told.at(-1)![1], /^200 0 \d+ false$/);
  await agent.close();
});

test('an answer that breaks off is told once, as the agent’s fault', async () => {
  told = [];
  const agent = await startRawAgent((socket) => socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc')));
  await fixture.route('short', agent);
  await fixture.raw('GET / HTTP/1.1\r\nHost: short.localhost\r\n\r\n');
  await ended();
  assert.deepEqual(told.slice(1), [
    ['answer', '200 -'],
    ['answer body', 'abc'],
    ['ends', '200 0 3 true'],
  ]);
  await agent.close();
});

test('an agent that does not listen is told as one exchange with the status that the visitor gets', async () => {
  told = [];
  const agent = await startAgent(() => undefined);
  await fixture.route('away', agent);
  await agent.close();
  assert.equal((await fixture.fetch('away')).status, 502);
  await ended();
  assert.deepEqual(told, [
    ['begins', 'GET / -'],
    ['ends', '502 0 0 true'],
  ]);
});

test('a visitor who leaves before the answer is told once, with 499', async () => {
  told = [];
  const agent = await startRawAgent(() => undefined);
  await fixture.route('slow', agent);
  const socket = connect(fixture.gateway.port, '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\nHost: slow.localhost\r\n\r\n'));
  await until(() => told.length > 0, 'the exchange has begun');
  socket.destroy();
  await ended();
  assert.deepEqual(told.at(-1), ['ends', '499 0 0 false']);
  await agent.close();
});

test('exchanges of one connection are told one after the other', async () => {
  told = [];
  const agent = await startAgent((req, res) => res.end(req.url));
  await fixture.route('pipe', agent);
  const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: pipe.localhost\r\n${more}\r\n`;
  await fixture.raw(get('/1') + get('/2') + get('/3', 'Connection: close\r\n'));
  await until(() => told.filter(([what]) => what === 'ends').length === 3, 'all three ended');
  assert.deepEqual(
    told.filter(([what]) => what !== 'answer').map(([, text]) => text),
    ['GET /1 -', '/1', '200 0 2 false', 'GET /2 -', '/2', '200 0 2 false', 'GET /3 -', '/3', '200 0 2 false'],
  );
  await agent.close();
});

test('a tap that throws costs no visitor anything', async () => {
  const agent = await startAgent((req, res) => req.pipe(res));
  const fail = () => assert.fail('on purpose');
  const failing: Tap[] = [
    { watch: fail, passed: fail, ended: fail },
    { watch: () => ({ requestBody: fail, answerHead: fail, answerBody: fail, ended: fail }) },
  ];
  const broken = await startFixture({ database: fixture.database, tapsOf: () => failing });
  await broken.route('seen', agent);
  for (let i = 0; i < 3; i++) assert.equal((await broken.fetch('seen', '/', { method: 'POST', body: 'whole' })).body, 'whole');
  await broken.close();
  await agent.close();
});

test('a fault of the gateway’s own is said to the visitor, and the next connection is served', async () => {
  const agent = await startAgent((_req, res) => res.end('fine'));
  let isBroken = true;
  const hold = () => (isBroken ? assert.fail('on purpose') : undefined);
  const broken = await startFixture({ database: fixture.database, tapsOf: () => [{ hold }] });
  await broken.route('seen', agent);
  const answer = await broken.fetch('seen');
  assert.deepEqual([answer.status, answer.json().code], [500, 'internal']);
  isBroken = false;
  assert.equal((await broken.fetch('seen')).body, 'fine');
  await broken.close();
  await agent.close();
});
