import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, before, test } from 'node:test';
import { type Agent, echo, type Fixture, startAgent, startFixture } from '../../test/fixture.ts';
import type { Hold, TailHold, WholeHold } from './tap.ts';

const redacted = (body: Buffer) => Buffer.from(body.toString('latin1').replaceAll('secret', '[gone]!'), 'latin1');
const whole = (more: Partial<WholeHold> = {}): WholeHold => ({
  kind: 'whole',
  maxBytes: 1_000,
  tooLarge: () => 'refuse',
  decide: async (body) => (body.includes('forbidden') ? { refuse: true } : { body: redacted(body) }),
  ...more,
});
/** Redacts a word even if it arrives in two pieces: a possible beginning of it is held back. */
const tail: TailHold = {
  kind: 'tail',
  maxTail: 16,
  change: async (bytes, isLast) => {
    const keep = isLast ? 0 : Math.min(bytes.length, 5);
    const out = redacted(bytes);
    const end = bytes.subarray(bytes.length - keep).toString('latin1');
    const isCut =
      !isLast &&
      redacted(bytes)
        .subarray(out.length - keep)
        .toString('latin1') !== end;
    return isCut ? { out, keep: 0 } : { out: out.subarray(0, out.length - keep), keep };
  },
};

let fixture: Fixture;
let agent: Agent;
let hold: Hold = {};
before(async () => {
  fixture = await startFixture({ limits: { holdMs: 300 }, tapsOf: () => [{ hold: () => hold }] });
  agent = await startAgent(echo());
  await fixture.route('held', agent);
});
after(async () => {
  await fixture.close();
  await agent.close();
});

const post = (body: string, headers: Record<string, string> = {}) => fixture.fetch('held', '/', { method: 'POST', body, headers });

test('a request that is held reaches the agent as the tap changed it, with its new length', async () => {
  hold = { request: whole() };
  for (const headers of [{}, { 'transfer-encoding': 'chunked' }, { 'content-md5': 'x', digest: 'y', expect: '100-continue' }]) {
    const seen = (await post('a secret in it', headers)).json() as { body: string; headers: Record<string, string> };
    assert.equal(seen.body, 'a [gone]! in it');
    assert.equal(seen.headers['content-length'], '15');
    assert.equal(seen.headers['transfer-encoding'], undefined);
    assert.equal(seen.headers['content-md5'], undefined);
  }
});

test('a request that the tap refuses reaches no agent, and the connection serves the next', async () => {
  hold = { request: whole() };
  const bad = 'POST / HTTP/1.1\r\nHost: held.localhost\r\nContent-Length: 9\r\n\r\nforbidden';
  const good = 'POST / HTTP/1.1\r\nHost: held.localhost\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok';
  const answer = await fixture.raw(bad + good);
  assert.match(answer, /^HTTP\/1\.1 403 [^]*blocked_by_policy[^]*HTTP\/1\.1 200 OK/);
});

test('a request larger than may be held is refused, or passes untouched, as the policy wants it', async () => {
  const long = `secret${'x'.repeat(70_000)}`;
  hold = { request: whole() };
  assert.equal((await post(long)).status, 403);
  hold = { request: whole({ tooLarge: () => 'pass' }) };
  for (const headers of [{}, { 'transfer-encoding': 'chunked' }]) assert.equal((await post(long, headers)).json().body, long);
});

test('a decision that fails or never comes refuses the request', async () => {
  hold = { request: whole({ decide: () => Promise.reject(new Error('no worker')) }) };
  assert.equal((await post('x')).json().code, 'policy_failed');
  hold = { request: whole({ decide: () => new Promise(() => undefined) }) };
  assert.equal((await post('x')).json().code, 'policy_failed');
  hold = { request: whole({ decide: () => assert.fail('thrown at once') }) };
  assert.equal((await post('x')).json().code, 'policy_failed');
});

test('a request changed while it passes arrives whole, and a word in two pieces is found', async () => {
  hold = { request: tail };
  const answered = new Promise<string>((resolve, reject) => {
    const req = request({ port: fixture.gateway.port, method: 'POST', headers: { host: 'held.localhost' } }, (res) => {
      let text = '';
      res.on('data', (piece: Buffer) => (text += String(piece)));
      res.on('end', () => resolve(text));
    });
    req.on('error', reject);
    req.write('one sec');
    setTimeout(() => req.end('ret two'), 30);
  });
  assert.equal((JSON.parse(await answered) as { body: string }).body, 'one [gone]! two');
});

test('an answer that is held reaches the visitor as the tap changed it; the agent is asked for no encoding and no part', async () => {
  hold = { answer: () => whole() };
  for (const chunked of [false, true]) {
    const talking = await startAgent((req, res) => {
      res.setHeader('etag', '"1"');
      if (!chunked) res.setHeader('content-length', 30 + String(req.headers['accept-encoding']).length + String(req.headers.range).length);
      res.write('a secret answer, '.padEnd(28, '.'));
      res.end(`${req.headers['accept-encoding']} ${req.headers.range} `);
    });
    await fixture.route('talking', talking);
    const answer = await fixture.fetch('talking', '/', { headers: { 'accept-encoding': 'gzip', range: 'bytes=0-3' } });
    assert.equal(answer.status, 200);
    assert.match(answer.body, /^a \[gone\]! answer, \.+undefined undefined $/);
    assert.equal(Number(answer.headers['content-length']), answer.body.length);
    assert.equal(answer.headers.etag, undefined);
    await talking.close();
  }
});

test('an answer that the tap refuses is not seen by the visitor', async () => {
  hold = { answer: () => whole() };
  const answer = await post('forbidden');
  assert.deepEqual([answer.status, answer.json().code], [403, 'blocked_by_policy']);
  hold = { answer: () => whole({ tooLarge: () => 'pass' }) };
  const long = `secret${'x'.repeat(70_000)}`;
  assert.equal((await post(long)).json().body, long);
  hold = { answer: () => whole() };
  assert.equal((await post(long)).status, 403);
});

test('answers without a body pass a hold', async () => {
  hold = { answer: () => whole() };
  const bare = await startAgent((req, res) =>
    req.method === 'HEAD' ? res.setHeader('content-length', 12).end() : res.writeHead(204).end(),
  );
  await fixture.route('bare', bare);
  assert.equal((await fixture.fetch('bare', '/', { method: 'HEAD' })).headers['content-length'], '12');
  assert.equal((await fixture.fetch('bare')).status, 204);
  await bare.close();
});

test('a stream that is changed while it passes comes piece by piece, ends whole, and hides a word in two pieces', async () => {
  hold = { answer: () => tail };
  let say: (text: string) => void = () => undefined;
  let end: () => void = () => undefined;
  const talking = await startAgent((_req, res) => {
    res.writeHead(200, { 'content-type': 'text/event-stream' });
    say = (text) => res.write(text);
    end = () => res.end();
    say('data: first\n\n');
  });
  await fixture.route('events', talking);
  let text = '';
  await new Promise<void>((resolve, reject) => {
    const req = request({ port: fixture.gateway.port, headers: { host: 'events.localhost' } }, (res) => {
      res.on('data', (piece: Buffer) => {
        text += String(piece);
        // Each piece is sent only once the previous one has arrived.
        if (text.endsWith('data: fi')) say('data: a sec');
        else if (text.endsWith('a ') || text.endsWith('data: ')) setTimeout(() => say('ret\n\n'), 20);
        else if (text.includes('[gone]!')) end();
      });
      res.on('end', resolve);
      res.on('error', reject);
    });
    req.on('error', reject);
    req.end();
  });
  assert.equal(text, 'data: first\n\ndata: a [gone]!\n\n');
  await talking.close();
});

test('a change that keeps back more than it may ends the answer', async () => {
  hold = { answer: () => ({ ...tail, change: async (bytes) => ({ out: Buffer.alloc(0), keep: bytes.length }) }) };
  assert.equal((await post('longer than sixteen bytes')).json().code, 'policy_failed');
});

test('two taps that want to hold the same route are refused when the route is loaded', async () => {
  const { routeTaps } = await import('./tap.ts');
  assert.throws(() => routeTaps([{ hold: () => undefined }, { hold: () => undefined }]), /one tap/);
});
