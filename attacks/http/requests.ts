/** A request that two servers could read differently, or that asks for more than is anybody's to ask. */
export interface HostileRequest {
  name: string;
  /** Complete, as an attacker would send it. */
  bytes: string;
  /**
   * `refused`: one answer of the class 4xx, the connection closes, nothing reaches an agent.
   * `not whole`: it may be begun, but nobody takes it for a complete request.
   * `one request`: it is clear, and is exactly one.
   */
  expected: 'refused' | 'not whole' | 'one request';
}

/** Follows each attempt on its connection: what a second server could take for a request of its own. */
export const smuggled = (host: string) => `GET /smuggled HTTP/1.1\r\nHost: ${host}\r\n\r\n`;

/** Attack list E 65, 66 and 69 against anything that speaks HTTP/1.1; `path` is one that answers a POST. */
export function hostileRequests(host: string, path: string): HostileRequest[] {
  const h = `Host: ${host}\r\n`;
  const post = (headers: string, body = '') => `POST ${path} HTTP/1.1\r\n${h}${headers}\r\n${body}`;
  const get = (headers: string) => `GET ${path} HTTP/1.1\r\n${h}${headers}\r\n`;
  const chunked = (body: string) => post('Transfer-Encoding: chunked\r\n', body);
  const inner = smuggled(host);
  const rows = (expected: HostileRequest['expected'], list: [string, string][]) => list.map(([name, bytes]) => ({ name, bytes, expected }));
  return [
    ...rows('refused', [
      ['CL.TE', post('Content-Length: 6\r\nTransfer-Encoding: chunked\r\n', '0\r\n\r\nG')],
      ['TE.CL', post('Transfer-Encoding: chunked\r\nContent-Length: 4\r\n', `${inner.length.toString(16)}\r\n${inner}\r\n0\r\n\r\n`)],
      ['CL.TE with Content-Length 0', post('Content-Length: 0\r\nTransfer-Encoding: chunked\r\n', `0\r\n\r\n`)],
      ['TE.TE chunked then identity', post('Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n', '0\r\n\r\n')],
      ['TE.TE identity then chunked', post('Transfer-Encoding: identity\r\nTransfer-Encoding: chunked\r\n', '0\r\n\r\n')],
      ['TE.TE chunked twice in one line', post('Transfer-Encoding: chunked, chunked\r\n', '0\r\n\r\n')],
      ['TE.TE x-custom', post('Transfer-Encoding: chunked\r\nTransfer-encoding: x-custom\r\n', '0\r\n\r\n')],
      ['TE xchunked', post('Transfer-Encoding: xchunked\r\n', '0\r\n\r\n')],
      ['TE quoted', post('Transfer-Encoding: "chunked"\r\n', '0\r\n\r\n')],
      ['TE gzip, chunked', post('Transfer-Encoding: gzip, chunked\r\n', '0\r\n\r\n')],
      ['TE chunked, gzip', post('Transfer-Encoding: chunked, gzip\r\n', '0\r\n\r\n')],
      ['TE chunked;q=1', post('Transfer-Encoding: chunked;q=1\r\n', '0\r\n\r\n')],
      ['TE vertical tab', post('Transfer-Encoding: \x0bchunked\r\n', '0\r\n\r\n')],
      ['TE form feed', post('Transfer-Encoding: chunked\x0c\r\n', '0\r\n\r\n')],
      ['TE non-breaking space', post('Transfer-Encoding: \xa0chunked\r\n', '0\r\n\r\n')],
      ['TE ended by a tab', post('Transfer-Encoding: chunked\t\r\n', '0\r\n\r\n')],
      ['TE NUL', post('Transfer-Encoding: chunked\0\r\n', '0\r\n\r\n')],
      ['TE space before the colon', post('Transfer-Encoding : chunked\r\n', '0\r\n\r\n')],
      ['TE tab before the colon', post('Transfer-Encoding\t: chunked\r\n', '0\r\n\r\n')],
      ['TE behind a folded line', post('X: a\r\n Transfer-Encoding: chunked\r\n', '0\r\n\r\n')],
      ['TE whose value is folded', post('Transfer-Encoding:\r\n chunked\r\n', '0\r\n\r\n')],
      ['TE after a bare CR', post('X: a\rTransfer-Encoding: chunked\r\n', '0\r\n\r\n')],
      ['TE after a bare LF', post('X: a\nTransfer-Encoding: chunked\r\n', '0\r\n\r\n')],
      ['TE in HTTP/1.0', `POST ${path} HTTP/1.0\r\n${h}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
      ['TE empty', post('Transfer-Encoding:\r\n')],
      ['TE identity', post('Transfer-Encoding: identity\r\n')],
      ['CL twice, the same', post('Content-Length: 1\r\nContent-Length: 1\r\n', 'a')],
      ['CL twice, different', post('Content-Length: 0\r\nContent-Length: 43\r\n')],
      ['CL list', post('Content-Length: 1, 1\r\n', 'a')],
      ['CL +1', post('Content-Length: +1\r\n', 'a')],
      ['CL -1', post('Content-Length: -1\r\n', 'a')],
      ['CL 0x1', post('Content-Length: 0x1\r\n', 'a')],
      ['CL 1e0', post('Content-Length: 1e0\r\n', 'a')],
      ['CL 1.0', post('Content-Length: 1.0\r\n', 'a')],
      ['CL "1"', post('Content-Length: "1"\r\n', 'a')],
      ['CL with a space inside', post('Content-Length: 1 0\r\n', 'a')],
      ['CL empty', post('Content-Length:\r\n')],
      ['CL beyond 64 bits', post('Content-Length: 18446744073709551617\r\n', 'a')],
      ['CL whose name is folded', post('Content-Length\r\n : 1\r\n', 'a')],
      ['obs-fold', get('X: a\r\n b\r\n')],
      ['obs-fold by tab', get('X: a\r\n\tb\r\n')],
      ['first header indented', `GET ${path} HTTP/1.1\r\n ${h}\r\n`],
      ['bare LF everywhere', `GET ${path} HTTP/1.1\nHost: ${host}\n\n`],
      ['bare LF after the request line', `GET ${path} HTTP/1.1\n${h}\r\n`],
      ['bare LF ends the head', `GET ${path} HTTP/1.1\r\nHost: ${host}\n\r\n`],
      ['bare CR in a value', get('X: a\rb\r\n')],
      ['bare CR before the colon', get('X\r: a\r\n')],
      ['bare CR ends the head', `GET ${path} HTTP/1.1\rHost: ${host}\r\r`],
      ['NUL in a value', get('X: a\0b\r\n')],
      ['NUL in a name', get('X\0: a\r\n')],
      ['control in a value', get('X: a\x01b\r\n')],
      ['DEL in a value', get('X: a\x7fb\r\n')],
      ['header without a name', get(': a\r\n')],
      ['header without a colon', get('X\r\n')],
      ['no Host', `GET ${path} HTTP/1.1\r\nX: a\r\n\r\n`],
      ['Host twice, the same', get(h)],
      ['Host twice, different', get('Host: other.localhost\r\n')],
      ['Host twice, by case', get('hOST: other.localhost\r\n')],
      ['Host empty', `GET ${path} HTTP/1.1\r\nHost:\r\n\r\n`],
      ['Host list', `GET ${path} HTTP/1.1\r\nHost: ${host}, other.localhost\r\n\r\n`],
      ['Host with a user', `GET ${path} HTTP/1.1\r\nHost: ${host}@other.localhost\r\n\r\n`],
      ['Host with a path', `GET ${path} HTTP/1.1\r\nHost: ${host}/x\r\n\r\n`],
      ['Host with a query', `GET ${path} HTTP/1.1\r\nHost: ${host}?x\r\n\r\n`],
      ['Host with a fragment', `GET ${path} HTTP/1.1\r\nHost: ${host}#x\r\n\r\n`],
      ['Host with a backslash', `GET ${path} HTTP/1.1\r\nHost: ${host}\\x\r\n\r\n`],
      ['Host with a bad port', `GET ${path} HTTP/1.1\r\nHost: ${host}:x\r\n\r\n`],
      ['Host with two ports', `GET ${path} HTTP/1.1\r\nHost: ${host}:80:80\r\n\r\n`],
      ['Host percent-encoded', `GET ${path} HTTP/1.1\r\nHost: a%2elocalhost\r\n\r\n`],
      ['Host in Unicode', `GET ${path} HTTP/1.1\r\nHost: a\xe3\x80\x82localhost\r\n\r\n`],
      ['absolute form, other host', `GET http://other.localhost${path} HTTP/1.1\r\n${h}\r\n`],
      ['absolute form with a user', `GET http://u@${host}${path} HTTP/1.1\r\n${h}\r\n`],
      ['absolute form, other port', `GET http://${host}:1${path} HTTP/1.1\r\n${h}\r\n`],
      ['absolute form, other scheme', `GET ftp://${host}${path} HTTP/1.1\r\n${h}\r\n`],
      ['request line in two words', `GET ${path}\r\n${h}\r\n`],
      ['request line in four words', `GET ${path} x HTTP/1.1\r\n${h}\r\n`],
      ['tabs in the request line', `GET\t${path}\tHTTP/1.1\r\n${h}\r\n`],
      ['lower-case method', `get ${path} HTTP/1.1\r\n${h}\r\n`],
      ['lower-case version', `GET ${path} http/1.1\r\n${h}\r\n`],
      ['HTTP/1.2', `GET ${path} HTTP/1.2\r\n${h}\r\n`],
      ['HTTP/2.0', `GET ${path} HTTP/2.0\r\n${h}\r\n`],
      ['HTTP/11.1', `GET ${path} HTTP/11.1\r\n${h}\r\n`],
      ['HTTP/0.9', `GET ${path}\r\n\r\n`],
      ['HTTP/2 preface', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
      ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
      ['fragment in the path', `GET ${path}#x HTTP/1.1\r\n${h}\r\n`],
      ['byte above ASCII in the path', `GET ${path}\xe9 HTTP/1.1\r\n${h}\r\n`],
      ['NUL in the path', `GET ${path}\0 HTTP/1.1\r\n${h}\r\n`],
      ['asterisk for GET', `GET * HTTP/1.1\r\n${h}\r\n`],
      ['CONNECT', `CONNECT ${host} HTTP/1.1\r\n${h}\r\n`],
      ['TRACE', `TRACE ${path} HTTP/1.1\r\n${h}\r\n`],
      ['header of 1 MB', get(`X: ${'a'.repeat(1_000_000)}\r\n`)],
      ['10,000 headers', get('X: a\r\n'.repeat(10_000))],
      ['101 headers beside Host', get('X: a\r\n'.repeat(101))],
      ['address of 100 kB', `GET ${path}?${'a'.repeat(100_000)} HTTP/1.1\r\n${h}\r\n`],
    ]),
    ...rows('not whole', [
      ['chunk size -1', chunked('-1\r\nx\r\n0\r\n\r\n')],
      ['chunk size 0x1', chunked('0x1\r\nx\r\n0\r\n\r\n')],
      ['chunk size with a space', chunked('1 \r\nx\r\n0\r\n\r\n')],
      ['chunk size of 65 bits', chunked('10000000000000001\r\nx\r\n0\r\n\r\n')],
      ['chunk size empty', chunked('\r\nx\r\n0\r\n\r\n')],
      ['chunk size and bare LF', chunked('1\nx\r\n0\r\n\r\n')],
      ['chunk size and bare CR', chunked('1\rx\r\n0\r\n\r\n')],
      ['chunk data ended by bare LF', chunked('1\r\nx\n0\r\n\r\n')],
      ['chunk longer than its size', chunked('1\r\nxx\r\n0\r\n\r\n')],
      ['LF in a chunk extension', chunked('1;a\nb\r\nx\r\n0\r\n\r\n')],
      ['CR in a chunk extension', chunked('1;a\rb\r\nx\r\n0\r\n\r\n')],
      ['last chunk 0 ended by bare LF', chunked('0\n\n')],
      ['trailer with a bare LF', chunked('0\r\nA: b\n\r\n')],
      ['trailer folded', chunked('0\r\nA: b\r\n c\r\n\r\n')],
      ['trailer that names the framing', chunked('1\r\nx\r\n0\r\nContent-Length: 50\r\nTransfer-Encoding: chunked\r\n\r\n')],
      ['chunk extension of 64 kB', chunked(`1;${'a'.repeat(65_536)}\r\nx\r\n0\r\n\r\n`)],
      ['body shorter than Content-Length', post('Content-Length: 100000\r\n', 'x')],
    ]),
    ...rows('one request', [
      ['CL.0: a body that looks like a request', post(`Content-Length: ${inner.length}\r\n`, inner)],
      ['0.CL: a GET with such a body', `GET ${path} HTTP/1.1\r\n${h}Content-Length: ${inner.length}\r\n\r\n${inner}`],
      ['chunk that looks like a request', chunked(`${inner.length.toString(16)}\r\n${inner}\r\n0\r\n\r\n`)],
      ['trailer that names a host', chunked('1\r\nx\r\n0\r\nHost: other.localhost\r\n\r\n')],
      ['Expect with a body at once', post('Content-Length: 1\r\nExpect: 100-continue\r\n', 'x')],
      ['Expect on a GET', get('Expect: 100-continue\r\n')],
      ['Connection names Content-Length', post('Connection: Content-Length\r\nContent-Length: 1\r\n', 'x')],
      [
        'Connection names Transfer-Encoding',
        post('Connection: Transfer-Encoding\r\nTransfer-Encoding: chunked\r\n', '1\r\nx\r\n0\r\n\r\n'),
      ],
      ['Upgrade h2c', get('Upgrade: h2c\r\nHTTP2-Settings: x\r\nConnection: Upgrade, HTTP2-Settings\r\n')],
      ['underscore twin of Content-Length', post('Content_Length: 50\r\nContent-Length: 1\r\n', 'x')],
      ['underscore twin of Transfer-Encoding', post('Transfer_Encoding: chunked\r\nContent-Length: 1\r\n', 'x')],
    ]),
  ];
}
