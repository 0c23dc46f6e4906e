import type { Socket } from 'node:net';

/**
 * The output buffer of all connections. It joins a head and the bytes after it into one write, and copies bytes out of a read buffer that is
 * reused. It is free again after a write that the kernel took completely; after any other write it belongs to the socket.
 */
const outBytes = 128 * 1024;
let outBuffer = Buffer.allocUnsafeSlow(outBytes);

/** The bytes from `from` up to, but not including, `to`. */
export interface Piece {
  bytes: Buffer;
  from: number;
  to: number;
}

/** Writes a head followed by bytes. */
export function send(socket: Socket, head: string, piece: Piece): void {
  // A short text alone does not need the output buffer.
  if (piece.from !== piece.to) sendTogether(socket, { head, tail: '' }, piece);
  else if (head !== '') socket.write(head, 'latin1');
}

/**
 * Writes a head followed by bytes as one chunk. Without bytes it writes the head alone: a chunk of length 0 would end the chunked body.
 */
export function sendChunk(socket: Socket, head: string, piece: Piece): void {
  if (piece.from === piece.to) send(socket, head, piece);
  else sendTogether(socket, { head: `${head}${(piece.to - piece.from).toString(16)}\r\n`, tail: '\r\n' }, piece);
}

function sendTogether(socket: Socket, { head, tail }: { head: string; tail: string }, { bytes, from, to }: Piece): void {
  if (head.length + to - from + tail.length > outBytes) {
    socket.write(Buffer.concat([Buffer.from(head, 'latin1'), bytes.subarray(from, to), Buffer.from(tail, 'latin1')]));
    return;
  }
  let length = head === '' ? 0 : outBuffer.write(head, 0, 'latin1');
  length += bytes.copy(outBuffer, length, from, to);
  if (tail !== '') length += outBuffer.write(tail, length, 'latin1');
  socket.write(outBuffer.subarray(0, length));
  if (socket.writableLength > 0) outBuffer = Buffer.allocUnsafeSlow(outBytes);
}
