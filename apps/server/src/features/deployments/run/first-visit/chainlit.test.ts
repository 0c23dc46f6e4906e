import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { WebSocketServer } from 'ws';
import { visitChainlit } from './chainlit.ts';
import chats from './fixtures/chainlit-chats.json' with { type: 'json' };

// The fixtures are what Chainlit 2.12 answered to this visit: a chat that reads an absent variable as it begins, one that greets, and an
// app without anything to do at the start of a chat.

const signal = new AbortController().signal;

/** An app with these settings whose chats consist of these packets. `heard`: what the visitor sent. */
async function serving(t: TestContext, packets: string[], settings: object | string | null = {}) {
  const heard: string[] = [];
  const app = createServer((asked, answer) => {
    heard.push(`${asked.headers.host}${asked.url}`);
    answer.writeHead(settings ? 200 : 401, { 'content-type': 'application/json' });
    answer.end(typeof settings === 'string' ? settings : JSON.stringify(settings ?? { detail: 'Unauthorized' }));
  });
  const sockets = new WebSocketServer({ server: app });
  t.after(() => {
    for (const client of sockets.clients) client.terminate();
    app.close();
  });
  sockets.on('connection', (socket, { headers, url }) => {
    heard.push(`${headers.host}${url}`);
    socket.send('0{"sid":"a","upgrades":[],"pingTimeout":20000,"pingInterval":25000,"maxPayload":1000000}');
    socket.on('message', (data: Buffer) => {
      const text = data.toString();
      heard.push(text);
      if (text.startsWith('40')) socket.send('40{"sid":"b"}');
      if (text === '42["connection_successful"]') for (const packet of packets) socket.send(packet);
    });
  });
  await once(app.listen(0, '127.0.0.1'), 'listening');
  return { host: '127.0.0.1', port: (app.address() as AddressInfo).port, url: 'http://chat.localhost:8080', heard };
}

test('a Chainlit app whose chat raises as it begins is recognised by one visit, which takes its session with it', async (t) => {
  const page = await serving(t, chats.raises);
  assert.equal(await visitChainlit(page, signal), "'TEA_API_KEY'");
  const asked = ['chat.localhost:8080/project/settings?language=en-US', 'chat.localhost:8080/ws/socket.io/?EIO=4&transport=websocket'];
  assert.deepEqual(page.heard.slice(0, 2), asked);
  while (!page.heard.includes('42["clear_session"]')) await new Promise((resolve) => setTimeout(resolve, 5));
});

test('a chat that greets, or an app that does nothing as a chat begins, is visited without complaint', async (t) => {
  assert.equal(await visitChainlit(await serving(t, chats.greets), signal), undefined);
  assert.equal(await visitChainlit(await serving(t, chats.silent), signal), undefined);
});

test('an app that signs people in, asks for their keys or has them choose a profile is not visited', async (t) => {
  for (const settings of [null, { userEnv: ['OPENAI_API_KEY'] }, { chatProfiles: [{ name: 'Fast' }] }]) {
    const page = await serving(t, chats.raises, settings);
    assert.equal(await visitChainlit(page, signal), undefined);
    assert.equal(page.heard.length, 1);
  }
});

test('settings that are none count as those of another program', async (t) => {
  for (const settings of ['null', '7', 'no JSON'])
    assert.equal(await visitChainlit(await serving(t, chats.raises, settings), signal), undefined);
});

test('what is not Chainlit, refuses the visit or ends in the middle has raised nothing', async (t) => {
  assert.equal(await visitChainlit(await serving(t, ['44{"message":"authentication failed"}']), signal), undefined);
  assert.equal(await visitChainlit(await serving(t, ['42[not json']), signal), undefined);
  const page = await serving(t, chats.raises.slice(0, 4));
  const leaving = new AbortController();
  const visit = visitChainlit(page, leaving.signal);
  setTimeout(() => leaving.abort(), 300);
  assert.equal(await visit, undefined);
  assert.equal(await visitChainlit({ ...page, port: 1 }, signal), undefined);
});
