import type { Socket } from 'node:net';

/** A message in TCP form: preceded by its length in two bytes. */
export function framed(message: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(message.length);
  return Buffer.concat([length, message]);
}

/** The messages of a connection, one after the other. Ends at a message longer than `most`. */
export async function* frames(socket: Socket, most: number): AsyncGenerator<Buffer> {
  let waiting: Buffer = Buffer.alloc(0);
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    waiting = Buffer.concat([waiting, chunk]);
    while (waiting.length >= 2) {
      const length = waiting.readUInt16BE(0);
      if (length > most) return;
      if (waiting.length < length + 2) break;
      yield waiting.subarray(2, length + 2);
      waiting = waiting.subarray(length + 2);
    }
  }
}
