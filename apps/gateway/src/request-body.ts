import type { IncomingMessage } from 'node:http';
import type { Connection } from './upstream/connection.ts';

export interface BodyPassing {
  /** The agent takes more again. */
  resume: () => void;
  /** Nothing more goes to the agent. */
  stop: () => void;
}

/** Passes a visitor's body on to the agent as it comes, no faster than the agent takes it. */
export function passBody(
  req: IncomingMessage,
  connection: Connection,
  options: { isChunked: boolean; maxBytes: number },
  events: {
    /** After each piece; `isHeld`: the visitor has to wait for the agent. */
    passed: (bytes: number, isHeld: boolean) => void;
    tooLarge: () => void;
    ended: () => void;
  },
): BodyPassing {
  let total = 0;

  const piece = (data: Buffer): void => {
    total += data.length;
    if (total > options.maxBytes) {
      events.tooLarge();
      return;
    }
    const isDrained = connection.write(data, options.isChunked);
    if (!isDrained) req.pause();
    events.passed(data.length, !isDrained);
  };
  const end = (): void => {
    if (options.isChunked) connection.endChunks();
    events.ended();
  };
  req.on('data', piece);
  req.on('end', end);

  return {
    resume: () => req.resume(),
    stop: () => {
      req.off('data', piece);
      req.off('end', end);
    },
  };
}

/** What still comes of a request that is answered already is read and thrown away for a moment, so that the visitor gets to read the answer. */
export function lingerFor(req: IncomingMessage, ms: number): void {
  req.resume();
  const timer = setTimeout(() => req.socket.destroy(), ms);
  req.on('end', () => clearTimeout(timer));
  req.on('close', () => clearTimeout(timer));
}
