import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { after, before, beforeEach, test } from 'node:test';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { eventsIn, recordsOf } from '../../test/audit.ts';
import { type Agent, echo, type Fixture, startAgent, startFixture, until } from '../../test/fixture.ts';
import { everywhere, protect } from '../../test/protection.ts';

const json = { 'content-type': 'application/json' };
const email = 'ada.lovelace@example.com';
const card = '4111 1111 1111 1111';

let fixture: Fixture;
let agent: Agent;
/** The requests that the agent has received, which it adds to its response. */
let received: { headers: Record<string, unknown>; body: string }[] = [];
before(async () => {
  // A busy machine may scan a body for longer than visitors would wait.
  fixture = await startFixture({ limits: { scanMs: 9_000 }, audit: { auditTokenKey: randomBytes(32) } });
  agent = await startAgent((req, res) => {
    const pieces: Buffer[] = [];
    req.on('data', (piece: Buffer) => pieces.push(piece));
    req.on('end', () => {
      received.push({ headers: req.headers, body: Buffer.concat(pieces).toString() });
      if (req.url === '/quiet') res.end('ok');
      else res.writeHead(200, json).end(JSON.stringify({ to: email, card }));
    });
  });
  await fixture.route('held', agent);
});
beforeEach(async () => {
  received = [];
  await fixture.database.sql`delete from audit_intake`;
});
after(async () => {
  await fixture.close();
  await agent.close();
});

const post = (body: string | Buffer, headers: Record<string, string> = json, path = '/') =>
  fixture.fetch('held', path, { method: 'POST', body, headers });

async function recordOf(id: unknown) {
  await until(
    async () => (await eventsIn(fixture.database)).filter(({ metadata }) => metadata.request_id === id).length === 2,
    'both records have come',
  );
  return recordsOf(await eventsIn(fixture.database), id);
}

test('JSON is masked both ways and stays valid, with its new length; types that are left alone pass', async () => {
  await protect(fixture, 'held', { rules: { Email: everywhere('mask') } });
  const asked = await post(JSON.stringify({ mail: email, card, n: 1, nested: [`write to ${email}`] }), {
    ...json,
    digest: 'x',
    'accept-encoding': 'gzip',
  });
  assert.deepEqual(JSON.parse(received[0]!.body), { mail: '[EMAIL]', card, n: 1, nested: ['write to [EMAIL]'] });
  assert.deepEqual(
    [received[0]!.headers['content-length'], received[0]!.headers.digest, received[0]!.headers['accept-encoding']],
    [String(received[0]!.body.length), undefined, undefined],
  );
  assert.deepEqual(asked.json(), { to: '[EMAIL]', card });
  assert.equal(Number(asked.headers['content-length']), asked.body.length);
  const { request: asking, answer } = await recordOf(asked.headers['x-request-id']);
  assert.deepEqual([asking.input_data.was_changed, answer.output_data.was_changed], [true, true]);
  assert.deepEqual(answer.output_data.body, { to: '[EMAIL]', card: '[CREDIT_CARD]' });
  assert.deepEqual(asking.pii!.types, { Email: 2, 'Credit Card': 1 });
  assert.ok(asking.input_data.scanned_at! <= asking.input_data.forwarded_at!);
});

test('a type that is masked in requests alone passes in answers, and the other way round', async () => {
  await protect(fixture, 'held', {
    rules: { Email: { action: 'mask', traffic: 'requests' }, 'Credit Card': { action: 'mask', traffic: 'answers' } },
  });
  const asked = await post(JSON.stringify({ email, card }));
  assert.deepEqual(JSON.parse(received[0]!.body), { email: '[EMAIL]', card });
  assert.deepEqual(asked.json(), { to: email, card: '[CREDIT_CARD]' });
});

test('the same value becomes the same token, on the way and in what is recorded', async () => {
  await protect(fixture, 'held', { rules: { Email: everywhere('tokenise') } });
  const asked = await post(JSON.stringify({ email }));
  const { email: token } = JSON.parse(received[0]!.body) as { email: string };
  assert.match(token, /^\[EMAIL:[a-z0-9]{8}\]$/);
  assert.equal(asked.json().to, token);
  const { request: asking } = await recordOf(asked.headers['x-request-id']);
  assert.deepEqual(asking.input_data.body, { email: token });
});

test('a message with a blocked type is refused by its name and never by its value; no agent hears of it, and it is on record', async () => {
  await protect(fixture, 'held', {
    rules: { SSN: { action: 'block', traffic: 'none' }, 'Credit Card': { action: 'block', traffic: 'answers' } },
  });
  const refused = await post('{"ssn":"536-90-4399"}');
  assert.deepEqual([refused.status, refused.json().code], [403, 'blocked_by_policy']);
  assert.match(String(refused.json().detail), /It holds: SSN\.$/);
  assert.ok(!refused.body.includes('4399'));
  assert.equal(received.length, 0);
  const { request: asking, answer } = await recordOf(refused.headers['x-request-id']);
  assert.deepEqual([asking.input_data.body, asking.input_data.forwarded_at, asking.pii!.types], [{ ssn: '[SSN]' }, null, { SSN: 1 }]);
  assert.deepEqual([answer.status, answer.output_data.status, answer.output_data.failure], ['warning', 403, 'blocked_by_policy']);
  const blocked = await post('{"fine":true}');
  assert.match(String(blocked.json().detail), /It holds: Credit Card\.$/);
  assert.ok(!blocked.body.includes('4111'));
  assert.equal((await post('{"fine":true}', json, '/quiet')).body, 'ok');
});

test('encoded bodies are decoded, masked and sent on without their encoding', async () => {
  await protect(fixture, 'held', { rules: { Email: everywhere('mask') } });
  const body = JSON.stringify({ email });
  for (const [encoding, bytes] of [
    ['gzip', gzipSync(body)],
    ['br', brotliCompressSync(body)],
    ['deflate', deflateSync(body)],
  ] as const) {
    received = [];
    await post(bytes, { ...json, 'content-encoding': encoding });
    assert.deepEqual([received[0]!.body, received[0]!.headers['content-encoding']], ['{"email":"[EMAIL]"}', undefined]);
  }
  const stubborn = await startAgent((_req, res) => res.writeHead(200, { ...json, 'content-encoding': 'gzip' }).end(gzipSync(body)));
  await fixture.route('stubborn', stubborn);
  const answer = await fixture.fetch('stubborn');
  assert.deepEqual([answer.body, answer.headers['content-encoding']], ['{"email":"[EMAIL]"}', undefined]);
  await stubborn.close();
});

test('what cannot be looked through is refused, or passes and says so, as the project wants it', async () => {
  const bomb = gzipSync(Buffer.alloc(50_000_000, 'a'));
  const long = JSON.stringify({ text: 'x'.repeat(300_000) });
  for (const on_overrun of ['refuse', 'pass'] as const) {
    await protect(fixture, 'held', { on_overrun, rules: { Email: everywhere('mask') } });
    const status = on_overrun === 'refuse' ? 403 : 200;
    assert.equal((await post(long)).status, status);
    const tried = await post(bomb, { ...json, 'content-encoding': 'gzip' });
    assert.equal(tried.status, status);
    assert.equal((await post('x', { ...json, 'content-encoding': 'zstd' })).status, status);
    const { request: asking } = await recordOf(tried.headers['x-request-id']);
    assert.deepEqual([asking.input_data.body, asking.input_data.left_out], [null, 'budget']);
  }
});

test('an upload is masked where it is text, and its record keeps none of it', async () => {
  await protect(fixture, 'held', { rules: { Email: everywhere('mask'), Name: everywhere('block') } });
  const part = `--b\r\ncontent-disposition: form-data; name="f"; filename="a"\r\n\r\n${email}\r\n--b--\r\n`;
  const upload = await post(part, { 'content-type': 'multipart/form-data; boundary=b' });
  assert.equal(received[0]!.body, part.replace(email, '[EMAIL]'));
  const { request: asking } = await recordOf(upload.headers['x-request-id']);
  assert.deepEqual([asking.input_data.body, asking.input_data.left_out, asking.input_data.was_changed], [null, 'binary', true]);
});

test('bytes that nobody can read are refused in requests, or pass and say so, as the project wants it', async () => {
  const bytes = Buffer.from([0, 1, 2, 255, 254]);
  for (const on_overrun of ['refuse', 'pass'] as const) {
    await protect(fixture, 'held', { on_overrun, rules: { Email: everywhere('mask') } });
    received = [];
    const tried = await post(bytes, { 'content-type': 'application/octet-stream' });
    assert.deepEqual([tried.status, received.length], on_overrun === 'refuse' ? [403, 0] : [200, 1]);
    const { request: asking } = await recordOf(tried.headers['x-request-id']);
    assert.deepEqual([asking.input_data.body, asking.input_data.left_out, asking.input_data.was_changed], [null, 'binary', false]);
  }
  assert.equal(received[0]!.headers['content-length'], '5');
});

test('a long body is looked through beside the others, and the values in it are found', async () => {
  await protect(fixture, 'held', { rules: { Email: everywhere('mask') } });
  const items = Array.from({ length: 1_500 }, (_, n) => ({ n, text: `item ${n} of many`, ...(n % 500 === 0 && { email }) }));
  await post(JSON.stringify(items));
  const seen = JSON.parse(received[0]!.body) as { email?: string }[];
  assert.deepEqual([seen.length, seen.filter((one) => one.email === '[EMAIL]').length], [1_500, 3]);
});

/** Requests a stream; the agent sends each piece once the gateway has the one before. Returns the received text. */
async function streamed(type: string, pieces: string[]): Promise<{ text: string; id: unknown; whole: boolean }> {
  const talking = await startAgent((_req, res) => {
    res.writeHead(200, { 'content-type': type });
    const say = (at: number) => {
      if (at === pieces.length) return res.end();
      res.write(pieces[at]);
      return setTimeout(() => say(at + 1), 3);
    };
    say(0);
  });
  await fixture.route('stream', talking);
  const got = await new Promise<{ text: string; id: unknown; whole: boolean }>((resolve, reject) => {
    const req = request({ port: fixture.gateway.port, headers: { host: 'stream.localhost' } }, (res) => {
      let text = '';
      const end = () => resolve({ text, id: res.headers['x-request-id'], whole: res.complete });
      res.on('data', (piece: Buffer) => (text += String(piece)));
      res.on('end', end);
      res.on('error', end);
    });
    req.on('error', reject);
    req.end();
  });
  await talking.close();
  return got;
}

test('a value in two pieces of a stream is masked: in events, in text, in lines of JSON', async () => {
  await protect(fixture, 'held', { rules: { Email: everywhere('mask') } });
  const events = await streamed('text/event-stream', ['data: {"a":"ada.lov', 'elace@exam', 'ple.com"}\n', '\ndata: done\n\n']);
  assert.equal(events.text, 'data: {"a":"[EMAIL]"}\n\ndata: done\n\n');
  const prose = await streamed('text/plain', ['Write to ada.lov', 'elace@exam', 'ple.com, please. ', 'x '.repeat(200)]);
  assert.equal(prose.text, `Write to [EMAIL], please. ${'x '.repeat(200)}`);
  const lines = await streamed('application/x-ndjson', ['{"a":"ada.lov', 'elace@example.com"}\n{"b":1}', '\n']);
  assert.equal(lines.text, '{"a":"[EMAIL]"}\n{"b":1}\n');
  const { answer } = await recordOf(events.id);
  assert.deepEqual([answer.output_data.was_changed, answer.pii!.types.Email], [true, 1]);
  assert.ok(!JSON.stringify(answer.output_data.body).includes('lovelace'));
});

test('a value that is spelled over many deltas of a model is masked where it began', async () => {
  await protect(fixture, 'held', { rules: { Email: everywhere('mask') } });
  const deltas = ['Mail ', 'ada.', 'love', 'lace', '@exam', 'ple', '.com', ' now', ' or', ' never.'];
  const pieces = deltas.map((content) => `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`);
  const { text } = await streamed('text/event-stream', [...pieces, 'data: [DONE]\n\n']);
  const said = [...text.matchAll(/^data: (\{.*)$/gm)].map(
    ([, data]) => (JSON.parse(data!) as { choices: [{ delta: { content: string } }] }).choices[0].delta.content,
  );
  assert.equal(said.join(''), 'Mail [EMAIL] now or never.');
  assert.ok(text.endsWith('data: [DONE]\n\n'));
});

test('a stream with a blocked type is refused before its head, or cut', async () => {
  await protect(fixture, 'held', { rules: { Email: { action: 'block', traffic: 'answers' } } });
  const early = await streamed('text/event-stream', [`data: ${email}\n\n`]);
  assert.match(early.text, /blocked_by_policy/);
  const late = await streamed('text/event-stream', [
    ...Array.from({ length: 50 }, (_, n) => `data: fine ${n} ${'x '.repeat(50)}\n\n`),
    `data: ${email}\n\n`,
    'data: more\n\n',
  ]);
  assert.ok(late.text.includes('fine 1') && !late.text.includes('ada') && !late.text.includes('more') && !late.whole, late.text);
});

test('a value that was found once in a trace is masked in later requests of it, without any hint', async () => {
  await protect(fixture, 'held', { rules: { SSN: everywhere('mask') } });
  const echoing = await startAgent(echo());
  await fixture.route('held', echoing);
  const traceparent = `00-${randomBytes(16).toString('hex')}-${randomBytes(8).toString('hex')}-01`;
  const bare = JSON.stringify({ note: '536904399 it is' });
  const sent = async (body: string, headers: Record<string, string> = {}) => (await post(body, { ...json, ...headers })).json().body;
  assert.equal(await sent(bare, { traceparent }), bare);
  assert.equal(await sent('{"ssn":"536-90-4399"}', { traceparent }), '{"ssn":"[SSN]"}');
  assert.equal(await sent(bare, { traceparent }), '{"note":"[SSN] it is"}');
  assert.equal(await sent(bare), bare);
  await fixture.route('held', agent);
  await echoing.close();
});
