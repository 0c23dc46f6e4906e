import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { WebSocketServer } from 'ws';
import { deploy, type Platform, reaches, startPlatform, until } from '../../../../../test/platform.ts';
import visits from './fixtures/streamlit-visits.json' with { type: 'json' };
import { visitStreamlit } from './streamlit.ts';

// The fixtures are what Streamlit 1.40 answered to this visit: a page of two texts, one that reads an absent variable after its title, and
// one that shows an exception which it caught, and a text after it.

const signal = new AbortController().signal;

/** A server that answers a visit by these messages, each in base64. */
async function serving(t: TestContext, messages: string[]): Promise<{ host: string; port: number; url: string; paths: string[] }> {
  const paths: string[] = [];
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  t.after(() => server.close());
  server.on('connection', (socket, request) => {
    paths.push(`${request.headers.host}${request.url}`);
    socket.once('message', (sent: Buffer) => {
      if (!sent.equals(Buffer.from([0x5a, 0]))) return socket.close();
      for (const message of messages) socket.send(Buffer.from(message, 'base64'));
    });
  });
  await once(server, 'listening');
  return { host: '127.0.0.1', port: (server.address() as AddressInfo).port, url: 'http://chat.localhost:8080', paths };
}

test('a Streamlit page whose script raises is recognised by one visit, under the host of its visitors', async (t) => {
  const page = await serving(t, visits.raises);
  assert.equal(await visitStreamlit(page, signal), 'KeyError');
  assert.deepEqual(page.paths, ['chat.localhost:8080/_stcore/stream']);
});

test('a page that works, or shows an exception that it caught, is visited without complaint', async (t) => {
  assert.equal(await visitStreamlit(await serving(t, visits.works), signal), undefined);
  assert.equal(await visitStreamlit(await serving(t, visits.shows), signal), undefined);
});

test('what is not Streamlit, or ends in the middle, has raised nothing', async (t) => {
  assert.equal(await visitStreamlit(await serving(t, [Buffer.from('not a message').toString('base64')]), signal), undefined);
  const nobody = await serving(t, []);
  const leaving = new AbortController();
  const visit = visitStreamlit(nobody, leaving.signal);
  leaving.abort();
  assert.equal(await visit, undefined);
  assert.equal(await visitStreamlit({ ...nobody, port: 1 }, signal), undefined);
});

/** Listens at once, and runs its "script" for a visitor only: it wants SOME_API_KEY. */
const page = `
const { createHash } = require('node:crypto');
const server = require('node:http').createServer((q, r) => r.end('the shell of the page'));
const visits = ${JSON.stringify({ raises: visits.raises, works: visits.works })};
server.on('upgrade', (q, socket) => {
  const key = createHash('sha1').update(q.headers['sec-websocket-key'] + '258EAFA5-E914-47DA-95CA-C5AB0DC85B11').digest('base64');
  socket.on('error', () => undefined);
  socket.write('HTTP/1.1 101 Switching Protocols\\r\\nupgrade: websocket\\r\\nconnection: upgrade\\r\\nsec-websocket-accept: ' + key + '\\r\\n\\r\\n');
  socket.once('data', () => {
    const works = process.env.SOME_API_KEY !== undefined;
    if (!works) console.error('Traceback (most recent call last):\\n  File "/app/app.py", line 3, in <module>\\nKeyError: \\'SOME_API_KEY\\'');
    for (const text of works ? visits.works : visits.raises) {
      const body = Buffer.from(text, 'base64');
      const head = body.length < 126 ? Buffer.from([0x82, body.length]) : Buffer.from([0x82, 126, body.length >> 8, body.length & 255]);
      socket.write(Buffer.concat([head, body]));
    }
  });
});
server.listen(process.env.PORT);`;

const lines = async (api: Awaited<ReturnType<Platform['person']>>['api'], id: string) =>
  (await api.logs.list({ id })).logs.map(({ message }) => message);

test('a page that raises for its visitors fails its start with the cause, and its predecessor serves on', async (t) => {
  const paddock = await startPlatform(t);
  const { api } = await paddock.person();
  const { id } = await api.projects.create({ name: 'shown' });
  const first = await deploy(api, id, { 'server.js': `require('http').createServer((q, r) => r.end('before')).listen(process.env.PORT)` });
  await reaches(api, first.id, ['active']);
  const files = { 'paddock.yaml': 'start: node ./streamlit\n', streamlit: page, 'package.json': '{}' };
  const failed = await reaches(api, (await deploy(api, id, files)).id, ['failed']);
  assert.match(
    failed.error_message ?? '',
    /^Start failed: the page answers, but its script raised an error at the first visit; its output says “KeyError: 'SOME_API_KEY'”\. It seems to need the variable SOME_API_KEY: set it under Variables and redeploy\./,
  );
  assert.equal((await paddock.visit('shown.localhost')).body, 'before');
  await api.variables.set({ project_id: id, environment: 'production', variables: [{ key: 'SOME_API_KEY', value: 'made-up' }] });
  const next = await deploy(api, id, files);
  await reaches(api, next.id, ['active']);
  await until('it serves', async () => (await paddock.visit('shown.localhost')).body === 'the shell of the page');
  assert.ok((await lines(api, next.id)).includes('Visiting the page once: Streamlit runs the script for each visitor'));
});
