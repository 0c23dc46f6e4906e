import { Socket } from 'node:net';

/** Receives the first bytes of the buffer; returns whether to go on reading. */
export type Reader = (bytes: Buffer, count: number) => boolean;

// A read is processed before the next one begins, so one buffer serves all connections.
const shared = Buffer.allocUnsafeSlow(64 * 1024);

/** Node's internal field of an accepted socket. Not public: on a Node without it, 'data' events are used. */
interface WithHandle {
  _handle?: object | null;
}

/**
 * Makes an accepted socket (paused by `pauseOnConnect`) read into the shared buffer, which Node only offers for connecting sockets. It
 * saves a Buffer and a pass through the stream for each read. `begin` receives the socket and returns its reader before anything is read.
 */
export function readInto(accepted: Socket, begin: (socket: Socket) => Reader): void {
  const { _handle: handle } = accepted as WithHandle;
  if (!handle) {
    const read = begin(accepted);
    accepted.on('data', (piece: Buffer) => {
      if (!read(piece, piece.length)) accepted.pause();
    });
    accepted.resume();
    return;
  }
  // oxlint-disable-next-line no-underscore-dangle -- node's own name for it
  (accepted as WithHandle)._handle = null;
  accepted.removeAllListeners();
  let read: Reader | undefined;
  const options = { handle, allowHalfOpen: true, readable: true, writable: true };
  const onread = { buffer: shared, callback: (count: number) => read!(shared, count) };
  // The constructor starts reading; the first bytes arrive in a later turn of the loop.
  read = begin(new Socket({ ...options, onread } as ConstructorParameters<typeof Socket>[0]));
}
