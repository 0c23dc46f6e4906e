import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import * as fc from 'fast-check';
import { mutated } from '../http/mutations.ts';
import { hostileRequests } from '../http/requests.ts';
import { besiege, slowAttacks } from '../http/slow.ts';
import type { Pace } from './pace.ts';
import { answerEach, type Exchange, repeat, type Stream, stream } from './repeat.ts';

/** The target of a flood. */
export interface Aim {
  port: number;
  /** The host of the agent or of the API. */
  host: string;
  /** A path that takes bodies, and one that gives a long response. */
  path: string;
  long: string;
}
export type Flood = (aim: Aim, pace: Pace) => Promise<void>;

const handshake = ({ host, path }: Aim, address = path) =>
  `GET ${address} HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\n\r\n`;
const get = ({ host }: Aim, path: string, headers = '') => `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${headers}\r\n`;
const post = ({ host, path }: Aim, headers: string) => `POST ${path} HTTP/1.1\r\nHost: ${host}\r\n${headers}\r\n`;
const last = 'Connection: close\r\n';
const again =
  (of: (aim: Aim) => Exchange): Flood =>
  (aim, pace) =>
    repeat(aim.port, of(aim), pace);
const pouring =
  (of: (aim: Aim) => Stream): Flood =>
  (aim, pace) =>
    stream(aim.port, of(aim), pace);

/** A masked frame of this many bytes; the mask is zero. */
function frame(opcode: number, bytes: number): Buffer {
  const length = bytes < 126 ? [0x80 | bytes] : [0x80 | 126, bytes >> 8, bytes & 255];
  return Buffer.concat([Buffer.from([0x80 | opcode, ...length, 0, 0, 0, 0]), Buffer.alloc(bytes, 'x')]);
}

/** Things that hostile visitors do repeatedly or without end. */
const byVisitors: Record<string, Flood> = {
  'connections without a byte': again(() => ({ pieces: () => [], leaves: 'at once' })),
  'hang-ups within the head': again((aim) => ({ pieces: () => [get(aim, '/').slice(0, 20)], leaves: 'at once' })),
  'hang-ups before the answer': again((aim) => ({ pieces: () => [get(aim, '/late')], leaves: 'at once' })),
  'resets before the answer': again((aim) => ({ pieces: () => [get(aim, '/late')], leaves: 'at once', resets: true })),
  'hang-ups within the answer': again((aim) => ({ pieces: () => [get(aim, aim.long)], leaves: 'once answered' })),
  'hang-ups within the body': again((aim) => ({ pieces: () => [post(aim, 'Content-Length: 1000\r\n'), 'x'], leaves: 'at once' })),
  'small requests, a connection each': again((aim) => ({ pieces: () => [get(aim, '/', last)], leaves: 'when closed' })),
  'heads of 64 KiB': again((aim) => ({ pieces: () => [get(aim, '/', `X: ${'a'.repeat(65_536)}\r\n`)], leaves: 'when closed' })),
  'heads of 15 KiB': again((aim) => ({ pieces: () => [get(aim, '/', `X: ${'a'.repeat(15_000)}\r\n${last}`)], leaves: 'when closed' })),
  'heads of 5,000 headers': again((aim) => ({ pieces: () => [get(aim, '/', 'X: a\r\n'.repeat(5_000))], leaves: 'when closed' })),
  'heads of 95 headers': again((aim) => ({ pieces: () => [get(aim, '/', `X: a\r\n`.repeat(95) + last)], leaves: 'when closed' })),
  'heads of blanks': again((aim) => ({ pieces: () => [get(aim, '/', `X:${' '.repeat(15_000)}x\r\n${last}`)], leaves: 'when closed' })),
  'heads byte by byte': again((aim) => ({ pieces: () => get(aim, '/', last), leaves: 'when closed', connections: 64 })),
  'addresses of 7 KiB': again((aim) => ({ pieces: () => [get(aim, `/${'a'.repeat(7_000)}`, last)], leaves: 'when closed' })),
  'addresses that nobody has': again(() => ({
    pieces: () => [`GET / HTTP/1.1\r\nHost: x${randomBytes(4).toString('hex')}.localhost\r\n${last}\r\n`],
    leaves: 'when closed',
  })),
  'requests refused for their form': again((aim) => inTurn(hostileRequests(aim.host, aim.path).map(({ bytes }) => bytes))),
  'mutated requests': again((aim) => inTurn(fc.sample(mutated([get(aim, '/'), `${post(aim, 'Content-Length: 3\r\n')}abc`]), 500))),
  'WebSocket handshakes and hang-ups': again((aim) => ({ pieces: () => [handshake(aim)], leaves: 'once answered' })),
  'requests sent ahead, answers read': pouring((aim) => ({ begins: '', piece: get(aim, '/').repeat(30) })),
  'requests one by one on 64 connections': (aim, pace) => answerEach(aim.port, { request: get(aim, '/'), connections: 64 }, pace),
  'chunks of a byte': pouring((aim) => ({ begins: post(aim, 'Transfer-Encoding: chunked\r\n'), piece: '1\r\nx\r\n'.repeat(5_000) })),
  'chunks of a byte, each sent by itself': again((aim) => ({
    pieces: () => manyPieces(post(aim, 'Transfer-Encoding: chunked\r\n'), '1\r\nx\r\n'),
    leaves: 'at once',
    connections: 64,
  })),
  'chunks with extensions of 3 KiB': pouring((aim) => ({
    begins: post(aim, 'Transfer-Encoding: chunked\r\n'),
    piece: `1;${'a'.repeat(3_000)}\r\nx\r\n`.repeat(10),
  })),
  'trailers of 3 KiB': again((aim) => ({
    pieces: () => [`${post(aim, `Transfer-Encoding: chunked\r\n${last}`)}1\r\nx\r\n0\r\n${'T: a\r\n'.repeat(500)}\r\n`],
    leaves: 'once answered',
  })),
  'bodies of 100 MB': pouring((aim) => ({ begins: post(aim, 'Content-Length: 100000000\r\n'), piece: Buffer.alloc(65_536) })),
  'bodies of which more is announced than may be': again((aim) => ({
    pieces: () => [post(aim, 'Content-Length: 1000000000000\r\n'), 'x'],
    leaves: 'once answered',
  })),
  'bodies for an agent that does not read': pouring((aim) => ({
    begins: post({ ...aim, path: '/deaf' }, 'Content-Length: 100000000\r\n'),
    piece: Buffer.alloc(65_536),
  })),
  'expectations without a body': again((aim) => ({
    pieces: () => [post(aim, 'Content-Length: 10\r\nExpect: 100-continue\r\n')],
    leaves: 'once answered',
  })),
  'long answers, read': pouring((aim) => ({ begins: get(aim, aim.long), piece: get(aim, aim.long), isAwaited: true, connections: 4 })),
  'events without end, read': reading('/events'),
  'events without end, unread': deaf('/events'),
  'WebSockets of small frames': pouring((aim) => ({
    begins: handshake(aim),
    piece: Buffer.concat(Array.from({ length: 1_000 }, () => frame(1, 1))),
    isAwaited: true,
  })),
  'WebSockets of pings': pouring((aim) => ({
    begins: handshake(aim),
    piece: Buffer.concat(Array.from({ length: 1_000 }, () => frame(9, 1))),
    isAwaited: true,
  })),
  'WebSockets of large frames': pouring((aim) => ({ begins: handshake(aim), piece: frame(2, 65_000), isAwaited: true })),
  'WebSocket frames a byte at a time': again((aim) => ({
    pieces: () => manyPieces(handshake(aim), frame(1, 1)),
    leaves: 'at once',
    connections: 64,
  })),
  'WebSockets of an agent that sends without end, read': reading('/frames', handshake),
  'WebSockets of an agent that sends without end, unread': deaf('/frames', handshake),
};

/** Clients as slow as possible, opened at once and kept. */
const bySlowVisitors = Object.fromEntries(
  slowAttacks({ host: '', path: '', long: '' }, { one: 400, idle: 5_000 }).map(({ name }): [string, Flood] => [name, slowly(name)]),
);

export const visitorFloods: Record<string, Flood> = { ...byVisitors, ...bySlowVisitors };

/** Ways to take a hostile agent's responses. */
export const answerFloods = {
  taken: again(({ host, path }) => ({
    pieces: () => [`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`],
    leaves: 'when closed',
  })),
  unread: (aim, pace) => deaf(aim.path)(aim, pace),
} satisfies Record<string, Flood>;

function reading(path: string, begin: (aim: Aim, path: string) => string = get): Flood {
  return again((aim) => ({ pieces: () => [begin(aim, path)], leaves: 'when closed', connections: 8 }));
}

/** Sends requests on 200 connections and reads nothing. */
function deaf(path: string, begin: (aim: Aim, path: string) => string = get): Flood {
  return async (aim, pace) => {
    const siege = await besiege(aim.port, { name: path, count: 200, addresses: 1, begins: begin(aim, path), isDeaf: true });
    while (!pace.isOver()) await sleep(20);
    siege.end();
  };
}

function slowly(name: string): Flood {
  return async (aim, pace) => {
    const attack = slowAttacks(aim, { one: 400, idle: 5_000 }).find((one) => one.name === name);
    if (!attack) throw new Error(`There is no slow attack ${name}.`);
    const siege = await besiege(aim.port, attack);
    while (!pace.isOver()) await sleep(20);
    siege.end();
  };
}

function inTurn(all: string[]): Exchange {
  let n = 0;
  return { pieces: () => [all[n++ % all.length] ?? ''], leaves: 'once answered', connections: 64 };
}

function* manyPieces(first: string, piece: string | Buffer) {
  yield first;
  for (let n = 0; n < 2_000; n++) yield piece;
}
