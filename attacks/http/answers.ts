import type { Socket } from 'node:net';

export interface HostileAnswer {
  name: string;
  /** What the agent does once it is asked. */
  does: (socket: Socket) => void;
  request?: string;
  expected: 'refused (502)' | 'cut short' | 'passed, bounded' | 'passed once';
}

const says = (bytes: string) => (socket: Socket) => void socket.write(bytes, 'latin1');
const saysAndEnds = (bytes: string) => (socket: Socket) => void socket.end(bytes, 'latin1');
const ok = 'HTTP/1.1 200 OK\r\n';
const split = 'Set-Cookie: evil=1';

/** Attack list E 70 and 71: answers of an agent that means harm. */
export function hostileAnswers(gzipBomb: Buffer): HostileAnswer[] {
  const rows = (expected: HostileAnswer['expected'], list: [string, (socket: Socket) => void][]) =>
    list.map(([name, does]) => ({ name, does, expected }));
  return [
    ...rows('refused (502)', [
      ['Content-Length twice, different', says(`${ok}Content-Length: 2\r\nContent-Length: 3\r\n\r\nabc`)],
      ['Content-Length list', says(`${ok}Content-Length: 2, 2\r\n\r\nab`)],
      ['Content-Length signed', says(`${ok}Content-Length: +2\r\n\r\nab`)],
      ['Content-Length beyond 2^53', says(`${ok}Content-Length: 9007199254740993000\r\n\r\nab`)],
      ['Content-Length beside chunks', says(`${ok}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`)],
      ['chunks in HTTP/1.0', says('HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n')],
      ['TE gzip, chunked', says(`${ok}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`)],
      ['TE xchunked', says(`${ok}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`)],
      ['TE ended by a tab', says(`${ok}Transfer-Encoding: chunked\t\r\n\r\n0\r\n\r\n`)],
      ['TE twice', says(`${ok}Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`)],
      ['TE empty', says(`${ok}Transfer-Encoding:\r\n\r\n0\r\n\r\n`)],
      ['splitting by bare CR', says(`${ok}X: a\r${split}\r\nContent-Length: 0\r\n\r\n`)],
      ['splitting by bare LF', says(`${ok}X: a\n${split}\r\nContent-Length: 0\r\n\r\n`)],
      ['splitting by a folded line', says(`${ok}X: a\r\n ${split}\r\nContent-Length: 0\r\n\r\n`)],
      ['splitting in the reason', says(`HTTP/1.1 200 OK\r${split}\r\nContent-Length: 0\r\n\r\n`)],
      ['NUL in a value', says(`${ok}X: a\0b\r\nContent-Length: 0\r\n\r\n`)],
      ['blank in a name', says(`${ok}X Y: a\r\nContent-Length: 0\r\n\r\n`)],
      ['header without a colon', says(`${ok}X\r\nContent-Length: 0\r\n\r\n`)],
      ['status of two digits', says('HTTP/1.1 20 OK\r\nContent-Length: 0\r\n\r\n')],
      ['status of four digits', says('HTTP/1.1 2000 OK\r\nContent-Length: 0\r\n\r\n')],
      ['status 000', says('HTTP/1.1 000 OK\r\nContent-Length: 0\r\n\r\n')],
      ['HTTP/2', says('HTTP/2 200 OK\r\nContent-Length: 0\r\n\r\n')],
      ['blank before the status line', says(` ${ok}Content-Length: 0\r\n\r\n`)],
      ['10,000 interim answers', says('HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n'.repeat(10_000))],
      ['101 that nobody asked for', says('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\nevil')],
      ['head of 1 MB', says(`${ok}X: ${'a'.repeat(1_000_000)}\r\n\r\n`)],
      ['10,000 headers', says(`${ok}${'X: a\r\n'.repeat(10_000)}\r\n`)],
      ['nothing, and closes', saysAndEnds('')],
      ['half a head, and closes', saysAndEnds(`${ok}X: a`)],
    ]),
    ...rows('cut short', [
      ['Content-Length too large', saysAndEnds(`${ok}Content-Length: 100\r\n\r\nabc`)],
      ['chunk size in hexadecimal with 0x', says(`${ok}Transfer-Encoding: chunked\r\n\r\n0x3\r\nabc\r\n0\r\n\r\n`)],
      ['chunk size of 65 bits', says(`${ok}Transfer-Encoding: chunked\r\n\r\n10000000000000003\r\nabc\r\n0\r\n\r\n`)],
      ['chunk size with a space', says(`${ok}Transfer-Encoding: chunked\r\n\r\n3 \r\nabc\r\n0\r\n\r\n`)],
      ['chunk longer than its size', says(`${ok}Transfer-Encoding: chunked\r\n\r\n3\r\nabcdef\r\n0\r\n\r\n`)],
      ['chunk ended by a bare LF', says(`${ok}Transfer-Encoding: chunked\r\n\r\n3\r\nabc\n0\r\n\r\n`)],
      ['chunk extension without end', says(`${ok}Transfer-Encoding: chunked\r\n\r\n3;${'a'.repeat(100_000)}`)],
      ['trailers without end', says(`${ok}Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n${'T: a\r\n'.repeat(10_000)}`)],
      ['no last chunk', saysAndEnds(`${ok}Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n`)],
    ]),
    ...rows('passed once', [
      [
        'Content-Length too small, a second answer behind',
        says(`${ok}Content-Length: 2\r\n\r\nokHTTP/1.1 200 OK\r\n${split}\r\nContent-Length: 4\r\n\r\nevil`),
      ],
      ['a second answer unasked', says(`${ok}Content-Length: 2\r\n\r\nok${ok}${split}\r\nContent-Length: 4\r\n\r\nevil`)],
      ['trailer that sets a cookie', says(`${ok}Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n${split}\r\n\r\n`)],
      ['interim answer that sets a cookie', says(`HTTP/1.1 103 Early Hints\r\n${split}\r\n\r\n${ok}Content-Length: 2\r\n\r\nok`)],
      ['Connection names a header of ours', says(`${ok}Connection: X-Request-Id\r\nContent-Length: 2\r\n\r\nok`)],
    ]),
    {
      name: 'an answer before the request has ended',
      does: saysAndEnds(`${ok}Content-Length: 2\r\n\r\nok`),
      request: 'POST / HTTP/1.1\r\nHost: odd.localhost\r\nContent-Length: 1000000\r\n\r\nx',
      expected: 'passed once',
    },
    { name: '1 TB in chunks', does: endless(`${ok}Transfer-Encoding: chunked\r\n\r\n`, chunk(64 * 1024)), expected: 'passed, bounded' },
    {
      name: '1 TB by Content-Length',
      does: endless(`${ok}Content-Length: 1000000000000\r\n\r\n`, Buffer.alloc(65_536)),
      expected: 'passed, bounded',
    },
    {
      name: 'gzip bomb, 1 MB of 1 GB',
      does: (socket) => {
        socket.write(`${ok}Content-Encoding: gzip\r\nContent-Length: ${gzipBomb.length}\r\n\r\n`);
        socket.write(gzipBomb);
      },
      expected: 'passed, bounded',
    },
  ];
}

const chunk = (bytes: number) => Buffer.concat([Buffer.from(`${bytes.toString(16)}\r\n`), Buffer.alloc(bytes), Buffer.from('\r\n')]);

function endless(head: string, piece: Buffer) {
  return (socket: Socket) => {
    socket.write(head);
    const pump = () => {
      while (!socket.destroyed && socket.write(piece));
    };
    socket.on('drain', pump);
    pump();
  };
}
