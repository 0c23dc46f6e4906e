import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Span, Trace } from '@paddock/contract';
import { parseDuration } from '../commands/traces.ts';
import { run, type Script, scriptedApi } from '../databases/scripted-api.ts';

const id = '4bf92f3577b34da6a3ce929d0e0e4736';
const trace = (more: Partial<Trace> = {}): Trace => ({
  trace_id: id,
  deployment_id: 'dep_chat',
  name: 'POST /v1/chat/completions',
  started_at: '2026-01-31T12:00:00.000Z',
  duration_ms: 1840,
  status: 'ok',
  span_count: 3,
  input_tokens: 1480,
  output_tokens: 64,
  cost_usd: 0.0123,
  unpriced_models: [],
  models: ['gpt-5-mini'],
  ...more,
});
const span = (span_id: string, parent_span_id: string | null, more: Partial<Span> = {}): Span => ({
  span_id,
  parent_span_id,
  name: span_id,
  kind: 'internal',
  type: 'other',
  origin: 'agent',
  started_at: '2026-01-31T12:00:00.000Z',
  offset_ms: 0,
  duration_ms: 10,
  status: 'unset',
  status_message: null,
  provider: null,
  model: null,
  input_tokens: null,
  cached_tokens: null,
  cache_write_tokens: null,
  output_tokens: null,
  reasoning_tokens: null,
  first_chunk_ms: null,
  cost_usd: null,
  is_counted: true,
  attributes: {},
  events: [],
  dropped: 0,
  content_dropped: 0,
  ...more,
});
const nothingLost = { spans: 0, requests: 0, content: 0, unused: 0 };

const server = (t: TestContext, script: Script) =>
  scriptedApi(t, {
    'GET /deployments/dep_chat': () => deployment,
    'GET /projects': () => ({ projects: [{ id: 'prj_chat', name: 'chat' }], next_cursor: null }),
    'GET /deployments': () => ({ deployments: [deployment], next_cursor: null, total: 1, active: 1 }),
    ...script,
  });
const deployment = {
  id: 'dep_chat',
  project_id: 'prj_chat',
  project_name: 'chat',
  environment: 'production',
  status: 'active',
  is_current: true,
};

test('traces are listed by the filters that were typed, with what they took and cost', async (t) => {
  let asked: Record<string, unknown> = {};
  const { url } = await server(t, {
    'GET /deployments/dep_chat/traces': (input) => {
      asked = input;
      const unpriced = trace({
        trace_id: id.replace('4', '5'),
        status: 'error',
        cost_usd: null,
        unpriced_models: ['m'],
        models: ['m', 'n', 'o'],
      });
      return { traces: [trace(), unpriced], next_cursor: 'more', models: [], lost: { ...nothingLost, spans: 12, content: 3 } };
    },
  });
  const typed = [
    'dep_chat',
    '--status',
    'error',
    '--model',
    'gpt-5-mini',
    '--min-duration',
    '1.5s',
    '--since',
    '2026-01-31T00:00:00Z',
    '-n',
    '2',
  ];
  const { code, out, notes } = await run(url, ['traces', ...typed]);
  assert.deepEqual(
    [code, asked],
    [0, { limit: '2', date_from: '2026-01-31T00:00:00.000Z', status: 'error', model: 'gpt-5-mini', min_duration_ms: '1500' }],
  );
  const [, first, second] = out.split('\n');
  assert.match(
    first ?? '',
    /^4bf9\w+ +2026-01-31 12:00:00 +POST \/v1\/chat\/completions +1\.84 s +ok +3 +1\.5K in, 64 out +\$0\.01 +gpt-5-mini$/,
  );
  assert.match(second ?? '', /error +3 +1\.5K in, 64 out +no price +m, n \+ 1$/);
  assert.match(notes, /There are more\./);
  assert.match(notes, /Not stored in the last 24 hours: 12 spans, 3 attributes with prompts and answers\./);
});

test('a trace is printed as the tree of its spans, and nothing that an agent named acts on the terminal', async (t) => {
  const spans = [
    span('root', null, { name: 'POST /chat', type: 'request' }),
    span('call', 'root', {
      name: 'chat \u202e\x1b[2Jmodel',
      type: 'model',
      model: 'm',
      input_tokens: 1200,
      output_tokens: 30,
      offset_ms: 40,
      duration_ms: 900,
    }),
    span('tool', 'call', { name: 'execute_tool', type: 'tool', status: 'error', status_message: 'no\nanswer', offset_ms: 50 }),
    span('orphan', 'gone', { name: 'orphan', offset_ms: 60 }),
  ];
  const { url } = await server(t, { [`GET /deployments/dep_chat/traces/${id}`]: () => ({ ...trace({ span_count: 5 }), spans }) });
  const { code, out } = await run(url, ['traces', 'dep_chat', id.toUpperCase()]);
  assert.equal(code, 0);
  const lines = out.split('\n');
  assert.ok(lines.includes('Duration  1.84 s'));
  const from = lines.findIndex((line) => line.startsWith('SPAN'));
  assert.deepEqual(
    lines.slice(from + 1, from + 6).map((line) => line.replaceAll(/ {2,}(?=\S)/g, (gap, at) => (at === 0 ? gap : '  '))),
    [
      'POST /chat  request  0 ms  10 ms',
      '  chat model  model  40 ms  900 ms  1.2K in, 30 out  no price',
      '    execute_tool  tool  50 ms  10 ms  error: no answer',
      'orphan  60 ms  10 ms',
      '4 of 5 spans are kept.',
    ],
  );
});

test('a program reads what the server answered, and a wrong id or time is told before anything is asked', async (t) => {
  const { url, asked } = await server(t, { [`GET /deployments/dep_chat/traces/${id}`]: () => ({ ...trace(), spans: [] }) });
  const { out } = await run(url, ['traces', 'dep_chat', id], { json: true });
  assert.deepEqual(JSON.parse(out), { ...trace(), spans: [] });
  asked.length = 0;
  for (const wrong of [
    ['dep_chat', 'abc'],
    ['dep_chat', '--min-duration', '5'],
    ['dep_chat', '--since', 'soon'],
    ['dep_chat', '-n', '501'],
  ])
    assert.equal((await run(url, ['traces', ...wrong])).code, 2, wrong.join(' '));
  assert.deepEqual(asked, []);
});

test('a least duration is a number with its unit', () => {
  assert.deepEqual(['500ms', '1.5s', '2m', '24h', '0ms'].map(parseDuration), [500, 1500, 120_000, 86_400_000, 0]);
  for (const wrong of ['500', 's', '-1s', '25h', '1e3ms', '', '1d']) assert.throws(() => parseDuration(wrong), { code: 'usage' }, wrong);
});
