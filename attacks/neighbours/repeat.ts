import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pace } from './pace.ts';

/** An attacker has so many addresses. */
const addresses = 8;
/** No exchange is waited for longer. */
const patienceMs = 2_000;

export interface Exchange {
  /** Said one after the other, each by itself: a text as it is goes byte by byte. Asked for anew each time. */
  pieces: () => Iterable<string | Buffer>;
  /** When the attacker leaves: after the last piece, after the first bytes of an answer, or when the other side closes. */
  leaves: 'at once' | 'once answered' | 'when closed';
  /** Leaves by a reset. */
  resets?: boolean;
  connections?: number;
}

export const dial = (port: number, n: number): Socket =>
  connect({ port, host: '127.0.0.1', localAddress: `127.0.1.${1 + (n % addresses)}` });

/** Makes the exchange over and over, each on a connection of its own. */
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

/** Reads whatever comes, no faster than the generator's share of the processor lets it. */
export function readWithin(socket: Socket, pace: Pace): void {
  socket.on('data', () => {
    if (!pace.isSpent()) return;
    socket.pause();
    void pace.turn().then(() => socket.resume());
  });
}

export interface Stream {
  begins: string;
  /** Said without end, as fast as it is taken. */
  piece: string | Buffer;
  /** The first bytes of the answer are awaited before that. */
  isAwaited?: boolean;
  isDeaf?: boolean;
  connections?: number;
}

/** Keeps so many connections on which the same is said without end; those that the other side closes are made anew. */
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

/** Each connection sends the request again as soon as anything of the answer has come. */
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
