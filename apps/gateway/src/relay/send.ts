import type { Socket } from 'node:net';

/**
 * All connections share one output buffer: a head and the bytes after it are sent in one write, and bytes from a buffer that is reused are copied
 * here too. After a write that the kernel accepted completely it is free again; otherwise the socket owns it.
 */
const outBytes = 128 * 1024;
let out = Buffer.allocUnsafeSlow(outBytes);

export interface Piece {
  bytes: Buffer;
  from: number;
  to: number;
}

/** Writes a head and the bytes after it. */
export function send(socket: Socket, head: string, piece: Piece): void {
  // A short text alone needs no buffer of ours.
  if (piece.from !== piece.to) sendTogether(socket, { head, tail: '' }, piece);
  else if (head !== '') socket.write(head, 'latin1');
}

/** Writes a head, and the bytes after it as one chunk. */
export function sendChunk(socket: Socket, head: string, piece: Piece): void {
  if (piece.from === piece.to) send(socket, head, piece);
  else sendTogether(socket, { head: `${head}${(piece.to - piece.from).toString(16)}\r\n`, tail: '\r\n' }, piece);
}

function sendTogether(socket: Socket, { head, tail }: { head: string; tail: string }, { bytes, from, to }: Piece): void {
  if (head.length + to - from + tail.length > outBytes) {
    socket.write(Buffer.concat([Buffer.from(head, 'latin1'), bytes.subarray(from, to), Buffer.from(tail, 'latin1')]));
    return;
  }
  let length = head === '' ? 0 : out.write(head, 0, 'latin1');
  length += bytes.copy(out, length, from, to);
  if (tail !== '') length += out.write(tail, length, 'latin1');
  socket.write(out.subarray(0, length));
  if (socket.writableLength > 0) out = Buffer.allocUnsafeSlow(outBytes);
}
