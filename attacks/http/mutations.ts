import * as fc from 'fast-check';

const pieces = [
  '\r\n',
  '\n',
  '\r',
  '\r\n ',
  ' ',
  '\t',
  '\0',
  '\x0b',
  '\x7f',
  '\xa0',
  '\xff',
  ':',
  ' :',
  ';',
  ',',
  '_',
  '-',
  '"',
  '0',
  '1',
  '+1',
  '0x1',
  'f',
  'chunked',
  'Transfer-Encoding: chunked\r\n',
  'Transfer-Encoding: identity\r\n',
  'transfer_encoding: chunked\r\n',
  'Content-Length: 3\r\n',
  'Content-Length: 0\r\n',
  'Content-Length: 5\r\n',
  'Content-Length: 03\r\n',
  'Content-Length:\t3\r\n',
  'Content-Length : 3\r\n',
  'Transfer-Encoding : chunked\r\n',
  'X-A: b\r\n c\r\n',
  'Connection: close\r\n',
  'Connection: content-length, host\r\n',
  'Host: b.localhost\r\n',
  'Expect: 100-continue\r\n',
  'Upgrade: h2c\r\n',
  'X-Forwarded-For: 6.6.6.6\r\n',
  '\r\n\r\n',
  '3\r\nabc\r\n',
  '0\r\n\r\n',
  'HTTP/1.1',
  'HTTP/1.0',
  'HTTP/2.0',
  '#',
  '?',
  '@',
  '*',
  '\\',
  '//',
  'http://',
  'TRACE ',
  '00000000000003',
  '2;a="b\\"c";d=e\r\nde\r\n',
  '2 ;a\r\nde\r\n',
  '\r\nGET /smuggled HTTP/1.1\r\nHost: a.localhost\r\n\r\n',
  'Host: a.localhost\r\n',
  'Content-Length: 3, 3\r\n',
  'Transfer-Encoding:\tchunked\r\n',
  'Transfer-Encoding: chunked, chunked\r\n',
  'Connection: close, keep-alive\r\n',
  'Proxy-Connection: close\r\n',
  'Expect: x\r\n',
  'Upgrade: websocket\r\n',
  'Trailer: X-T\r\n',
  'X: a\r\n'.repeat(120),
  `X: ${'a'.repeat(17 * 1024)}\r\n`,
];

/** Pieces that are header lines. Between two other lines they are most likely understood. */
const lines = pieces.filter((piece) => /^[\w-]+[ \t]*:.*\r\n$/s.test(piece));

/** A base text in which some places are replaced, removed, doubled or filled with text that parsers stumble over. */
export function mutated(bases: readonly string[]): fc.Arbitrary<string> {
  const change = fc.record({
    at: fc.nat(2_000),
    kind: fc.constantFrom('insert', 'insert', 'line', 'line', 'replace', 'remove', 'double'),
    piece: fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...pieces) },
      { weight: 1, arbitrary: fc.nat(255).map((code) => String.fromCharCode(code)) },
    ),
    line: fc.constantFrom(...lines),
    length: fc.integer({ min: 1, max: 12 }),
  });
  return fc.tuple(fc.constantFrom(...bases), fc.array(change, { maxLength: 4 })).map(([base, changes]) => {
    let text = base;
    for (const { at, kind, piece, line, length } of changes) {
      const place = at % (text.length + 1);
      const [before, middle, after] = [text.slice(0, place), text.slice(place, place + length), text.slice(place + length)];
      if (kind === 'line') text = withLine(text, line, at);
      else if (kind === 'insert') text = before + piece + middle + after;
      else if (kind === 'replace') text = before + piece + after;
      else if (kind === 'remove') text = before + after;
      else text = before + middle + middle + after;
    }
    return text;
  });
}

function withLine(text: string, line: string, at: number): string {
  const ends = [...text.matchAll(/\r\n/g)].map((end) => end.index + 2);
  const place = ends[at % ends.length] ?? 0;
  return text.slice(0, place) + line + text.slice(place);
}
