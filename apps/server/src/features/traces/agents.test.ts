import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { test } from 'node:test';
import { ApiError, type TraceDetail } from '@paddock/contract';
import { deploy, type Platform, reaches, startPlatform, until } from '../../../test/platform.ts';
import type { Api } from '../../../test/server.ts';

let shared: Promise<Platform> | undefined;
const platform = () => (shared ??= startPlatform(undefined));

/** Sends a request to an agent through the gateway. */
async function ask({ gatewayPort }: Platform, host: string, { body, headers = {} }: { body: object; headers?: Record<string, string> }) {
  const call = request({
    host: '127.0.0.1',
    port: gatewayPort,
    path: '/invocations',
    method: 'POST',
    agent: false,
    headers: { host, ...headers },
  });
  call.end(JSON.stringify(body));
  const [answer] = (await once(call, 'response')) as [IncomingMessage];
  let text = '';
  for await (const part of answer.setEncoding('utf8')) text += part;
  return { status: answer.statusCode, text, trace_id: String(answer.headers['x-trace-id'] ?? '') };
}

async function traceOf(api: Api, id: string, { trace_id, spans }: { trace_id: string; spans: number }): Promise<TraceDetail> {
  let found: TraceDetail | undefined;
  await until(`${spans} spans of ${trace_id}`, async () => {
    found = await api.traces.get({ id, trace_id }).catch((error: unknown) => {
      if (error instanceof ApiError && error.code === 'trace_not_found') return undefined;
      throw error;
    });
    return (found?.span_count ?? 0) >= spans;
  });
  return found!;
}

const shape = ({ spans }: TraceDetail) => {
  const name = new Map(spans.map((span) => [span.span_id, span.name]));
  return spans.map(({ type, name: own, parent_span_id }) => `${type}: ${own} in ${name.get(parent_span_id ?? '') ?? '-'}`).sort();
};

test('agents with unmodified OpenTelemetry SDKs show their model and tool calls, with tokens and cost, in one trace with the request', async () => {
  const paddock = await platform();
  const { api } = await paddock.person();
  const made = [];
  for (const [sample, call] of [
    ['traced-node', 'OpenAI Chat Completions'],
    ['traced-python', 'ChatCompletion'],
  ] as const) {
    const { id: project_id } = await api.projects.create({ name: `ex-${sample}` });
    made.push({ sample, call, id: (await api.deployments.sample({ project_id, sample })).id });
  }
  for (const { sample, call, id } of made) {
    await reaches(api, id, ['active']);
    const answer = await ask(paddock, `ex-${sample}.localhost`, { body: { prompt: 'How many words are these?' } });
    assert.deepEqual([answer.status, JSON.parse(answer.text)], [200, { answer: 'Your question has 5 words.' }]);
    assert.match(answer.trace_id, /^[0-9a-f]{32}$/);
    const trace = await traceOf(api, id, { trace_id: answer.trace_id, spans: 6 });
    assert.deepEqual(shape(trace), [
      'agent: invoke_agent words in POST /invocations',
      `model: ${call} in invoke_agent words`,
      `model: ${call} in invoke_agent words`,
      'other: POST /invocations in POST /invocations',
      'request: POST /invocations in -',
      'tool: execute_tool count_words in invoke_agent words',
    ]);
    const { status, input_tokens, output_tokens, models, unpriced_models } = trace;
    assert.deepEqual(
      { status, input_tokens, output_tokens, models, unpriced_models },
      { status: 'ok', input_tokens: 240, output_tokens: 60, models: ['gpt-4o-mini'], unpriced_models: [] },
    );
    assert.ok(trace.cost_usd! > 0);
    const lines = async () => (await api.logs.list({ id, search: answer.trace_id })).logs;
    await until('the line that the agent wrote within the trace is found by its id', async () => (await lines()).length > 0);
    assert.equal((await lines()).length, 1);
  }
});

const told = `
import { createServer } from 'node:http';
createServer((request, response) => {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: headers } = process.env;
  response.end(JSON.stringify({ endpoint, headers: headers ?? null, name: process.env.OTEL_SERVICE_NAME ?? null }));
}).listen(process.env.PORT);
`;

test("a person's own address for traces wins, and does not get the credential of the deployment", async () => {
  const paddock = await platform();
  const { api } = await paddock.person();
  const { id: project_id } = await api.projects.create({ name: 'told' });
  const files = { 'package.json': '{"type": "module", "scripts": {"start": "node server.js"}}', 'server.js': told };
  const seen = async () => JSON.parse((await paddock.visit('told.localhost')).body) as { endpoint: string; headers: string; name: string };
  await reaches(api, (await deploy(api, project_id, files)).id, ['active']);
  const ours = await seen();
  assert.match(ours.endpoint, /^http:\/\/127\.0\.0\.1:\d+$/);
  assert.match(ours.headers, /^x-paddock-otlp=dep_/);
  assert.equal(ours.name, 'told');
  const own = { key: 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', value: 'https://example.com/v1/traces' };
  await api.variables.set({ project_id, environment: 'production', variables: [own] });
  await reaches(api, (await deploy(api, project_id, files)).id, ['active']);
  await until('visitors reach the new one', async () => (await seen()).endpoint !== ours.endpoint);
  assert.deepEqual(await seen(), { headers: null, name: null });
});
