import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { reply } from './reply.js';

const PORT = Number(process.env.PORT ?? 8080);
const MODEL = 'chat-example';
const MAX_BODY_BYTES = 1024 * 1024;
const page = readFileSync(new URL('./index.html', import.meta.url));

const server = createServer((request, response) => {
  handle(request, response).catch((error) => {
    console.error(`${request.method} ${request.url} failed:`, error.message);
    if (response.headersSent) response.destroy();
    else send(response, error.status ?? 500, { error: { message: error.status ? error.message : 'Internal error' } });
  });
});

async function handle(request, response) {
  const { pathname } = new URL(request.url, 'http://agent');
  switch (`${request.method} ${pathname}`) {
    case 'GET /':
      return response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page);
    case 'GET /health':
      return send(response, 200, { status: 'ok' });
    case 'GET /v1/models':
      return send(response, 200, { object: 'list', data: [{ id: MODEL, object: 'model' }] });
    case 'POST /v1/chat/completions':
      return complete(await readJson(request), response);
    default:
      return send(response, 404, { error: { message: `No such path: ${pathname}` } });
  }
}

async function complete({ messages, stream }, response) {
  if (!Array.isArray(messages)) throw Object.assign(new Error('"messages" must be a list'), { status: 400 });
  const answer = reply(messages);
  console.log(`answered ${answer.length} characters${stream ? ', streamed' : ''}`);
  const head = { id: `chatcmpl-${randomUUID()}`, created: Math.floor(Date.now() / 1000), model: MODEL };
  if (!stream) {
    const message = { role: 'assistant', content: answer };
    return send(response, 200, { ...head, object: 'chat.completion', choices: [{ index: 0, message, finish_reason: 'stop' }] });
  }
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  const chunk = (delta, finish_reason = null) => {
    const data = { ...head, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }] };
    response.write(`data: ${JSON.stringify(data)}\n\n`);
  };
  chunk({ role: 'assistant', content: '' });
  for (const word of answer.split(/(?<=\s)/)) {
    if (response.destroyed) return; // the reader has gone
    chunk({ content: word });
    await delay(30);
  }
  chunk({}, 'stop');
  response.end('data: [DONE]\n\n');
}

async function readJson(request) {
  let body = '';
  for await (const piece of request.setEncoding('utf8')) {
    body += piece;
    if (body.length > MAX_BODY_BYTES) throw Object.assign(new Error('The request is too large'), { status: 413 });
  }
  try {
    return JSON.parse(body) ?? {};
  } catch {
    throw Object.assign(new Error('The request is not JSON'), { status: 400 });
  }
}

function send(response, status, value) {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

server.listen(PORT, () => console.log(`Chat agent listens on port ${PORT}`));
process.on('SIGTERM', () => server.close(() => process.exit(0)));
