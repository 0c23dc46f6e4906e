import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultDataProtection } from '@paddock/contract';
import { detect } from '@paddock/pii';
import { deploy, type Platform, reaches, startPlatform, until } from '../../test/platform.ts';
import { connect } from '../db/connect.ts';

let shared: Promise<Platform> | undefined;
const platform = () => (shared ??= startPlatform(undefined));

/** A value of each type, in a sentence that names its type. */
const planted = {
  Email: ['Write to grace.hopper@example.org', 'grace.hopper@example.org'],
  Phone: ['phone: +1 212-555-0187', '212-555-0187'],
  SSN: ['her ssn is 536-22-8726', '536-22-8726'],
  'Credit Card': ['card 4012 8888 8888 1881', '4012 8888 8888 1881'],
  Address: ['I live at 742 Evergreen Terrace, Springfield, IL 62704', '742 Evergreen Terrace'],
  Name: ['My name is Margaret Hamilton.', 'Margaret Hamilton'],
  'IP Address': ['from client ip 203.0.113.77', '203.0.113.77'],
  'Date of Birth': ['date of birth: 1906-12-09', '1906-12-09'],
} as const;
const sentences = Object.values(planted).map(([sentence]) => sentence);

/** Logs each sentence, and sends it as a span's name, state, attribute, event, prompt, completion, and arguments and document of a tool. */
const agent = `
import { createServer } from 'node:http';
import { randomBytes } from 'node:crypto';
const sentences = ${JSON.stringify(sentences)};
const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: header, PORT } = process.env;
const [name, value] = header.split(/=(.*)/s);
const text = (key, stringValue) => ({ key, value: { stringValue } });
const span = (traceId, said, n) => {
  const at = String(BigInt(Date.now()) * 1000000n + BigInt(n) * 1000n);
  return {
    traceId, spanId: randomBytes(8).toString('hex'), name: said, startTimeUnixNano: at, endTimeUnixNano: at,
    status: { code: 2, message: said },
    attributes: [
      text('note', said), text('gen_ai.operation.name', 'chat'),
      text('gen_ai.input.messages', JSON.stringify([{ role: 'user', parts: [{ type: 'text', content: said }] }])),
      text('llm.output_messages.0.message.content', said), text('output.value', said),
      text('gen_ai.tool.call.arguments', JSON.stringify({ question: said })),
      text('retrieval.documents.0.document.content', said),
    ],
    events: [{ name: 'exception', timeUnixNano: at, attributes: [text('exception.message', said)] }],
  };
};
createServer(async (request, response) => {
  if (request.url !== '/tell') return response.end('ready');
  for (const said of sentences) { console.log(said); console.error(JSON.stringify({ level: 'warn', message: said })); }
  const traceId = /^00-([0-9a-f]{32})/.exec(request.headers.traceparent ?? '')?.[1] ?? randomBytes(16).toString('hex');
  const spans = sentences.map((said, n) => span(traceId, said, n));
  const sent = await fetch(endpoint + '/v1/traces', {
    method: 'POST',
    headers: { 'content-type': 'application/json', [name]: value },
    body: JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] }),
  });
  console.log('told everything');
  response.end(traceId + ' ' + sent.status);
}).listen(PORT);
`;

test('no value that an agent logs or sends in spans is in the database, where its project wants both masked', async () => {
  const paddock = await platform();
  const { api } = await paddock.person();
  const { id: project_id } = await api.projects.create({ name: 'planted' });
  await api.governance.setDataProtection({ id: project_id, ...defaultDataProtection, redact_logs: true, keep_span_content: true });
  const files = { 'package.json': '{"type": "module", "scripts": {"start": "node server.js"}}', 'server.js': agent };
  const { id } = await deploy(api, project_id, files);
  await reaches(api, id, ['active']);
  const [trace_id = '', status] = (await paddock.visit('planted.localhost', '/tell')).body.split(' ');
  assert.equal(status, '200');
  await until('all lines are stored', async () => (await api.logs.list({ id, search: 'told everything' })).logs.length === 1);

  const { logs } = await api.logs.list({ id, limit: 500 });
  assert.ok(logs.some(({ message }) => message === 'Write to [EMAIL]'));
  const { spans } = await api.traces.get({ id, trace_id });
  const told = spans.filter(({ origin }) => origin === 'agent');
  assert.equal(told.length, sentences.length);
  assert.equal(told[0]?.attributes['output.value'], 'Write to [EMAIL]');
  assert.ok(told.every(({ attributes, content_dropped }) => Object.keys(attributes).length === 7 && content_dropped === 0));

  const detected = Object.values(planted).filter(([sentence, value]) =>
    detect(sentence).some(({ start, end }) => sentence.slice(start, end).includes(value)),
  );
  assert.ok(detected.length >= 6, detected.join());
  const dump = await everything(paddock.databaseUrl);
  assert.ok(dump.includes('Write to [EMAIL]'), 'the dump holds what was stored');
  for (const [, value] of detected) assert.ok(!dump.includes(value), `${value} is in the database`);
});

/** Answers with its environment, logs it and sends it as a span. */
const talkative = `
import { createServer } from 'node:http';
import { randomBytes } from 'node:crypto';
const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: header, PORT } = process.env;
const [name, value] = header.split(/=(.*)/s);
createServer(async (request, response) => {
  if (!/^\\/(text|json)/.test(request.url)) return response.end(process.env.PADDOCK_DEPLOYMENT_ID);
  const all = JSON.stringify(process.env);
  for (const [key, value] of Object.entries(process.env)) console.log(key + '=' + value);
  console.error(all);
  const at = String(BigInt(Date.now()) * 1000000n);
  const attributes = Object.entries(process.env).map(([key, stringValue]) => ({ key, value: { stringValue } }));
  const span = { traceId: randomBytes(16).toString('hex'), spanId: randomBytes(8).toString('hex'), name: process.env.API_KEY, startTimeUnixNano: at, endTimeUnixNano: at,
    status: { code: 2, message: all }, attributes, events: [{ name: 'exception', timeUnixNano: at, attributes }] };
  const sent = await fetch(endpoint + '/v1/traces', {
    method: 'POST',
    headers: { 'content-type': 'application/json', [name]: value },
    body: JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] }),
  });
  console.log('told everything');
  response.setHeader('content-type', request.url.startsWith('/json') ? 'application/json' : 'text/plain');
  response.end(request.url.startsWith('/json') ? all : Object.values(process.env).join('\\n') + ' ' + sent.status);
}).listen(PORT);
`;

test('the secrets of an agent are in no record, line or span, also when the agent tells them itself', async () => {
  const paddock = await platform();
  const { api } = await paddock.person();
  const { id: project_id } = await api.projects.create({ name: 'talkative' });
  await api.governance.setDataProtection({ id: project_id, ...defaultDataProtection, keep_span_content: true });
  const files = { 'package.json': '{"type": "module", "scripts": {"start": "node server.js"}}', 'server.js': talkative };
  const variables = { API_KEY: 'plain-key-of-an-api', GREETING: 'good morning', SHOP_URL: 'https://ada:pass-of-ada@shop.example.com/' };
  const set = (values: Record<string, string>) =>
    api.variables.set({
      project_id,
      environment: 'production',
      variables: Object.entries(values).map(([key, value]) => ({ key, value, available_at_build: false })),
    });
  await set(variables);
  await reaches(api, (await deploy(api, project_id, files)).id, ['active']);
  await paddock.visit('talkative.localhost', '/text');
  // The first value is cached by now; the second one must be known at once.
  await set({ API_KEY: 'another-key-of-an-api' });
  const { id } = await deploy(api, project_id, files);
  await reaches(api, id, ['active']);
  await until('the new agent answers', async () => (await paddock.visit('talkative.localhost', '/')).body === id);
  const answers = [
    await paddock.visit('talkative.localhost', '/text'),
    await paddock.visit('talkative.localhost', '/json?key=another-key-of-an-api'),
  ];
  assert.ok(
    answers.every(({ body }) => body.includes('another-key-of-an-api') && body.includes('pass-of-ada')),
    'the visitor gets what the agent says',
  );
  const credential = /dep_[\w-]+\.[\w-]{43}/.exec(answers[0]!.body)![0];

  await until('all lines are stored', async () => (await api.logs.list({ id, search: 'told everything' })).logs.length === 2);
  await until('all exchanges are on record', async () => (await api.governance.auditLogs({ action_type: 'response' })).logs.length >= 3);
  const { logs } = await api.logs.list({ id, limit: 500 });
  const messages = logs.map(({ message }) => message);
  for (const line of ['API_KEY=***', 'GREETING=good morning', 'SHOP_URL=https://ada:***@shop.example.com/'])
    assert.ok(messages.includes(line), line);
  const dump = await everything(paddock.databaseUrl);
  assert.ok(dump.includes('good morning'), 'the dump holds what was stored');
  for (const value of ['plain-key-of-an-api', 'another-key-of-an-api', 'pass-of-ada', credential])
    assert.ok(!dump.includes(value), `${value} is in the database`);
});

/** Each row of each table as text. */
async function everything(databaseUrl: string): Promise<string> {
  const sql = connect(databaseUrl, { max: 1, name: 'dump' });
  const tables = await sql<{ table_name: string }[]>`
    select table_name
    from information_schema.tables
    where table_schema = 'public'
      and table_type = 'BASE TABLE'`;
  let dump = '';
  for (const { table_name } of tables) {
    const rows = await sql<{ row: string }[]>`select t::text as row from ${sql(table_name)} t`;
    dump += rows.map(({ row }) => row).join('\n');
  }
  await sql.end();
  return dump;
}
