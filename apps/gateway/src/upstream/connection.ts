import { connect, type Socket } from 'node:net';
import type { Limits } from '../limits.ts';
import type { Target } from '../routing-table.ts';
import { type AnswerEvents, answerParser } from './answer-parser.ts';
import { BrokenAnswer } from './broken-answer.ts';

export interface AnswerTaker extends AnswerEvents {
  /** The bytes that came together have all been handed on. */
  settled(): void;
  /** There will be no (more) answer. */
  failed(cause: Error): void;
  /** The agent takes more of the request again. */
  drained(): void;
}

export type Acquired = (error: Error | undefined, connection: Connection | undefined) => void;

/**
 * Opens a connection. `done` is called once, unless the returned function gave it up before; `gone` once at the very end.
 * `spliceable`: see Connection.
 */
export function openConnection(
  target: Target,
  limits: Limits,
  events: { done: Acquired; gone: (connection: Connection) => void },
  spliceable: boolean,
): () => void {
  let isSettled = false;
  const settle: Acquired = (error, opened) => {
    if (isSettled) return;
    isSettled = true;
    events.done(error, opened);
  };
  const connection = new Connection(
    target,
    limits,
    {
      opened: (self) => settle(undefined, self),
      gone: (self, cause) => {
        settle(cause ?? new Error('connection closed while opening'), undefined);
        events.gone(self);
      },
    },
    spliceable,
  );
  return () => {
    if (isSettled) return;
    isSettled = true;
    connection.close();
  };
}

export class ConnectTimeout extends Error {
  override name = 'ConnectTimeout';
}

// Reads are handled before the next one begins, so one buffer serves all connections.
const buffer = Buffer.allocUnsafeSlow(64 * 1024);

/** One connection to an instance, for one exchange after the other. */
export class Connection {
  readonly target: Target;
  /** False until the first answer came whole: only then can a failure be blamed on a connection that the agent had closed. */
  isReused = false;
  idleSince = 0;
  #socket: Socket;
  #limits: Limits;
  #parser: ReturnType<typeof answerParser> | undefined;
  #taker: AnswerTaker | undefined;
  #cause: Error | undefined;

  /** `spliceable`: after a 101 the socket can be taken over with `detach`. `gone` is called once, whatever happened. */
  constructor(
    target: Target,
    limits: Limits,
    events: { opened: (connection: Connection) => void; gone: (connection: Connection, cause: Error | undefined) => void },
    spliceable = false,
  ) {
    this.target = target;
    this.#limits = limits;
    const onread = spliceable ? undefined : { buffer, callback: (bytes: number) => (this.#read(buffer.subarray(0, bytes)), true) };
    const socket = connect({ host: target.host, port: target.port, noDelay: true, ...(onread && { onread }) });
    this.#socket = socket;
    const timer = setTimeout(() => socket.destroy(new ConnectTimeout(target.key)), limits.upstreamConnectMs);
    socket.on('connect', () => {
      clearTimeout(timer);
      events.opened(this);
    });
    if (spliceable) socket.on('data', (piece: Buffer) => this.#read(piece));
    socket.on('drain', () => this.#taker?.drained());
    socket.on('end', () => this.#ended());
    socket.on('error', (error) => {
      this.#cause = error;
    });
    socket.on('close', () => {
      clearTimeout(timer);
      this.#fail(this.#cause ?? new BrokenAnswer('connection closed'));
      events.gone(this, this.#cause);
    });
  }

  /** Sends a request's head and gives its answer to the taker. With a body to come, head and body leave together if they can. */
  ask(request: { method: string; upgrades: boolean; hasBody: boolean }, head: string, taker: AnswerTaker): void {
    this.#taker = taker;
    this.#parser = answerParser(request, this.#limits, {
      head: (answer) => taker.head(answer),
      body: (piece) => taker.body(piece),
      end: (isReusable, rest) => {
        this.#taker = undefined;
        this.#parser = undefined;
        // It may have been held back for a visitor who was slower than the last piece; the next one must not inherit that.
        this.#socket.resume();
        taker.end(isReusable && !this.#socket.destroyed, rest);
      },
    });
    if (request.hasBody) {
      this.#socket.cork();
      setImmediate(() => this.#socket.uncork());
    }
    this.#socket.write(head, 'latin1');
  }

  /** False: wait for `drained` before more. */
  write(piece: Buffer, isChunked: boolean): boolean {
    if (!isChunked) return this.#socket.write(piece);
    this.#socket.cork();
    this.#socket.write(`${piece.length.toString(16)}\r\n`, 'latin1');
    this.#socket.write(piece);
    const isDrained = this.#socket.write('\r\n', 'latin1');
    this.#socket.uncork();
    return isDrained;
  }

  endChunks(): void {
    this.#socket.write('0\r\n\r\n', 'latin1');
  }

  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  close(): void {
    this.#taker = undefined;
    this.#socket.destroy();
  }

  /** Hands the socket over, paused, after a 101. Nothing of this connection listens to it any more. */
  detach(): Socket {
    this.#socket.removeAllListeners();
    this.#socket.pause();
    return this.#socket;
  }

  #read(piece: Buffer): void {
    const taker = this.#taker;
    // Nobody asked for anything: whatever it is, it must not become the answer to the next request.
    if (!taker || !this.#parser) {
      this.#socket.destroy();
      return;
    }
    try {
      this.#parser.feed(piece);
      taker.settled();
    } catch (error) {
      this.#fail(error as Error);
      this.#socket.destroy();
    }
  }

  #ended(): void {
    try {
      this.#parser?.finish();
    } catch (error) {
      this.#fail(error as Error);
    }
    this.#socket.destroy();
  }

  #fail(cause: Error): void {
    const taker = this.#taker;
    this.#taker = undefined;
    this.#parser = undefined;
    taker?.failed(cause);
  }
}
