import type { Socket } from 'node:net';

export interface HostileAnswer {
  name: string;
  /** The agent's behaviour once it is asked. */
  does: (socket: Socket) => void;
  request?: string;
  expected: 'refused (502)' | 'cut short or 502' | 'passed, bounded' | 'passed once' | 'passed without a body';
}

const says = (bytes: string) => (socket: Socket) => void socket.write(bytes, 'latin1');
const saysAndEnds = (bytes: string) => (socket: Socket) => void socket.end(bytes, 'latin1');
const ok = 'HTTP/1.1 200 OK\r\n';
const chunked = `${ok}Transfer-Encoding: chunked\r\n\r\n`;
/** Sends the rest when the beginning has most likely been passed on. */
const saysLater =
  (bytes: string, rest = '') =>
  (socket: Socket) => {
    socket.write(bytes, 'latin1');
    setTimeout(() => socket.end(rest, 'latin1'), 100);
  };
const split = 'Set-Cookie: evil=1';

/** Attack list E 70 and 71: responses of a hostile agent. */
export function hostileAnswers(gzipBomb: Buffer): HostileAnswer[] {
  const rows = (expected: HostileAnswer['expected'], list: [string, (socket: Socket) => void][]) =>
    list.map(([name, does]) => ({ name, does, expected }));
  return [
    ...rows('refused (502)', [
      ['Content-Length twice, different', says(`${ok}Content-Length: 2\r\nContent-Length: 3\r\n\r\nabc`)],
      ['Content-Length list', says(`${ok}Content-Length: 2, 2\r\n\r\nab`)],
      ['Content-Length signed', says(`${ok}Content-Length: +2\r\n\r\nab`)],
      ['Content-Length twice, the same', says(`${ok}Content-Length: 2\r\nContent-Length: 2\r\n\r\nok`)],
      ['Content-Length negative', says(`${ok}Content-Length: -2\r\n\r\nab`)],
      ['Content-Length empty', says(`${ok}Content-Length:\r\n\r\nab`)],
      ['Content-Length in hexadecimal', says(`${ok}Content-Length: 0x2\r\n\r\nab`)],
      ['Content-Length with a zero before', says(`${ok}Content-Length: 02\r\n\r\nab`)],
      ['Content-Length behind a tab', says(`${ok}Content-Length:\t2\r\n\r\nab`)],
      ['Content-Length with a unit', says(`${ok}Content-Length: 2 bytes\r\n\r\nab`)],
      ['Content-Length before a blank and a colon', says(`${ok}Content-Length : 2\r\n\r\nab`)],
      ['Content-Length beyond 2^53', says(`${ok}Content-Length: 9007199254740993000\r\n\r\nab`)],
      ['Content-Length beside chunks', says(`${ok}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`)],
      ['chunks beside Content-Length', says(`${ok}Transfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n0\r\n\r\n`)],
      ['chunks in HTTP/1.0', says('HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n')],
      ['TE gzip, chunked', says(`${ok}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`)],
      ['TE xchunked', says(`${ok}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`)],
      ['TE ended by a tab', says(`${ok}Transfer-Encoding: chunked\t\r\n\r\n0\r\n\r\n`)],
      ['TE twice', says(`${ok}Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`)],
      ['TE before a tab', says(`${ok}Transfer-Encoding:\tchunked\r\n\r\n0\r\n\r\n`)],
      ['TE chunked, identity', says(`${ok}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n`)],
      ['TE chunked;q=1', says(`${ok}Transfer-Encoding: chunked;q=1\r\n\r\n0\r\n\r\n`)],
      ['TE quoted', says(`${ok}Transfer-Encoding: "chunked"\r\n\r\n0\r\n\r\n`)],
      ['TE identity', says(`${ok}Transfer-Encoding: identity\r\n\r\nab`)],
      ['TE before a blank and a colon', says(`${ok}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n`)],
      ['TE empty', says(`${ok}Transfer-Encoding:\r\n\r\n0\r\n\r\n`)],
      ['splitting by bare CR', says(`${ok}X: a\r${split}\r\nContent-Length: 0\r\n\r\n`)],
      ['splitting by bare LF', says(`${ok}X: a\n${split}\r\nContent-Length: 0\r\n\r\n`)],
      ['splitting by a folded line', says(`${ok}X: a\r\n ${split}\r\nContent-Length: 0\r\n\r\n`)],
      ['splitting in the reason', says(`HTTP/1.1 200 OK\r${split}\r\nContent-Length: 0\r\n\r\n`)],
      ['splitting in a cookie', says(`${ok}Set-Cookie: a=1\rSet-Cookie: evil=1\r\nContent-Length: 0\r\n\r\n`)],
      ['bare LF everywhere', says('HTTP/1.1 200 OK\nContent-Length: 2\n\nok')],
      ['bare LF ends the head', says(`${ok}Content-Length: 2\n\r\nok`)],
      ['first header indented', says(`${ok} Content-Length: 2\r\n\r\nok`)],
      ['header without a name', says(`${ok}: a\r\nContent-Length: 0\r\n\r\n`)],
      ['byte above ASCII in a name', says(`${ok}X\xe9: a\r\nContent-Length: 0\r\n\r\n`)],
      ['NUL in a value', says(`${ok}X: a\0b\r\nContent-Length: 0\r\n\r\n`)],
      ['blank in a name', says(`${ok}X Y: a\r\nContent-Length: 0\r\n\r\n`)],
      ['header without a colon', says(`${ok}X\r\nContent-Length: 0\r\n\r\n`)],
      ['status of two digits', says('HTTP/1.1 20 OK\r\nContent-Length: 0\r\n\r\n')],
      ['status of four digits', says('HTTP/1.1 2000 OK\r\nContent-Length: 0\r\n\r\n')],
      ['status 000', says('HTTP/1.1 000 OK\r\nContent-Length: 0\r\n\r\n')],
      ['status 099', says('HTTP/1.1 099 OK\r\nContent-Length: 0\r\n\r\n')],
      ['status signed', says('HTTP/1.1 +20 OK\r\nContent-Length: 0\r\n\r\n')],
      ['status and reason in one word', says('HTTP/1.1 200OK\r\nContent-Length: 0\r\n\r\n')],
      ['two blanks before the status', says('HTTP/1.1  200 OK\r\nContent-Length: 0\r\n\r\n')],
      ['tab before the status', says('HTTP/1.1\t200 OK\r\nContent-Length: 0\r\n\r\n')],
      ['lower-case version', says('http/1.1 200 OK\r\nContent-Length: 0\r\n\r\n')],
      ['HTTP/1.2', says('HTTP/1.2 200 OK\r\nContent-Length: 0\r\n\r\n')],
      ['HTTP/0.9', says('evil')],
      ['another protocol', says('ICY 200 OK\r\nContent-Length: 0\r\n\r\n')],
      ['empty line before the status line', says(`\r\n${ok}Content-Length: 0\r\n\r\n`)],
      ['NUL in the reason', says('HTTP/1.1 200 O\0K\r\nContent-Length: 0\r\n\r\n')],
      ['HTTP/2', says('HTTP/2 200 OK\r\nContent-Length: 0\r\n\r\n')],
      ['blank before the status line', says(` ${ok}Content-Length: 0\r\n\r\n`)],
      ['10,000 interim answers', says('HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n'.repeat(10_000))],
      ['101 that nobody asked for', says('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\nevil')],
      ['head of 1 MB', says(`${ok}X: ${'a'.repeat(1_000_000)}\r\n\r\n`)],
      ['10,000 headers', says(`${ok}${'X: a\r\n'.repeat(10_000)}\r\n`)],
      ['nothing, and closes', saysAndEnds('')],
      ['half a head, and closes', saysAndEnds(`${ok}X: a`)],
    ]),
    ...rows('cut short or 502', [
      ['Content-Length too large', saysAndEnds(`${ok}Content-Length: 100\r\n\r\nabc`)],
      ['chunk size in hexadecimal with 0x', says(`${ok}Transfer-Encoding: chunked\r\n\r\n0x3\r\nabc\r\n0\r\n\r\n`)],
      ['chunk size 1_0', says(`${chunked}1_0\r\nabc\r\n0\r\n\r\n`)],
      ['chunk size -3', says(`${chunked}-3\r\nabc\r\n0\r\n\r\n`)],
      ['chunk size empty', says(`${chunked}\r\nabc\r\n0\r\n\r\n`)],
      ['chunk extension without a name', says(`${chunked}3;\r\nabc\r\n0\r\n\r\n`)],
      ['LF in a chunk extension', says(`${chunked}3;a\nb\r\nabc\r\n0\r\n\r\n`)],
      ['CR in a chunk extension', says(`${chunked}3;a\rb\r\nabc\r\n0\r\n\r\n`)],
      ['trailer folded', says(`${chunked}3\r\nabc\r\n0\r\nA: b\r\n c\r\n\r\n`)],
      ['trailer that names the framing', says(`${chunked}3\r\nabc\r\n0\r\nContent-Length: 5\r\n\r\n`)],
      ['last chunk ended by a bare LF', says(`${chunked}3\r\nabc\r\n0\n\n`)],
      ['a broken chunk behind a good one', saysLater(`${chunked}3\r\nabc\r\n`, '0x3\r\nabc\r\n0\r\n\r\n')],
      ['no last chunk behind a good one', saysLater(`${chunked}3\r\nabc\r\n`)],
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
      ['chunk extension that says something', says(`${chunked}2;a=evil\r\nok\r\n0;evil="evil"\r\n\r\n`)],
      ['interim answer with a length', says(`HTTP/1.1 103 Early Hints\r\nContent-Length: 4\r\n\r\n${ok}Content-Length: 2\r\n\r\nok`)],
      [
        'interim answer with chunks',
        says(`HTTP/1.1 103 Early Hints\r\nTransfer-Encoding: chunked\r\n\r\n${ok}Content-Length: 2\r\n\r\nok`),
      ],
      ['no reason', says('HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nok')],
      ['reason above ASCII', says('HTTP/1.1 200 \xe9\r\nContent-Length: 2\r\n\r\nok')],
      ['HTTP/1.0 with a length', says('HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok')],
      ['Connection names Content-Length', says(`${ok}Connection: Content-Length\r\nContent-Length: 2\r\n\r\nok`)],
      ['a second answer unasked', says(`${ok}Content-Length: 2\r\n\r\nok${ok}${split}\r\nContent-Length: 4\r\n\r\nevil`)],
      ['trailer that sets a cookie', says(`${ok}Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n${split}\r\n\r\n`)],
      ['interim answer that sets a cookie', says(`HTTP/1.1 103 Early Hints\r\n${split}\r\n\r\n${ok}Content-Length: 2\r\n\r\nok`)],
      ['Connection names a header of ours', says(`${ok}Connection: X-Request-Id\r\nContent-Length: 2\r\n\r\nok`)],
    ]),
    ...rows('passed without a body', [
      ['204 with a length and a body', says('HTTP/1.1 204 No Content\r\nContent-Length: 4\r\n\r\nevil')],
      ['204 with chunks', says('HTTP/1.1 204 No Content\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nevil\r\n0\r\n\r\n')],
      ['304 with a body', says('HTTP/1.1 304 Not Modified\r\nContent-Length: 4\r\n\r\nevil')],
      ['304 with chunks', says('HTTP/1.1 304 Not Modified\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nevil\r\n0\r\n\r\n')],
    ]),
    {
      name: 'HEAD with a body',
      does: says(`${ok}Content-Length: 4\r\n\r\nevil`),
      request: 'HEAD / HTTP/1.1\r\nHost: odd.localhost\r\n\r\n',
      expected: 'passed without a body',
    },
    {
      name: 'HEAD with chunks',
      does: says(`${chunked}4\r\nevil\r\n0\r\n\r\n`),
      request: 'HEAD / HTTP/1.1\r\nHost: odd.localhost\r\n\r\n',
      expected: 'passed without a body',
    },
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
