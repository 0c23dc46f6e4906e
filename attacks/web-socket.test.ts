import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LogLine } from '@paddock/contract';
import { WebSocket, WebSocketServer } from 'ws';
import { echo, startAgent, startFixture } from '../apps/gateway/test/fixture.ts';
import { listenForChanges } from '../apps/server/src/db/changes.ts';
import { logFeed } from '../apps/server/src/features/logs/feed.ts';
import { logStore } from '../apps/server/src/features/logs/store.ts';
import { createLog } from '../apps/server/src/log.ts';
import { zip } from '../apps/server/test/archives.ts';
import { startApi } from '../apps/server/test/server.ts';
import { teamOf } from '../apps/server/test/team-of.ts';
import { notHeld, type Row, tableText } from './http/table.ts';

async function logged(t: TestContext) {
  const api = await startApi(t);
  const ada = await api.person();
  const project = await ada.api.projects.create({ name: 'sockets' });
  const { id } = await ada.api.deployments.create({ project_id: project.id, file: zip({ 'server.js': '1' }), file_name: 'a.zip' });
  const team_id = await teamOf(api.sql, 'the only project');
  const write = (messages: string[]) =>
    logStore(api.sql).append(team_id, id, {
      lines: messages.map((message) => ({ level: 'info', source: 'agent', message, created_at: new Date().toISOString() })),
    });
  const url = (after = 0) => `${api.origin.replace('http', 'ws')}/ws/logs/${id}?token=${ada.token}&after=${after}`;
  return { ...api, ada, id, write, url, port: Number(new URL(api.origin).port) };
}

/** A valid or invalid client frame: clients must mask, so `isMasked` false is forbidden. */
function frame(opcode: number, payload: Buffer, { isMasked = true, first = 0x80 } = {}): Buffer {
  const length = lengthBytes(payload);
  length[0]! |= isMasked ? 0x80 : 0;
  return Buffer.concat([Buffer.from([first | opcode, ...length, ...(isMasked ? [0, 0, 0, 0] : [])]), payload]);
}

function lengthBytes({ length }: Buffer): number[] {
  if (length < 126) return [length];
  if (length < 65_536) return [126, length >> 8, length & 255];
  return [127, 0, 0, 0, 0, (length >>> 24) & 255, (length >>> 16) & 255, (length >>> 8) & 255, length & 255];
}

/** A manual handshake; resolves with the socket once the protocol has changed. */
function rawWebSocket(url: string): Promise<{ socket: Socket; received: () => Buffer }> {
  const { hostname, port, pathname, search, host } = new URL(url);
  return new Promise((resolve, reject) => {
    let received: Buffer = Buffer.alloc(0);
    const socket = connect(Number(port), hostname, () =>
      socket.write(
        `GET ${pathname}${search} HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\n\r\n`,
      ),
    );
    socket.on('data', (piece: Buffer) => {
      received = Buffer.concat([received, piece]);
      const end = received.indexOf('\r\n\r\n');
      if (end >= 0 && received.subarray(0, 12).toString() === 'HTTP/1.1 101') {
        resolve({ socket, received: () => received.subarray(received.indexOf('\r\n\r\n') + 4) });
      }
    });
    socket.on('error', () => socket.destroy());
    socket.on('close', () => reject(new Error('closed before it was open')));
  });
}

/** The code of the close frame in the received bytes, once the server has closed. */
async function closeCodeAfter(url: string, bytes: Buffer): Promise<string> {
  const { socket, received } = await rawWebSocket(url);
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.write(bytes);
  const isOver = await Promise.race([closed.then(() => true), sleep(5_000).then(() => false)]);
  const at = received().findIndex((byte, i, all) => byte === 0x88 && all[i + 1]! >= 2 && all[i + 1]! < 126);
  socket.destroy();
  if (!isOver) return 'left open';
  return at < 0 ? 'cut' : `closed ${received().readUInt16BE(at + 2)}`;
}

test('what a client may not say on the live log ends its connection, with the code that names it', async (t) => {
  const { url } = await logged(t);
  const rows: Row[] = [];
  const text = Buffer.from('x');
  for (const [attempt, bytes, expected] of [
    ['frame without a mask', frame(1, text, { isMasked: false }), 'closed 1002'],
    ['frame of 1 MB', frame(1, Buffer.alloc(1_000_000)), 'closed 1009'],
    ['frame that announces 2^40 bytes', Buffer.from([0x81, 0xff, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0]), 'closed 1009'],
    [
      'fragments that add up to 100 kB',
      Buffer.concat([frame(1, Buffer.alloc(50_000, 'x'), { first: 0 }), frame(0, Buffer.alloc(50_000, 'x'))]),
      'closed 1009',
    ],
    ['reserved bit', frame(1, text, { first: 0xc0 }), 'closed 1002'],
    ['unknown opcode', frame(3, text), 'closed 1002'],
    ['text that is no UTF-8', frame(1, Buffer.from([0xff, 0xfe])), 'closed 1007'],
    ['ping of 126 bytes', frame(9, Buffer.alloc(126)), 'closed 1002'],
    ['ping in fragments', frame(9, text, { first: 0 }), 'closed 1002'],
    ['continuation of nothing', frame(0, text), 'closed 1002'],
    ['close with a code that is none', frame(8, Buffer.from([0, 1])), 'closed 1002'],
    ['1,000 messages', Buffer.concat(Array.from({ length: 1_000 }, () => frame(1, text))), 'closed 1008'],
    // The close code comes after a hundred pongs, and is lost with them when the flood goes on.
    ['10,000 pings', Buffer.concat(Array.from({ length: 10_000 }, () => frame(9, text))), 'closed 1008 or cut'],
  ] as const) {
    const got = await closeCodeAfter(url(), bytes);
    rows.push({ attempt, expected, got, held: expected.split(' or ').includes(got) });
  }
  console.log(tableText('WebSocket of the live log (E 75, R49)', rows));
  assert.deepEqual(notHeld(rows), []);
});

test('one person has so many live logs and no more; failed handshakes and cut ones do not use them up', async (t) => {
  const { url, port, ada, id } = await logged(t);
  for (let i = 0; i < 60; i++) {
    // This request is admitted, but is no WebSocket: the key is missing.
    await new Promise<void>((resolve) => {
      const socket = connect(port, '127.0.0.1', () =>
        socket.write(
          `GET /ws/logs/${id}?token=${ada.token} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
        ),
      );
      socket.resume();
      socket.on('error', () => socket.destroy());
      socket.on('close', () => resolve());
      if (i % 2) setTimeout(() => socket.destroy(), 3);
    });
  }
  const open: WebSocket[] = [];
  const outcomes = await Promise.all(
    Array.from({ length: 200 }, () => {
      const socket = new WebSocket(url());
      open.push(socket);
      return new Promise<number>((resolve) => {
        socket.on('open', () => resolve(101));
        socket.on('unexpected-response', (_, answer) => resolve(answer.statusCode ?? 0));
        socket.on('error', () => socket.terminate());
      });
    }),
  );
  assert.equal(outcomes.filter((status) => status === 101).length, 50);
  assert.equal(outcomes.filter((status) => status === 429).length, 150);
  for (const socket of open) socket.terminate();
  await sleep(300);
  const again = new WebSocket(url());
  await new Promise((resolve, reject) => again.once('open', resolve).once('error', reject));
  again.terminate();
});

test('a reader that reads nothing is owed little, is sent away, and resumes with every line', async (t) => {
  const { sql, id, url, write } = await logged(t);
  const changes = await listenForChanges(sql);
  const feed = logFeed({ store: logStore(sql), changes, log: createLog('fatal'), stuckMs: 1_500 });
  t.after(async () => {
    feed.close();
    await changes.close();
  });
  let unsent = 0;
  let last = 0;
  const sentAway = new Promise<void>((resolve) => {
    const leave = feed.follow(id, 0, {
      send: (frame) => {
        unsent += frame.length;
        last = (JSON.parse(frame) as LogLine[]).at(-1)!.number;
      },
      buffered: () => unsent,
      end: () => undefined,
      tooSlow: () => (leave(), resolve()),
    });
  });
  const total = 1_000;
  // Each of these lines takes 48 kB as JSON.
  for (let from = 1; from <= total; from += 100) await write(Array.from({ length: 100 }, (_, i) => `${from + i} ${'\x01'.repeat(8_000)}`));
  await sentAway;
  assert.ok(unsent < 3_000_000, `${unsent} bytes wait for a reader that takes none`);
  assert.ok(last < total);
  const got: number[] = [];
  const again = new WebSocket(url(last));
  again.on('message', (frame: Buffer) => got.push(...(JSON.parse(String(frame)) as LogLine[]).map((line) => line.number)));
  for (let tries = 0; tries < 300 && got.at(-1) !== total; tries++) await sleep(50);
  again.terminate();
  assert.deepEqual(
    got,
    Array.from({ length: total - last }, (_, i) => last + 1 + i),
  );
});

test('when the gateway ends, a WebSocket is closed with 1012 between two frames, on both sides', async (t) => {
  const fixture = await startFixture({ limits: { drainMs: 300 } });
  const agent = await startAgent(echo());
  const sockets = new WebSocketServer({ server: agent.server });
  t.after(async () => {
    sockets.close();
    await agent.close();
  });
  const atAgent = new Promise<number>((resolve) =>
    sockets.on('connection', (socket) => {
      socket.send(Buffer.alloc(70_000));
      socket.on('close', resolve);
    }),
  );
  await fixture.route('ws', agent);
  const client = new WebSocket(`ws://127.0.0.1:${fixture.gateway.port}/`, { headers: { host: 'ws.localhost' } });
  const atVisitor = new Promise<number>((resolve) => client.on('close', resolve));
  await new Promise((resolve) => client.once('message', resolve));
  client.send('one frame');
  await fixture.close();
  assert.deepEqual([await atVisitor, await atAgent], [1012, 1012]);
});

test('WebSockets do not use up what an agent may have of requests, and have a cap of their own', async (t) => {
  const fixture = await startFixture({ limits: { inFlightPerDeployment: 4, webSocketsPerDeployment: 6 } });
  const agent = await startAgent(echo());
  const sockets = new WebSocketServer({ server: agent.server });
  t.after(async () => {
    await fixture.close();
    sockets.close();
    await agent.close();
  });
  await fixture.route('ws', agent);
  const open = Array.from(
    { length: 8 },
    () => new WebSocket(`ws://127.0.0.1:${fixture.gateway.port}/`, { headers: { host: 'ws.localhost' } }),
  );
  const outcomes = await Promise.all(
    open.map(
      (client) =>
        new Promise<number>((resolve) => {
          client.on('open', () => resolve(101));
          client.on('unexpected-response', (_, answer) => resolve(answer.statusCode ?? 0));
          client.on('error', () => client.terminate());
        }),
    ),
  );
  assert.deepEqual(
    outcomes.sort((a, b) => a - b),
    [101, 101, 101, 101, 101, 101, 503, 503],
  );
  assert.equal((await fixture.fetch('ws')).status, 200);
  for (const client of open) client.terminate();
});
