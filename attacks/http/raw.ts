import { connect } from 'node:net';

export interface Heard {
  /** Everything that was received, as latin1. */
  text: string;
  statuses: number[];
  /** The peer closed the connection. */
  closed: boolean;
}

/** Sends bytes and reads until the peer closes, is silent for `quietMs`, or `enough` is satisfied. */
export function tell(
  port: number,
  bytes: string | Buffer,
  more: { quietMs?: number; enough?: (text: string) => boolean } = {},
): Promise<Heard> {
  const { quietMs = 400, enough = () => false } = more;
  return new Promise((resolve, reject) => {
    let text = '';
    let closed = true;
    const socket = connect(port, '127.0.0.1', () => socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes));
    const leave = () => {
      closed = false;
      socket.destroy();
    };
    socket.setTimeout(quietMs, leave);
    socket.on('data', (piece: Buffer) => {
      text += piece.toString('latin1');
      if (enough(text)) leave();
    });
    // A server that no longer reads ends a conversation with a reset.
    socket.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNRESET' || error.code === 'EPIPE' ? undefined : reject(error),
    );
    socket.on('close', () => resolve({ text, statuses: statusesOf(text), closed }));
  });
}

/** Final statuses in order of arrival, without 1xx. */
function statusesOf(text: string): number[] {
  return [...text.matchAll(/HTTP\/1\.1 ([2-5]\d\d) /g)].map((match) => Number(match[1]));
}
