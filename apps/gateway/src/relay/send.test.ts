import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { send, sendChunk } from './send.ts';

/** Both ends of a connection; the far end does not read yet. */
async function pair(t: TestContext): Promise<{ near: Socket; received: () => Promise<string> }> {
  const server = createServer({ pauseOnConnect: true }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const near = connect((server.address() as { port: number }).port, '127.0.0.1');
  const [far] = (await once(server, 'connection')) as [Socket];
  t.after(() => {
    near.destroy();
    far.destroy();
    server.close();
  });
  const received = async () => {
    near.end();
    const pieces: Buffer[] = [];
    for await (const piece of far) pieces.push(piece as Buffer);
    return Buffer.concat(pieces).toString('latin1');
  };
  return { near, received };
}

const piece = (text: string) => ({ bytes: Buffer.from(`##${text}##`, 'latin1'), from: 2, to: 2 + text.length });

test('a head and the bytes behind it arrive in order, whatever their size', async (t) => {
  const { near, received } = await pair(t);
  let expected = '';
  for (const size of [0, 1, 1_000, 128 * 1024 - 4, 128 * 1024 - 3, 300_000]) {
    const text = String(size).padEnd(size, 'x').slice(0, size);
    send(near, 'head', piece(text));
    send(near, '', piece(text));
    expected += `head${text}${text}`;
  }
  assert.equal(await received(), expected);
});

test('a chunk has its size before it and its end behind it, and no bytes make no chunk', async (t) => {
  const { near, received } = await pair(t);
  sendChunk(near, 'head', piece('0123456789abcdef'));
  sendChunk(near, '', piece(''));
  sendChunk(near, '', piece('\xff'));
  assert.equal(await received(), 'head10\r\n0123456789abcdef\r\n1\r\n\xff\r\n');
});

test('what one visitor has not taken yet is not overwritten by what is sent to another', async (t) => {
  const [slow, quick] = [await pair(t), await pair(t)];
  let expected = 0;
  // Sends until the kernel accepts no more: further bytes wait in the gateway.
  while (slow.near.writableLength === 0) {
    send(slow.near, '', piece('a'.repeat(60_000)));
    expected += 60_000;
  }
  send(quick.near, 'b'.repeat(1_000), piece('b'.repeat(100_000)));
  assert.equal(await quick.received(), 'b'.repeat(101_000));
  assert.equal(await slow.received(), 'a'.repeat(expected));
});
