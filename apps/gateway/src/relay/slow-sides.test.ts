import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { after, before, test } from 'node:test';
import { type Fixture, startFixture, startRawAgent, until } from '../../test/fixture.ts';

// No connection to the database is opened while connections are counted.
const quiet = { trafficFlushMs: 3_600_000, spansFlushMs: 3_600_000, routesPollMs: 3_600_000 };
let fixture: Fixture;
before(async () => {
  fixture = await startFixture({ limits: { ...quiet, bodyBytes: 300_000_000 } });
});
after(() => fixture.close());

const key = 'dGhlIHNhbXBsZSBub25jZQ==';
const switched =
  'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n';
const webSocket = (label: string) =>
  `GET / HTTP/1.1\r\nHost: ${label}.localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\n\r\n`;

/** Opens a WebSocket; returns both ends as plain sockets that do not read yet. */
async function openWebSocket(label: string, at = fixture): Promise<{ visitor: Socket; agentSide: Socket; close: () => Promise<void> }> {
  let agentSide: Socket | undefined;
  const agent = await startRawAgent((socket) =>
    socket.once('data', () => {
      socket.pause();
      socket.write(switched);
      agentSide = socket;
    }),
  );
  await at.route(label, agent);
  const visitor = connect(at.gateway.port, '127.0.0.1', () => visitor.write(webSocket(label)));
  visitor.on('error', () => undefined);
  await new Promise<void>((resolve) =>
    visitor.once('data', () => {
      visitor.pause();
      resolve();
    }),
  );
  return { visitor, agentSide: agentSide!, close: agent.close };
}

/** A frame whose payload has the declared length. */
function frame(length: number): Buffer {
  const head = Buffer.alloc(10);
  head[0] = 0x82;
  head[1] = 127;
  head.writeBigUInt64BE(BigInt(length), 2);
  return Buffer.concat([head, Buffer.alloc(length, 'x')]);
}

async function isHeldBack(...senders: Socket[]): Promise<void> {
  const left = () => senders.map((socket) => socket.writableLength).join();
  await until(async () => {
    const before = left();
    await new Promise((resolve) => setTimeout(resolve, 100));
    return !before.split(',').includes('0') && left() === before;
  }, 'the senders are held back');
}

test('a WebSocket whose two sides both took nothing goes on as soon as they do', async () => {
  const { visitor, agentSide, close } = await openWebSocket('full');
  const sent = frame(24_000_000);
  visitor.write(sent);
  agentSide.write(sent);
  await isHeldBack(visitor, agentSide);
  const got = [visitor, agentSide].map((socket) => {
    let length = 0;
    return new Promise<void>((resolve) => {
      socket.on('data', (piece: Buffer) => {
        length += piece.length;
        if (length === sent.length) resolve();
      });
      socket.resume();
    });
  });
  await Promise.all(got);
  visitor.destroy();
  await close();
});

/** Number of connections of this process, including those of visitors and agents in it. */
const connections = (): number => process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;

test('an agent that takes nothing does not keep the connection of a WebSocket whose visitor has gone', async () => {
  const brief = await startFixture({ database: fixture.database, limits: { ...quiet, lingerMs: 300, webSocketIdleMs: 1_000 } });
  const { visitor, close } = await openWebSocket('keeps', brief);
  const before = connections();
  visitor.write(frame(24_000_000));
  visitor.resume();
  await new Promise((resolve) => visitor.once('close', resolve));
  // Both ends of the visitor's connection, and the gateway's end of the agent's.
  await until(() => connections() <= before - 3, 'the connection to the agent is gone');
  await close();
  await brief.close();
});

test('200 MB pass up and down in bounded memory', async () => {
  const total = 200_000_000;
  const piece = Buffer.alloc(1_000_000, 'x');
  const pump = (socket: Socket) => {
    let left = total;
    const go = () => {
      while (left > 0 && !socket.destroyed) {
        left -= piece.length;
        if (!socket.write(piece)) return;
      }
    };
    socket.on('drain', go);
    go();
  };
  const agent = await startRawAgent((socket) => {
    let received = 0;
    socket.on('data', (bytes: Buffer) => {
      received += bytes.length;
      if (received < total || socket.listenerCount('drain') > 0) return;
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${total}\r\n\r\n`);
      pump(socket);
    });
  });
  await fixture.route('large', agent);
  const before = process.memoryUsage.rss();
  let most = 0;
  let received = 0;
  const visitor = connect(fixture.gateway.port, '127.0.0.1', () => {
    visitor.write(`POST / HTTP/1.1\r\nHost: large.localhost\r\nContent-Length: ${total}\r\n\r\n`);
    pump(visitor);
  });
  await new Promise<void>((resolve, reject) => {
    visitor.on('data', (bytes: Buffer) => {
      received += bytes.length;
      most = Math.max(most, process.memoryUsage.rss());
      if (received >= total) resolve();
    });
    visitor.on('close', () => reject(new Error(`cut after ${received} bytes`)));
  });
  assert.ok(most - before < 150_000_000, `${most - before} bytes more`);
  visitor.destroy();
  await agent.close();
});
