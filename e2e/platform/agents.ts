/** Agents without dependencies, so that a build is as short as possible. */

/** An agent with a page of its own, which echoes questions. */
export const talkingAgent = (version: string) => ({
  'package.json': JSON.stringify({ name: 'talking-agent', private: true, scripts: { start: 'node server.js' } }),
  'server.js': `
const { createServer } = require('node:http');
const page = '<!doctype html><html lang="en"><title>Agent</title><link rel="icon" href="data:,"><h1>Hello from ${version}</h1>' +
  '<form><input aria-label="Question"><button>Ask</button></form><output></output>' +
  '<script>document.forms[0].onsubmit = async (event) => { event.preventDefault();' +
  'const answer = await fetch("/ask", { method: "POST", body: document.querySelector("input").value });' +
  'document.querySelector("output").textContent = await answer.text(); }</script>';
createServer(async (request, response) => {
  if (request.url !== '/ask') return response.writeHead(200, { 'content-type': 'text/html' }).end(page);
  let question = '';
  for await (const piece of request) question += piece;
  console.log('asked: ' + question);
  response.end('You asked: ' + question);
}).listen(process.env.PORT, () => console.log('${version} listens'));
`,
});

/** An agent that exits before it listens. */
export const brokenAgent = {
  'server.js': `
console.error('Error: the model file is missing');
process.exit(3);
require('node:http').createServer().listen(process.env.PORT);
`,
};

/** An agent that logs each line that it receives; a GET answers with a variable of its environment. */
export const printingAgent = {
  'server.js': `
const { createServer } = require('node:http');
createServer(async (request, response) => {
  if (request.method === 'GET') return response.end(String(process.env[request.url.slice(1)]));
  let body = '';
  for await (const piece of request) body += piece;
  for (const line of JSON.parse(body)) console.log(line);
  response.end('printed');
}).listen(process.env.PORT, () => console.log('printer listens'));
`,
};

/** An agent that sends a span of a model call for each request, as an OpenTelemetry SDK does, and logs the trace id. */
export const tracedAgent = {
  'server.js': `
const { createServer } = require('node:http');
const pairs = (process.env.OTEL_EXPORTER_OTLP_HEADERS || '').split(',').map((pair) => [pair.slice(0, pair.indexOf('=')), decodeURIComponent(pair.slice(pair.indexOf('=') + 1))]);
const headers = { ...Object.fromEntries(pairs), 'content-type': 'application/json' };
const attributes = Object.entries({
  'gen_ai.operation.name': 'chat', 'gen_ai.provider.name': 'openai', 'gen_ai.request.model': 'gpt-5-mini',
  'gen_ai.usage.input_tokens': 1000, 'gen_ai.usage.output_tokens': 100, 'gen_ai.input.messages': 'the secret of a prompt',
}).map(([key, value]) => ({ key, value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value } }));
createServer(async (request, response) => {
  const [, traceId, parentSpanId] = String(request.headers.traceparent).split('-');
  if (request.method === 'GET') return response.end('up');
  const ns = (ms) => String(BigInt(ms) * 1000000n);
  const span = { traceId, parentSpanId, spanId: '00f067aa0ba902b7', name: 'chat gpt-5-mini', kind: 3, attributes,
    startTimeUnixNano: ns(Date.now()), endTimeUnixNano: ns(Date.now() + 5) };
  const body = JSON.stringify({ resourceSpans: [{ resource: { attributes: [] }, scopeSpans: [{ spans: [span] }] }] });
  const sent = await fetch(process.env.OTEL_EXPORTER_OTLP_ENDPOINT + '/v1/traces', { method: 'POST', headers, body });
  console.log('the platform answered ' + sent.status + ' trace_id=' + traceId);
  response.end('done');
}).listen(process.env.PORT);
`,
};
