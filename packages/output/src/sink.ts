import { constants, fstatSync, openSync, writeSync } from 'node:fs';
import { Socket } from 'node:net';

/** `write` writes some or all of the bytes and returns their number. It throws EAGAIN when the reader is behind, and never blocks. */
export interface Sink {
  write(bytes: Buffer): number;
}

/** The sink never blocks, not even for a pipe that nobody reads or a terminal that a user has paused. */
export function createSink(descriptor: number): Sink {
  const kind = fstatSync(descriptor);
  if (kind.isSocket()) return socketSink(descriptor);
  const own = kind.isFile() ? descriptor : withoutWaiting(descriptor);
  return { write: (bytes) => writeSync(own, bytes) };
}

/**
 * Opens a pipe or terminal a second time, since a non-blocking flag on the given descriptor would apply to every process that shares it. If
 * the system refuses, the given descriptor is used.
 */
function withoutWaiting(descriptor: number): number {
  try {
    return openSync(`/proc/self/fd/${descriptor}`, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  } catch {
    return descriptor; // no /proc, or the pipe belongs to another user
  }
}

/** The bound of the bytes that wait in memory for the reader of a socket, such as the system's journal. */
const maxSocketBytes = 256 * 1024;

function socketSink(descriptor: number): Sink {
  const socket = new Socket({ fd: descriptor, readable: false, writable: true });
  let cause: unknown;
  socket.on('error', (error) => (cause = error)).unref();
  return {
    write(bytes) {
      if (socket.destroyed) throw cause ?? Object.assign(new Error('the socket is closed'), { code: 'EPIPE' });
      if (socket.writableLength > maxSocketBytes) throw Object.assign(new Error('the reader is behind'), { code: 'EAGAIN' });
      socket.write(bytes);
      return bytes.length;
    },
  };
}
