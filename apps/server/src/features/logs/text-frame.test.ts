import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { WebSocket, WebSocketServer } from 'ws';
import { textFrame } from './text-frame.ts';

test('a text of any length arrives as it was, between what the library sends itself', async (t) => {
  const texts = [0, 1, 125, 126, 127, 65_535, 65_536, 300_000].flatMap((length) => [
    'x'.repeat(length),
    'ä€🐎'.repeat(Math.ceil(length / 9)),
  ]);
  const server = createServer();
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false });
  server.on('upgrade', (request, socket, head) =>
    sockets.handleUpgrade(request, socket, head, (ws) => {
      for (const text of texts) {
        socket.write(textFrame(text));
        ws.send('in between');
      }
      ws.close(1000, 'end');
    }),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const came: string[] = [];
  client.on('message', (data: Buffer, isBinary) => {
    assert.equal(isBinary, false);
    came.push(data.toString());
  });
  const [code] = (await once(client, 'close')) as [number];
  assert.equal(code, 1000);
  assert.deepEqual(
    came,
    texts.flatMap((text) => [text, 'in between']),
  );
});
