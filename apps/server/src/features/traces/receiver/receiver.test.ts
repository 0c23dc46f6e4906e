import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { inJson, inProtobuf, type SentSpan } from '@paddock/otlp/encode';
import { until } from '../../../../test/platform.ts';
import { atEnd, testDatabase } from '../../../../test/postgres.ts';
import { startApi } from '../../../../test/server.ts';
import { credentialHeader, credentialOf } from './credential.ts';
import type { ReceiverLimits } from './limits.ts';
import { startReceiver } from './start.ts';

const key = randomBytes(32);
const warnings: string[] = [];
const log = { warn: (text: unknown) => void warnings.push(String(text)), error: (text: unknown) => void warnings.push(String(text)) };
let database: Awaited<ReturnType<typeof testDatabase>>;
let world: Awaited<ReturnType<typeof startApi>>;
let origin: string;
before(async () => {
  database = await testDatabase();
  world = await startApi({ after: atEnd }, { database });
  origin = await receiver();
});

async function receiver(bounds: Partial<ReceiverLimits> = {}): Promise<string> {
  const started = await startReceiver({
    log: log as never,
    databaseUrl: database.url,
    key,
    tokenKey: key,
    secretKeys: world.seal.keys(),
    port: 0,
    bounds: { pauseMs: 10, ...bounds },
  });
  atEnd(() => started.close());
  return `http://127.0.0.1:${started.port}`;
}

/** A person with a deployment. */
async function owner() {
  const { api } = await world.person();
  const { id: project_id } = await api.projects.create({ name: 'traced' });
  const deployment_id = `dep_${randomBytes(6).toString('hex')}`;
  await world.sql`
    insert into deployments (id, team_id, project_id, environment, status, source_blob, source_name, source_bytes, created_by)
    select ${deployment_id}, team_id, id, 'production', 'failed', 'b', 'n', 1, 'u'
    from projects
    where id = ${project_id}`;
  const traces = async () => (await api.traces.list({ id: deployment_id })).traces;
  const lost = async () => (await api.traces.list({ id: deployment_id })).lost;
  return { api, project_id, deployment_id, credential: credentialOf(key, deployment_id), traces, lost };
}

interface Sending {
  credential?: string;
  type?: string;
  gzip?: boolean;
  path?: string;
  at?: string;
}
async function send(body: string | Uint8Array, { credential = '', type, gzip = false, path = '/v1/traces', at = origin }: Sending) {
  const headers: Record<string, string> = {
    'content-type': type ?? (typeof body === 'string' ? 'application/json' : 'application/x-protobuf'),
    [credentialHeader]: credential,
    ...(gzip ? { 'content-encoding': 'gzip' } : {}),
  };
  const response = await fetch(`${at}${path}`, { method: 'POST', headers, body: gzip ? gzipSync(body) : body });
  return { status: response.status, body: Buffer.from(await response.arrayBuffer()) };
}

const newTraceId = () => randomBytes(16).toString('hex');
const nowNs = () => BigInt(Date.now()) * 1_000_000n;
const span = (more: Partial<SentSpan> = {}): SentSpan => ({
  traceId: newTraceId(),
  spanId: randomBytes(8).toString('hex'),
  name: 'work',
  startTimeUnixNano: String(nowNs()),
  endTimeUnixNano: String(nowNs() + 5_000_000n),
  ...more,
});
const number = (key: string, value: number) => ({ key, value: { intValue: String(value) } });
const text = (key: string, stringValue: string) => ({ key, value: { stringValue } });
const chat = (input: number, output: number, model = 'gpt-4o-mini') => [
  text('gen_ai.operation.name', 'chat'),
  text('gen_ai.request.model', model),
  number('gen_ai.usage.input_tokens', input),
  number('gen_ai.usage.output_tokens', output),
];

test('what an unmodified SDK sends shows as one trace with tokens and their cost, however often it is sent', async () => {
  const { api, deployment_id, credential, traces } = await owner();
  const fixture = join(import.meta.dirname, '../../../../../../packages/otlp/src/fixtures/openinference-python.bin');
  const { sent, shift } = shiftedToNow(readFileSync(fixture));
  for (const gzip of [false, true]) assert.deepEqual(await send(sent, { credential, gzip }), { status: 200, body: Buffer.alloc(0) });
  const [trace, ...others] = await traces();
  assert.ok(shift > 0n);
  assert.deepEqual(others, []);
  const { name, status, span_count, input_tokens, output_tokens, models, cost_usd, unpriced_models } = trace!;
  assert.deepEqual(
    { name, status, span_count, input_tokens, output_tokens, models, unpriced_models },
    {
      name: 'POST /invocations',
      status: 'ok',
      span_count: 5,
      input_tokens: 240,
      output_tokens: 60,
      models: ['gpt-4o-mini'],
      unpriced_models: [],
    },
  );
  // Two calls, each of 100 plain tokens at 0.15, 20 cached ones at 0.075 and 30 at 0.60 for a million.
  assert.ok(Math.abs(cost_usd! - (2 * (100 * 0.15 + 20 * 0.075 + 30 * 0.6)) / 1e6) < 1e-12, String(cost_usd));
  const { spans } = await api.traces.get({ id: deployment_id, trace_id: trace!.trace_id });
  assert.deepEqual(
    spans.map(({ type, origin: by, is_counted }) => [type, by, is_counted]),
    [
      ['other', 'agent', false],
      ['agent', 'agent', false],
      ['model', 'agent', true],
      ['tool', 'agent', false],
      ['model', 'agent', true],
    ],
  );
  assert.ok(!JSON.stringify(spans).includes('How many words'));
});

/** Shifts every fixed 64-bit number of a span's times, because the recorded times would be too old. */
function shiftedToNow(bytes: Buffer) {
  const sent = Buffer.from(bytes);
  let shift = 0n;
  // start_time_unix_nano and end_time_unix_nano have the tags 0x39 and 0x41, and lie close to the day of the recording.
  for (let at = 0; at < sent.length - 9; at++) {
    if (sent[at] !== 0x39 && sent[at] !== 0x41) continue;
    const value = sent.readBigUInt64LE(at + 1);
    if (value < 1_700_000_000_000_000_000n || value > 2_000_000_000_000_000_000n) continue;
    if (shift === 0n) shift = nowNs() - value;
    sent.writeBigUInt64LE(value + shift, at + 1);
  }
  return { sent, shift };
}

test('a call that two instrumentations tell of, one within the other, is counted once, in one sending or in two', async () => {
  const { credential, traces } = await owner();
  for (const together of [true, false]) {
    const traceId = newTraceId();
    const outer = span({ traceId, name: 'ChatOpenAI', attributes: chat(100, 10) });
    const between = span({ traceId, parentSpanId: outer.spanId, name: 'RunnableSequence' });
    const inner = span({ traceId, parentSpanId: together ? between.spanId : outer.spanId, name: 'chat', attributes: chat(100, 10) });
    const sendings = together ? [[outer, between, inner]] : [[inner], [between, outer]];
    for (const spans of sendings) assert.equal((await send(inJson(spans), { credential })).status, 200);
    const found = (await traces()).find(({ trace_id }) => trace_id === traceId);
    assert.deepEqual([found?.span_count, found?.input_tokens, found?.output_tokens], [3, 100, 10]);
  }
});

test('a credential that is made up, of a deployment that is not there, or none is refused, and stores nothing', async () => {
  const { credential, deployment_id, traces } = await owner();
  const foreign = [
    '',
    `${deployment_id}.${'A'.repeat(43)}`,
    credentialOf(randomBytes(32), deployment_id),
    credentialOf(key, 'dep_gone'),
    credential.slice(0, -1),
    `${credential}A`,
  ];
  for (const other of foreign) assert.equal((await send(inJson([span()]), { credential: other })).status, 401, other);
  assert.deepEqual(await traces(), []);
});

test("one deployment's credential writes to that deployment alone", async () => {
  const [mine, other] = [await owner(), await owner()];
  await send(inJson([span()]), { credential: mine.credential });
  assert.deepEqual([(await mine.traces()).length, (await other.traces()).length], [1, 0]);
  await assert.rejects(other.api.traces.list({ id: mine.deployment_id }), { code: 'deployment_not_found' });
});

test('a body that is too large, as it comes or unpacked, or that is no OTLP is refused, counted, and keeps nobody else from sending', async () => {
  const { credential, traces, lost } = await owner();
  const tooLarge = inProtobuf([span({ name: 'x'.repeat(10 * 1024 ** 2) })]);
  assert.equal((await send(tooLarge, { credential })).status, 413, '10 MiB');
  assert.equal((await send(Buffer.alloc(100 * 1024 ** 2), { credential, gzip: true })).status, 413, 'a bomb');
  assert.equal((await send(Buffer.from('no gzip'), { credential, type: 'application/x-protobuf' })).status, 400);
  assert.equal((await send('{"resourceSpans": 5}', { credential })).status, 400);
  assert.equal((await send('x', { credential, type: 'text/plain' })).status, 415);
  assert.equal((await send(inJson([span()]), { credential })).status, 200);
  assert.equal((await traces()).length, 1);
  await until('the losses are noted', async () => (await lost()).requests === 5);
});

test('who sends more bytes than a minute may have, refused ones among them, is not read until the next, and others are', async () => {
  const at = await receiver({ bytesAMinute: 12 * 1024 ** 2 });
  const [greedy, other] = [await owner(), await owner()];
  const bomb = () => send(Buffer.alloc(100 * 1024 ** 2), { credential: greedy.credential, gzip: true, at });
  const answers = [];
  // A minute may end between two of them.
  for (let n = 0; n < 5; n++) answers.push((await bomb()).status);
  assert.ok(answers.includes(429), answers.join());
  assert.equal((await send(inJson([span()]), { credential: other.credential, at })).status, 200);
});

test('of a flood of spans so many are stored as a minute may have, the answer tells how many were not, and another deployment is not touched', async () => {
  const at = await receiver({ spansAMinute: 50 });
  const [flooding, other] = [await owner(), await owner()];
  const traceId = newTraceId();
  const flood = () => inProtobuf(Array.from({ length: 40 }, () => span({ traceId })));
  const answers = [];
  for (let n = 0; n < 3; n++) answers.push(await send(flood(), { credential: flooding.credential, at }));
  // A minute may end between two of them.
  const stored = (await flooding.traces())[0]!.span_count;
  assert.ok(stored === 50 || stored === 80 || stored === 90, String(stored));
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200],
  );
  assert.match(answers.map(({ body }) => body.toString('latin1')).join(), /More spans than this deployment may send/);
  await send(inJson([span()]), { credential: other.credential, at });
  assert.equal((await other.traces()).length, 1);
  await until('the losses are noted', async () => (await flooding.lost()).spans === 120 - stored);
});

test('a trace has as many spans as it may have, whoever chose its id', async () => {
  const { api, deployment_id, credential } = await owner();
  const traceId = newTraceId();
  for (let n = 0; n < 3; n++) await send(inProtobuf(Array.from({ length: 900 }, () => span({ traceId }))), { credential });
  const trace = await api.traces.get({ id: deployment_id, trace_id: traceId });
  assert.deepEqual([trace.span_count, trace.spans.length], [2_000, 2_000]);
});

test('an agent that makes up models makes no more rows than a deployment may have', async () => {
  const at = await receiver({ models: 3 });
  const { api, deployment_id, credential } = await owner();
  await send(inJson(Array.from({ length: 20 }, (_, n) => span({ attributes: chat(1, 1, `made-up-${n}`) }))), { credential, at });
  const { models } = await api.traces.list({ id: deployment_id });
  assert.deepEqual(models, ['made-up-0', 'made-up-1', 'made-up-2', 'other models']);
});

test('metrics and logs are taken and counted as unused, so that no SDK complains', async () => {
  const { credential, lost, traces } = await owner();
  for (const path of ['/v1/metrics', '/v1/logs']) assert.equal((await send(inJson([span()]), { credential, path })).status, 200);
  assert.deepEqual(await traces(), []);
  await until('they are counted', async () => (await lost()).unused === 2);
});

test('spans of another time, or without ids, are not taken and counted', async () => {
  const { credential, traces, lost } = await owner();
  const old = String(nowNs() - 8n * 86_400_000_000_000n);
  const ahead = String(nowNs() + 2n * 3_600_000_000_000n);
  const wrong = [
    span({ startTimeUnixNano: old, endTimeUnixNano: old }),
    span({ startTimeUnixNano: ahead, endTimeUnixNano: ahead }),
    span({ traceId: '0'.repeat(32) }),
    span({ spanId: '' }),
  ];
  const { status, body } = await send(inJson([...wrong, span()]), { credential });
  assert.deepEqual([status, JSON.parse(body.toString()).partialSuccess.rejectedSpans], [200, '4']);
  assert.equal((await traces()).length, 1);
  await until('they are counted', async () => (await lost()).spans === 4);
});

test('hostile texts are stored as they may be shown', async () => {
  const { api, deployment_id, credential } = await owner();
  const traceId = newTraceId();
  const attributes = [text('__proto__', 'polluted'), text('note', 'a\u0000b\ud800')];
  assert.equal((await send(inJson([span({ traceId, name: '\u0000\u001b[2J', attributes })]), { credential })).status, 200);
  const [only] = (await api.traces.get({ id: deployment_id, trace_id: traceId })).spans;
  assert.equal(only?.name, '��[2J');
  assert.equal(only?.attributes.note, 'a�b�');
  assert.equal(({} as Record<string, unknown>).polluted, undefined);
});
