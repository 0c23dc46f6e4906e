// An agent whose model and tool calls can be followed. It names no address for its traces: whoever runs it sets OTEL_EXPORTER_OTLP_ENDPOINT.
import { createServer } from 'node:http';
import { OpenAIInstrumentation } from '@arizeai/openinference-instrumentation-openai';
import { context, propagation, SpanKind, trace } from '@opentelemetry/api';
import { NodeSDK } from '@opentelemetry/sdk-node';
import OpenAI from 'openai';
import { scripted } from './model.js';

const { PORT = '8080', OPENAI_API_KEY, MODEL = 'gpt-4o-mini' } = process.env;
const MAX_BODY = 1024 * 1024;
const MAX_STEPS = 5;

const instrumentation = new OpenAIInstrumentation();
instrumentation.manuallyInstrument(OpenAI);
const sdk = new NodeSDK({ instrumentations: [instrumentation] });
sdk.start();

const client = OPENAI_API_KEY ? new OpenAI() : new OpenAI({ apiKey: 'none', fetch: scripted });
const tracer = trace.getTracer('traced-agent');
const tools = [
  {
    type: 'function',
    function: {
      name: 'count_words',
      description: 'Counts the words of a text.',
      parameters: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
    },
  },
];

/** Runs work within a span; an error ends the span as failed. */
const within = (name, options, work) =>
  tracer.startActiveSpan(name, options, async (span) => {
    try {
      return await work(span);
    } catch (error) {
      span.recordException(error);
      span.setStatus({ code: 2, message: error.message });
      throw error;
    } finally {
      span.end();
    }
  });

const countWords = ({ text }) =>
  within('execute_tool count_words', { attributes: { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'count_words' } }, () =>
    String(String(text).trim().split(/\s+/).length),
  );

const answer = (prompt) =>
  within('invoke_agent words', { attributes: { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'words' } }, async (span) => {
    console.log(JSON.stringify({ level: 'info', message: 'asked', trace_id: span.spanContext().traceId }));
    const messages = [{ role: 'user', content: prompt }];
    for (let step = 0; step < MAX_STEPS; step++) {
      const { choices } = await client.chat.completions.create({ model: MODEL, messages, tools });
      const { message } = choices[0];
      messages.push(message);
      if (!message.tool_calls?.length) return message.content;
      for (const call of message.tool_calls)
        messages.push({ role: 'tool', tool_call_id: call.id, content: await countWords(JSON.parse(call.function.arguments)) });
    }
    return `I gave up after ${MAX_STEPS} steps.`;
  });

async function bodyOf(request) {
  let body = '';
  for await (const part of request.setEncoding('utf8')) {
    body += part;
    if (body.length > MAX_BODY) throw Object.assign(new Error('The request is too large.'), { status: 413 });
  }
  return body;
}

const server = createServer((request, response) => {
  const reply = (status, value) => response.writeHead(status, { 'content-type': 'application/json' }).end(`${JSON.stringify(value)}\n`);
  const { pathname } = new URL(request.url, 'http://agent');
  if (request.method === 'GET' && pathname === '/') return reply(200, { usage: 'POST /invocations {"prompt": "How many words are these?"}' });
  if (request.method !== 'POST' || pathname !== '/invocations') return reply(404, { error: 'Not found' });
  // The trace goes on that the caller began.
  const caller = propagation.extract(context.active(), request.headers);
  void context.with(caller, () =>
    within('POST /invocations', { kind: SpanKind.SERVER }, async () => {
      const body = await bodyOf(request);
      let prompt;
      try {
        prompt = String(JSON.parse(body).prompt ?? '');
      } catch {
        return reply(400, { error: 'Send JSON such as {"prompt": "How many words are these?"}' });
      }
      reply(200, { answer: await answer(prompt) });
    }).catch((error) => {
      console.error(error.message);
      if (!response.headersSent) reply(error.status ?? 502, { error: error.message });
    }),
  );
});

server.listen(Number(PORT), () => console.log(`Traced agent listens on port ${PORT}`));

process.once('SIGTERM', () => {
  server.close(() => sdk.shutdown().finally(() => process.exit(0)));
  server.closeIdleConnections();
});
