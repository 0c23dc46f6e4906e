import { connect } from 'node:net';

export interface Heard {
  /** Everything that came, as latin1. */
  text: string;
  statuses: number[];
  /** The other side closed the connection. */
  closed: boolean;
}

/** Sends bytes and listens until the other side closes, falls silent for `quietMs`, or `enough` is satisfied. */
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
    // A reset is how a server that no longer reads ends a conversation.
    socket.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNRESET' || error.code === 'EPIPE' ? undefined : reject(error),
    );
    socket.on('close', () => resolve({ text, statuses: statusesOf(text), closed }));
  });
}

/** Final statuses in the order in which they came; 1xx do not count. */
function statusesOf(text: string): number[] {
  return [...text.matchAll(/HTTP\/1\.1 ([2-5]\d\d) /g)].map((match) => Number(match[1]));
}
