import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';

const PORT = Number(process.env.PORT ?? 8080);
const MAX_BODY_BYTES = 1024 * 1024;

/** The address that a client used to get the card is the one where it goes on. */
const card = (host) => ({
  protocolVersion: '0.3.0',
  name: 'Word counter',
  description: 'Counts the words of a text.',
  version: '1.0.0',
  url: `http://${host}/a2a`,
  preferredTransport: 'JSONRPC',
  // Clients of version 1 of the protocol look here.
  supportedInterfaces: [{ url: `http://${host}/a2a`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
  capabilities: { streaming: false },
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [{ id: 'count', name: 'Count words', description: 'Tells how many words a text has.', tags: ['text'], examples: ['How many words?'] }],
});

const server = createServer((request, response) => {
  handle(request, response).catch((error) => {
    console.error(`${request.method} ${request.url} failed:`, error.message);
    send(response, 500, { error: 'Internal error' });
  });
});

async function handle(request, response) {
  const { pathname } = new URL(request.url, 'http://agent');
  if (pathname === '/.well-known/agent-card.json' && request.method === 'GET')
    return send(response, 200, card(request.headers.host ?? `localhost:${PORT}`));
  if (pathname === '/a2a' && request.method === 'POST') return send(response, 200, answerTo(await readBody(request)));
  return send(response, 404, { error: `No such path: ${pathname}` });
}

function answerTo(body) {
  const failure = (code, message, id = null) => ({ jsonrpc: '2.0', id, error: { code, message } });
  let call;
  try {
    call = JSON.parse(body);
  } catch {
    return failure(-32700, 'The request is not JSON');
  }
  const id = call?.id ?? null;
  const isNew = call?.method === 'SendMessage';
  if (!isNew && call?.method !== 'message/send') return failure(-32601, `No such method: ${call?.method}`, id);
  const parts = call.params?.message?.parts;
  if (!Array.isArray(parts)) return failure(-32602, 'params.message.parts must be a list', id);
  const text = parts.map((part) => part?.text ?? '').join(' ');
  const count = text.split(/\s+/).filter(Boolean).length;
  console.log(`counted ${count} words`);
  const said = `${count} word${count === 1 ? '' : 's'}`;
  const messageId = randomUUID();
  if (isNew) return { jsonrpc: '2.0', id, result: { message: { role: 'ROLE_AGENT', messageId, parts: [{ text: said }] } } };
  return { jsonrpc: '2.0', id, result: { kind: 'message', role: 'agent', messageId, parts: [{ kind: 'text', text: said }] } };
}

async function readBody(request) {
  let body = '';
  for await (const piece of request.setEncoding('utf8')) {
    body += piece;
    if (body.length > MAX_BODY_BYTES) throw new Error('The request is too large');
  }
  return body;
}

function send(response, status, value) {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

server.listen(PORT, () => console.log(`A2A agent listens on port ${PORT}`));
process.on('SIGTERM', () => server.close(() => process.exit(0)));
