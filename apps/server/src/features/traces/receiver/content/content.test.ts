import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { before, test } from 'node:test';
import { type DataProtectionSettings, defaultDataProtection, type Span } from '@paddock/contract';
import { inJson, inProtobuf, type SentSpan, type SentValue } from '@paddock/otlp/encode';
import { type PiiAction, type PiiType, piiTypes, projectTokenKey, tokeniser } from '@paddock/pii';
import { until } from '../../../../../test/platform.ts';
import { atEnd, testDatabase } from '../../../../../test/postgres.ts';
import { startApi } from '../../../../../test/server.ts';
import { tokenKey } from '../../../../secrets/token-key.ts';
import { credentialHeader, credentialOf } from '../credential.ts';
import type { ReceiverLimits } from '../limits.ts';
import { startReceiver } from '../start.ts';

const key = randomBytes(32);
let database: Awaited<ReturnType<typeof testDatabase>>;
let world: Awaited<ReturnType<typeof startApi>>;
let origin: string;
before(async () => {
  database = await testDatabase();
  world = await startApi({ after: atEnd }, { database });
  origin = await receiver();
});

async function receiver(bounds: Partial<ReceiverLimits> = {}): Promise<string> {
  const log = { warn: () => undefined, error: () => undefined };
  const given = {
    log: log as never,
    databaseUrl: database.url,
    key,
    tokenKey: tokenKey(world.seal),
    secretKeys: world.seal.keys(),
    port: 0,
    bounds,
  };
  const started = await startReceiver(given);
  atEnd(() => started.close());
  return `http://127.0.0.1:${started.port}`;
}

/** A person with a deployment of a project that keeps content, or not. */
async function owner({ keeps = true, actions = {} as Partial<Record<PiiType, PiiAction>>, by = world }) {
  const { api } = await by.person();
  const { id: project_id } = await api.projects.create({ name: 'traced' });
  const deployment_id = `dep_${randomBytes(6).toString('hex')}`;
  await world.sql`
    insert into deployments (id, team_id, project_id, environment, status, source_blob, source_name, source_bytes, created_by)
    select ${deployment_id}, team_id, id, 'production', 'failed', 'b', 'n', 1, 'u'
    from projects
    where id = ${project_id}`;
  const rules = Object.fromEntries(piiTypes.map((type) => [type, { action: actions[type] ?? 'mask', traffic: 'none' }]));
  const settings = { ...defaultDataProtection, rules: rules as DataProtectionSettings['rules'], keep_span_content: keeps };
  if (keeps || Object.keys(actions).length > 0) await api.governance.setDataProtection({ id: project_id, ...settings });
  const traceId = randomBytes(16).toString('hex');
  async function send(spans: Partial<SentSpan>[], { at = origin, protobuf = false } = {}): Promise<Span[]> {
    const sent = spans.map((one) => span({ traceId, ...one }));
    const response = await fetch(`${at}/v1/traces`, {
      method: 'POST',
      headers: {
        'content-type': protobuf ? 'application/x-protobuf' : 'application/json',
        [credentialHeader]: credentialOf(key, deployment_id),
      },
      body: protobuf ? inProtobuf(sent) : inJson(sent),
    });
    assert.equal(response.status, 200, await response.text());
    return (await api.traces.get({ id: deployment_id, trace_id: traceId })).spans;
  }
  return { api, send, traceId, project_id };
}

let order = 0n;
const span = (more: Partial<SentSpan>): SentSpan => ({
  traceId: '',
  spanId: randomBytes(8).toString('hex'),
  name: 'work',
  startTimeUnixNano: String(BigInt(Date.now()) * 1_000_000n + order++ * 1_000n),
  endTimeUnixNano: String(BigInt(Date.now()) * 1_000_000n + 5_000_000n),
  ...more,
});
const text = (name: string, value: string): { key: string; value: SentValue } => ({ key: name, value: { stringValue: value } });
const prompt = JSON.stringify([{ role: 'user', parts: [{ type: 'text', content: 'I am ada@example.com, ssn 536-22-8726' }] }]);
const masked = prompt.replace('ada@example.com', '[EMAIL]').replace('536-22-8726', '[SSN]');

test('a project that wants prompts and completions has them under their names, masked, and JSON stays JSON', async () => {
  for (const protobuf of [false, true]) {
    const { send } = await owner({});
    const attributes = [
      text('gen_ai.input.messages', prompt),
      text('llm.output_messages.0.message.content', 'Write to ada@example.com'),
      text('gen_ai.tool.call.arguments', '{"ip": "203.0.113.7", "n": 3}'),
      text('gen_ai.request.model', 'gpt-4o'),
      { key: 'llm.prompts', value: { arrayValue: { values: [{ stringValue: 'to ada@example.com' }] } } },
    ];
    const events = [
      {
        name: 'gen_ai.user.message',
        timeUnixNano: String(BigInt(Date.now()) * 1_000_000n),
        attributes: [text('content', 'ada@example.com')],
      },
    ];
    const [stored] = await send([{ attributes, events }], { protobuf });
    assert.deepEqual(stored?.attributes, {
      'gen_ai.request.model': 'gpt-4o',
      'gen_ai.input.messages': masked,
      'llm.output_messages.0.message.content': 'Write to [EMAIL]',
      'gen_ai.tool.call.arguments': '{"ip": "[IP_ADDRESS]", "n": 3}',
      'llm.prompts': ['to [EMAIL]'],
    });
    assert.deepEqual(stored?.events[0]?.attributes, { content: '[EMAIL]' });
    assert.equal(stored?.content_dropped, 0);
  }
});

test('without the wish of its project content is dropped and counted, and headers are dropped in any case', async () => {
  const attributes = [text('gen_ai.input.messages', prompt), text('http.request.header.authorization', 'Bearer abc')];
  const without = await (await owner({ keeps: false })).send([{ attributes }]);
  assert.deepEqual([without[0]?.attributes, without[0]?.content_dropped], [{}, 2]);
  const kept = await (await owner({})).send([{ attributes }]);
  assert.deepEqual([kept[0]?.attributes, kept[0]?.content_dropped], [{ 'gen_ai.input.messages': masked }, 1]);
});

test('names, states, attributes and events of spans hold no personal data, whether a project keeps content or not', async () => {
  const { send } = await owner({ keeps: false });
  const [stored] = await send([
    {
      name: 'GET /users/ada@example.com',
      status: { code: 2, message: 'no user with ssn 536-22-8726' },
      attributes: [
        text('user.email', 'ada@example.com'),
        text('gen_ai.request.model', 'ada@example.com'),
        text('gen_ai.tool.name', 'count_words'),
        { key: 'tags', value: { arrayValue: { values: [{ stringValue: '4111 1111 1111 1111' }] } } },
        { key: 'customer.ssn', value: { intValue: '536228726' } },
        { key: 'attempt', value: { intValue: '3' } },
      ],
      events: [{ name: 'exception', timeUnixNano: '1', attributes: [text('exception.message', 'ada@example.com is unknown')] }],
    },
  ]);
  assert.equal(stored?.name, 'GET /users/[EMAIL]');
  assert.equal(stored?.status_message, 'no user with ssn [SSN]');
  assert.equal(stored?.model, '[EMAIL]');
  assert.deepEqual(stored?.attributes, {
    'user.email': '[EMAIL]',
    'gen_ai.request.model': '[EMAIL]',
    'gen_ai.tool.name': 'count_words',
    tags: ['[CREDIT_CARD]'],
    'customer.ssn': '[SSN]',
    attempt: 3,
  });
  assert.deepEqual(stored?.events[0]?.attributes, { 'exception.message': '[EMAIL] is unknown' });
  const stay = await (await owner({ keeps: false, actions: { Email: 'allow' } })).send([{ name: 'to ada@example.com' }]);
  assert.equal(stay[0]?.name, 'to ada@example.com');
});

test('the name of an agent, a tool or a workflow in the name of a span is nobody’s, and is kept; other values in it are not', async () => {
  const { send } = await owner({ keeps: false });
  const spans = [
    { name: 'invoke_agent Strands Agents' },
    { name: 'invoke_agent Emily Johnson of ada@example.com' },
    { name: 'Agent[Emily Johnson] run', attributes: [text('gen_ai.agent.name', 'Emily Johnson')] },
    { name: 'hello, my name is Emily Johnson' },
  ];
  const stored = await send(spans);
  assert.deepEqual(stored.map(({ name }) => name).sort(), [
    'Agent[Emily Johnson] run',
    'hello, my name is [NAME]',
    'invoke_agent Emily Johnson of [EMAIL]',
    'invoke_agent Strands Agents',
  ]);
});

test('a value that one span of a trace shows is masked in its other spans, without any cue, and in no other trace', async () => {
  const { send } = await owner({});
  const ssn = (said: string) => ({ attributes: [text('input.value', said)] });
  await send([ssn('code 536228726'), ssn('my ssn is 536-22-8726')]);
  const spans = await send([ssn('again 536228726')]);
  assert.deepEqual(
    spans.map(({ attributes }) => attributes['input.value']),
    ['code [SSN]', 'my ssn is [SSN]', 'again [SSN]'],
  );
  const other = { ...ssn('again 536228726'), spanId: 'abcdef0123456789', traceId: randomBytes(16).toString('hex') };
  await send([other]);
  const [{ said }] = await world.sql<[{ said: string }]>`
    select attributes->>'input.value' as said
    from spans
    where span_id = ${other.spanId}`;
  assert.equal(said, 'again 536228726');
});

test('another team learns nothing of a trace by naming its id', async () => {
  const [mine, other] = [await owner({}), await owner({})];
  await mine.send([{ name: 'ssn 536-22-8726' }]);
  const { traceId } = mine;
  const sent = span({ traceId, name: 'is it 536228726' });
  await other.send([sent]).catch(() => undefined);
  const [{ name }] = await world.sql<[{ name: string }]>`
    select name
    from spans
    where span_id = ${sent.spanId}`;
  assert.equal(name, 'is it 536228726');
});

test("a value becomes the token that it has in the project's records of the gateway and lines of logs", async () => {
  const { send, project_id } = await owner({ actions: { Email: 'tokenise' } });
  const [stored] = await send([{ name: 'to ada@example.com', attributes: [text('input.value', 'ADA@example.com')] }]);
  const token = tokeniser(projectTokenKey(tokenKey(world.seal), project_id))('Email', 'ada@example.com');
  assert.match(token, /^\[EMAIL:\w{8}\]$/);
  assert.deepEqual([stored?.name, stored?.attributes['input.value']], [`to ${token}`, token]);
});

test('content is kept within its bounds: 16 KiB of an attribute, 64 KiB of a span, no part of a value at the cut', async () => {
  const { send } = await owner({});
  const long = `${'word '.repeat(3_255)} 4111 1111 1111 1111 ${'more '.repeat(20_000)}`;
  const attributes = Array.from({ length: 6 }, (_, n) =>
    text(`llm.input_messages.${n}.message.content`, n === 0 ? long : 'x '.repeat(30_000)),
  );
  const [stored] = await send([{ attributes }]);
  const kept = Object.values(stored!.attributes).map(String);
  assert.equal(kept.length, 3);
  assert.equal(stored?.content_dropped, 3);
  for (const one of kept) assert.match(one, / … \[cut at 16 KiB\]$/);
  assert.ok(kept.every((one) => Buffer.byteLength(one) <= 16 * 1024));
  assert.doesNotMatch(kept[0]!, /4111/);
});

test('what there is no time to scan is not stored, and counted; the span itself is', async () => {
  const at = await receiver({ scanMs: 0 });
  const { send } = await owner({});
  const attributes = [text('input.value', 'ada@example.com'), text('note', 'ada@example.com'), { key: 'n', value: { intValue: '7' } }];
  const [stored] = await send([{ name: 'to ada@example.com', status: { code: 2, message: 'ada@example.com' }, attributes }], { at });
  const { name, status, status_message, attributes: kept, dropped, content_dropped } = stored!;
  assert.deepEqual(
    { name, status, status_message, kept, dropped, content_dropped },
    { name: '[not scanned]', status: 'error', status_message: '[not scanned]', kept: { n: 7 }, dropped: 1, content_dropped: 1 },
  );
});

test('what is found in spans is counted with what is found elsewhere', async () => {
  const { api, send } = await owner({});
  await send([{ name: 'to ada@example.com', attributes: [text('input.value', 'ssn 536-22-8726')] }]);
  await until('the count is written', async () => (await api.governance.piiDetection({})).total_scans === 1);
  const { pii_detected, types_detected } = await api.governance.piiDetection({});
  assert.deepEqual([pii_detected, types_detected], [2, { Email: 1, SSN: 1 }]);
});

test('a trace is shown up to so many bytes: spans beyond them come without attributes and say so', async () => {
  const { send } = await owner({});
  const attributes = [0, 1, 2].map((n) => text(`llm.input_messages.${n}.message.content`, 'x '.repeat(8_000)));
  let spans: Span[] = [];
  for (let n = 0; n < 4; n++) spans = await send(Array.from({ length: 50 }, () => ({ attributes })));
  assert.equal(spans.length, 200);
  assert.equal(Object.keys(spans[0]!.attributes).length, 3);
  assert.deepEqual([spans.at(-1)!.attributes, spans.at(-1)!.dropped], [{}, 1]);
});
