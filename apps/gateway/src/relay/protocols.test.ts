import assert from 'node:assert/strict';
import { type IncomingHttpHeaders, request } from 'node:http';
import { after, before, test } from 'node:test';
import { type Fixture, startAgent, startFixture } from '../../test/fixture.ts';

let fixture: Fixture;
before(async () => {
  fixture = await startFixture();
});
after(() => fixture.close());

/** Headers that clients of these protocols send, as their specifications name them. */
const spoken = {
  'mcp-session-id': '1868a90c-0f2b-4b7e-9d0a-6f0b2f7f1c11',
  'mcp-protocol-version': '2025-06-18',
  'last-event-id': 'event-42',
  'x-amzn-bedrock-agentcore-runtime-session-id': 'session-0123456789-0123456789-0123456789',
  'x-amzn-bedrock-agentcore-runtime-user-id': 'ada',
  'a2a-version': '1.0',
  'a2a-extensions': 'https://example.org/ext/v1',
  authorization: 'Bearer sk-agent',
  'openai-organization': 'org-1',
  'x-stainless-lang': 'js',
  accept: 'application/json, text/event-stream',
};

test('what MCP, AgentCore, A2A and OpenAI clients send and are sent passes unchanged, and events come one by one', async () => {
  const seen: { line: string; headers: IncomingHttpHeaders; body: string }[] = [];
  let next: () => void = () => undefined;
  const agent = await startAgent((req, res) => {
    void req.toArray().then((pieces) => {
      seen.push({ line: `${req.method} ${req.url}`, headers: req.headers, body: Buffer.concat(pieces).toString() });
      const { 'mcp-session-id': session, 'x-amzn-bedrock-agentcore-runtime-session-id': runtime } = spoken;
      res.writeHead(200, {
        ...{ 'content-type': 'text/event-stream', 'mcp-session-id': session, 'x-amzn-bedrock-agentcore-runtime-session-id': runtime },
        ...{ 'cache-control': 'no-cache, no-transform', 'x-accel-buffering': 'no', 'openai-processing-ms': '7' },
      });
      const events = ['id: 1\nevent: message\ndata: {"a":1}\n\n', ': ping\n\n', 'data: [DONE]\n\n'];
      next = () => {
        const event = events.shift();
        if (event) res.write(event);
        else res.end();
      };
      next();
    });
  });
  await fixture.route('spoken', agent);
  for (const path of ['/mcp', '/invocations', '/v1/chat/completions', '/a2a']) {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { ü: '\u2028' } });
    const pieces: string[] = [];
    const headers = await new Promise<IncomingHttpHeaders>((resolve, reject) => {
      const call = request(
        { port: fixture.gateway.port, method: 'POST', path, headers: { host: 'spoken.localhost', ...spoken } },
        (res) => {
          // The agent sends the next event only once this one has arrived here.
          res.on('data', (piece: Buffer) => {
            pieces.push(String(piece));
            next();
          });
          res.on('end', () => resolve(res.headers));
        },
      );
      call.on('error', reject);
      call.end(body);
    });
    assert.deepEqual(pieces, ['id: 1\nevent: message\ndata: {"a":1}\n\n', ': ping\n\n', 'data: [DONE]\n\n'], path);
    const got = seen.pop()!;
    assert.equal(got.line, `POST ${path}`);
    assert.equal(got.body, body);
    for (const [name, value] of Object.entries(spoken)) assert.equal(got.headers[name], value, name);
    assert.equal(headers['mcp-session-id'], spoken['mcp-session-id']);
    assert.equal(headers['x-amzn-bedrock-agentcore-runtime-session-id'], spoken['x-amzn-bedrock-agentcore-runtime-session-id']);
    assert.equal(headers['content-type'], 'text/event-stream');
    assert.equal(headers['openai-processing-ms'], '7');
  }
  await agent.close();
});

test('the end of an MCP session passes: DELETE with its id, and a GET that waits for events of the server', async () => {
  const lines: string[] = [];
  const agent = await startAgent((req, res) => {
    lines.push(`${req.method} ${req.headers['mcp-session-id']}`);
    res.writeHead(req.method === 'DELETE' ? 204 : 405).end();
  });
  await fixture.route('ended', agent);
  for (const method of ['DELETE', 'GET']) {
    const status = await new Promise((resolve, reject) => {
      const headers = { host: 'ended.localhost', 'mcp-session-id': 's-1' };
      const call = request({ port: fixture.gateway.port, method, path: '/mcp', headers }, (res) => resolve(res.resume().statusCode));
      call.on('error', reject);
      call.end();
    });
    assert.equal(status, method === 'DELETE' ? 204 : 405);
  }
  assert.deepEqual(lines, ['DELETE s-1', 'GET s-1']);
  await agent.close();
});
