import type { Socket } from 'node:net';

export interface OddAnswer {
  name: string;
  does: (socket: Socket) => void;
  /** Never ends by itself. */
  isEndless?: true;
}

const ok = 'HTTP/1.1 200 OK\r\n';
const chunked = `${ok}Transfer-Encoding: chunked\r\n\r\n`;
const head = (lines: string[]) => (socket: Socket) =>
  void socket.write(`${ok}${lines.join('\r\n')}\r\nContent-Length: 0\r\n\r\n`, 'latin1');
const blanks = ' '.repeat(8_000);

/** Responses that never end, sent piece by piece as fast as they are read. They complement the list of broken responses. */
export const oddAnswers: OddAnswer[] = [
  { name: 'head without end', does: pours(ok, 'X: a\r\n'.repeat(100)), isEndless: true },
  { name: 'head without end, a byte at a time', does: drips({ begins: ok, text: 'X: a\r\n' }), isEndless: true },
  { name: 'interim answers without end', does: pours('', 'HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n'), isEndless: true },
  { name: 'head byte by byte', does: drips({ text: `${ok}X: ${'a'.repeat(3_000)}\r\nContent-Length: 2\r\n\r\nok`, times: 1 }) },
  { name: 'chunks of a byte, without end', does: pours(chunked, '1\r\nx\r\n'.repeat(10_000)), isEndless: true },
  { name: 'chunks of a byte, each written by itself', does: drips({ begins: chunked, text: '1\r\nx\r\n', bytes: 6 }), isEndless: true },
  { name: 'chunks byte by byte', does: drips({ begins: chunked, text: '1\r\nx\r\n' }), isEndless: true },
  { name: 'chunks with extensions of 3 KiB', does: pours(chunked, `1;${'a'.repeat(3_000)}\r\nx\r\n`.repeat(20)), isEndless: true },
  { name: 'trailers without end', does: pours(`${chunked}0\r\n`, 'T: a\r\n'.repeat(100)), isEndless: true },
  { name: 'body until the end of the connection, a byte at a time', does: drips({ begins: `${ok}\r\n`, text: 'x' }), isEndless: true },
  { name: 'events without end', does: pours(`${ok}Content-Type: text/event-stream\r\n\r\n`, 'data: x\n\n'), isEndless: true },
  { name: 'Set-Cookie of blanks', does: head([`Set-Cookie: a=1; Domain=${blanks}=${blanks}x"y`]) },
  {
    name: 'thousands of names in Connection',
    does: head([`Connection: ${'a,'.repeat(31_000)}b`, ...Array.from({ length: 200 }, (_, n) => `X-${n}: ${n}`)]),
  },
  { name: 'hundreds of headers of blanks', does: head(Array.from({ length: 250 }, (_, n) => `X-${n}: ${' '.repeat(200)}x`)) },
  { name: 'reset within the head', does: (socket) => void socket.write(`${ok}X: a`, () => socket.resetAndDestroy()) },
  { name: 'reset within the body', does: (socket) => void socket.write(`${chunked}1\r\nx\r\n`, () => socket.resetAndDestroy()) },
  { name: 'silence', does: () => undefined },
];

function pours(begins: string, piece: string) {
  const bytes = Buffer.from(piece, 'latin1');
  return (socket: Socket) => {
    socket.write(begins, 'latin1');
    const pump = () => {
      for (let n = 0; n < 100 && !socket.destroyed; n++) if (!socket.write(bytes)) return;
      if (!socket.destroyed) setImmediate(pump);
    };
    socket.on('drain', pump);
    pump();
  };
}

/** Writes the text in pieces of this many bytes, this many times or for ever. */
function drips({ begins = '', text, times = Infinity, bytes = 1 }: { begins?: string; text: string; times?: number; bytes?: number }) {
  const all = Buffer.from(text, 'latin1');
  return (socket: Socket) => {
    socket.setNoDelay(true);
    if (begins) socket.write(begins, 'latin1');
    let at = 0;
    let round = 0;
    const next = () => {
      if (socket.destroyed || round >= times) return;
      socket.write(all.subarray(at, at + bytes), () => setImmediate(next));
      at += bytes;
      if (at >= all.length) {
        at = 0;
        round += 1;
      }
    };
    next();
  };
}
