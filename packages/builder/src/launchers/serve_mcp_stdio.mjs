// Serves an MCP server that only speaks over stdin and stdout as streamable HTTP at /mcp: serve_mcp_stdio.mjs -- COMMAND …
// Each session has a process of its own, as it would have beside a desktop client.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';

const command = process.argv.slice(process.argv.indexOf('--') + 1);
const limits = { sessions: 16, body: 4 * 1024 ** 2, waiting: 256, queued: 64, idleMs: 30 * 60_000, beginMs: 90_000 };
const sessions = new Map();
let info = {};

function open() {
  const [file, ...args] = command;
  const child = spawn(file, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const session = { id: randomUUID(), child, waiting: new Map(), queue: [], stream: null, open: new Set(), usedAt: Date.now() };
  child.stdin.on('error', (error) => console.error(`The MCP server takes no input: ${error.message}`));
  child.on('error', (error) => {
    console.error(`The MCP server did not start: ${error.message}`);
    close(session);
  });
  child.on('exit', () => close(session));
  createInterface({ input: child.stdout }).on('line', (line) => receive(session, line));
  return session;
}

function close(session) {
  sessions.delete(session.id);
  session.child.kill();
  for (const [id, answer] of session.waiting) answer({ jsonrpc: '2.0', id, error: { code: -32000, message: 'The MCP server has ended.' } });
  session.waiting.clear();
  session.stream?.end();
}

function receive(session, line) {
  let message;
  try {
    message = JSON.parse(line);
  } catch {
    console.log(line); // not the protocol: the line belongs into the log
    return;
  }
  const answer = message.method === undefined ? session.waiting.get(message.id) : undefined;
  if (answer !== undefined) {
    session.waiting.delete(message.id);
    answer(message);
    return;
  }
  const stream = session.stream ?? [...session.open].at(-1);
  if (stream !== undefined && stream !== null) event(stream, message);
  else if (session.queue.length < limits.queued) session.queue.push(message);
}

const send = (session, message) => session.child.stdin.write(`${JSON.stringify(message)}\n`);
const event = (response, message) => response.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);

function reply(response, status, { body, headers = {} } = {}) {
  response.writeHead(status, { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers });
  response.end(body === undefined ? undefined : JSON.stringify(body));
}
const refuse = (response, status, message) =>
  reply(response, status, { body: { jsonrpc: '2.0', id: null, error: { code: -32600, message } } });

async function readBody(request) {
  const parts = [];
  let size = 0;
  for await (const part of request) {
    size += part.length;
    if (size > limits.body) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

/** A new session; the session that was idle longest ends to make room. */
function admit() {
  if (sessions.size >= limits.sessions) {
    const idle = [...sessions.values()].filter((s) => s.waiting.size === 0).sort((a, b) => a.usedAt - b.usedAt)[0];
    if (idle === undefined) return undefined;
    close(idle);
  }
  const session = open();
  sessions.set(session.id, session);
  return session;
}

async function post(request, response) {
  const body = await readBody(request);
  if (body === undefined) return refuse(response, 413, 'The message is too large.');
  let message;
  try {
    message = JSON.parse(body);
  } catch {
    return refuse(response, 400, 'The body is not JSON.');
  }
  if (typeof message !== 'object' || message === null || Array.isArray(message)) return refuse(response, 400, 'Send one JSON-RPC message.');
  const begins = message.method === 'initialize';
  const session = begins ? admit() : sessions.get(String(request.headers['mcp-session-id']));
  if (session === undefined)
    return begins ? refuse(response, 503, 'Too many sessions are busy.') : refuse(response, 404, 'No such session: send initialize first.');
  session.usedAt = Date.now();
  const headers = { 'mcp-session-id': session.id };
  if (message.method === undefined || message.id === undefined) {
    send(session, message);
    return reply(response, 202, { headers });
  }
  if (session.waiting.size >= limits.waiting) return refuse(response, 429, 'Too many requests wait for an answer.');
  const streams = String(request.headers.accept).includes('text/event-stream');
  if (streams) {
    response.writeHead(200, { ...headers, 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
    response.flushHeaders();
    session.open.add(response);
    response.on('close', () => session.open.delete(response));
    if (session.stream === null) for (const earlier of session.queue.splice(0)) event(response, earlier);
  }
  session.waiting.set(message.id, (answer) => {
    session.usedAt = Date.now();
    if (!streams) return reply(response, 200, { body: answer, headers });
    event(response, answer);
    response.end();
  });
  send(session, message);
}

function get(request, response) {
  if (!String(request.headers.accept).includes('text/event-stream')) return refuse(response, 405, 'Ask for text/event-stream.');
  const session = sessions.get(String(request.headers['mcp-session-id']));
  if (session === undefined) return refuse(response, 404, 'No such session: send initialize first.');
  if (session.stream !== null) return refuse(response, 409, 'The session has a stream already.');
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache', 'mcp-session-id': session.id });
  response.flushHeaders();
  session.stream = response;
  response.on('close', () => (session.stream = null));
  for (const earlier of session.queue.splice(0)) event(response, earlier);
}

function route(request, response) {
  const path = new URL(request.url ?? '/', 'http://agent').pathname;
  if (path === '/') return reply(response, 200, { body: { ...info, transport: 'streamable-http', endpoint: '/mcp' } });
  if (path !== '/mcp') return refuse(response, 404, 'The MCP endpoint is /mcp.');
  if (request.method === 'POST') return post(request, response);
  if (request.method === 'GET') return get(request, response);
  const session = sessions.get(String(request.headers['mcp-session-id']));
  if (request.method !== 'DELETE') return refuse(response, 405, 'Use POST, GET or DELETE.');
  if (session === undefined) return refuse(response, 404, 'No such session.');
  close(session);
  reply(response, 204);
}

/** Starts the server once before the bridge listens. If the server does not start and speak, its own exit code and output say why. */
function introduce() {
  return new Promise((resolve) => {
    const first = open();
    const late = setTimeout(() => fail('did not answer “initialize” in time', 1), limits.beginMs);
    const ended = (code) => fail(`ended with exit code ${code} before it answered “initialize”`, code || 1);
    first.child.on('exit', ended);
    first.child.on('error', () => process.exit(127));
    first.waiting.set('paddock', (answer) => {
      if (first.child.exitCode !== null || first.child.signalCode !== null) return; // told by its exit
      if (answer.error !== undefined) return fail(`refused “initialize”: ${answer.error.message}`, 1);
      clearTimeout(late);
      first.child.off('exit', ended);
      close(first);
      resolve(answer.result?.serverInfo ?? {});
    });
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'paddock', version: '1' } };
    send(first, { jsonrpc: '2.0', id: 'paddock', method: 'initialize', params });
  });
}

function fail(how, code) {
  console.error(`The MCP server ${how}.`);
  process.exit(code);
}

for (const signal of ['SIGTERM', 'SIGINT']) {
  process.on(signal, () => {
    for (const session of [...sessions.values()]) close(session);
    process.exit(0);
  });
}
setInterval(() => {
  for (const session of [...sessions.values()]) {
    session.stream?.write(': still here\n\n');
    const isIdle = session.waiting.size === 0 && session.stream === null && Date.now() - session.usedAt > limits.idleMs;
    if (isIdle) close(session);
  }
}, 25_000).unref();

info = await introduce();
createServer((request, response) => {
  Promise.resolve(route(request, response)).catch((error) => {
    console.error(error);
    response.destroy();
  });
}).listen(Number(process.env.PORT), '0.0.0.0', () => console.log(`MCP over HTTP at /mcp, for: ${command.join(' ')}`));
