import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pace } from './pace.ts';

/** Number of an attacker's addresses. */
const addresses = 8;
/** Timeout of an exchange. */
const patienceMs = 2_000;

export interface Exchange {
  /** Sent one after the other; a string is sent byte by byte. Called anew for each exchange. */
  pieces: () => Iterable<string | Buffer>;
  /** The moment at which the attacker leaves: after the last piece, after the first bytes of a response, or when the server closes. */
  leaves: 'at once' | 'once answered' | 'when closed';
  /** Leaves by a reset. */
  resets?: boolean;
  connections?: number;
}

export const dial = (port: number, n: number): Socket =>
  connect({ port, host: '127.0.0.1', localAddress: `127.0.1.${1 + (n % addresses)}` });

/** Repeats the exchange, each time on a new connection. */
export async function repeat(port: number, exchange: Exchange, pace: Pace): Promise<void> {
  const work = async (_: unknown, n: number) => {
    while (!pace.isOver()) {
      await pace.turn();
      await make(dial(port, n), exchange, pace);
      pace.done();
    }
  };
  await Promise.all(Array.from({ length: exchange.connections ?? 16 }, work));
}

function make(socket: Socket, { pieces, leaves, resets }: Exchange, pace: Pace): Promise<void> {
  return new Promise((resolve) => {
    const leave = () => (resets ? socket.resetAndDestroy() : socket.destroy());
    socket.setNoDelay(true).setTimeout(patienceMs, leave);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => resolve());
    readWithin(socket, pace);
    if (leaves === 'once answered') socket.once('data', leave);
    socket.on('connect', () => {
      void say(socket, pieces(), pace).then(() => leaves === 'at once' && leave());
    });
  });
}

async function say(socket: Socket, pieces: Iterable<string | Buffer>, pace: Pace): Promise<void> {
  for (const piece of pieces) {
    await pace.turn();
    if (socket.destroyed || pace.isOver()) break;
    await new Promise<void>((resolve) => socket.write(piece, 'latin1', () => resolve()));
  }
}

/** Reads everything, no faster than the generator's share of the processor permits. */
export function readWithin(socket: Socket, pace: Pace): void {
  socket.on('data', () => {
    if (!pace.isSpent()) return;
    socket.pause();
    void pace.turn().then(() => socket.resume());
  });
}

export interface Stream {
  begins: string;
  /** Sent repeatedly, as fast as it is taken. */
  piece: string | Buffer;
  /** Waits for the first bytes of the response before that. */
  isAwaited?: boolean;
  isDeaf?: boolean;
  connections?: number;
}

/** Keeps this many connections that send the same piece without end. A connection that the server closes is replaced. */
export async function stream(port: number, what: Stream, pace: Pace): Promise<void> {
  const work = async (_: unknown, n: number) => {
    while (!pace.isOver()) {
      await pace.turn();
      await pour(dial(port, n), what, pace);
      await sleep(1);
    }
  };
  await Promise.all(Array.from({ length: what.connections ?? 16 }, work));
}

function pour(socket: Socket, { begins, piece, isAwaited, isDeaf }: Stream, pace: Pace): Promise<void> {
  return new Promise((resolve) => {
    socket.on('error', () => socket.destroy());
    socket.on('close', () => resolve());
    if (isDeaf) socket.pause();
    else readWithin(socket, pace);
    const more = async () => {
      while (!pace.isOver() && !socket.destroyed) {
        await pace.turn();
        pace.done();
        if (!socket.write(piece, 'latin1')) return;
      }
    };
    socket.on('drain', () => void more());
    if (isAwaited) socket.once('data', () => void more());
    socket.on('connect', () => {
      socket.write(begins, 'latin1');
      if (!isAwaited) void more();
    });
  });
}

/** Each connection repeats the request as soon as any bytes of the response have arrived. */
export async function answerEach(
  port: number,
  { request, connections }: { request: string; connections: number },
  pace: Pace,
): Promise<void> {
  const bytes = Buffer.from(request, 'latin1');
  const work = async (_: unknown, n: number) => {
    while (!pace.isOver()) {
      const socket = dial(port, n);
      const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()));
      socket.on('error', () => socket.destroy());
      socket.on('connect', () => socket.write(bytes));
      socket.on('data', () => {
        pace.done();
        void pace.turn().then(() => socket.write(bytes));
      });
      await closed;
      await sleep(5);
    }
  };
  await Promise.all(Array.from({ length: connections }, work));
}
