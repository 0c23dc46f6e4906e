import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Agent, type Fixture, startAgent, startFixture } from '../../test/fixture.ts';

let fixture: Fixture;
let agent: Agent;
let asked: string[] = [];
before(async () => {
  fixture = await startFixture();
  agent = await startAgent((req, res) => {
    asked.push(`${req.method} ${req.url}`);
    req.resume().on('end', () => res.end('from the agent'));
    req.on('error', () => res.destroy());
  });
  await fixture.route('a', agent);
});
after(async () => {
  await fixture.close();
  await agent.close();
});

const host = 'Host: a.localhost\r\n';
const chunked = `POST /x HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\n`;
/** Bytes that a second server could parse as another request. */
const smuggled = 'GET /smuggled HTTP/1.1\r\nHost: a.localhost\r\n\r\n';

// Name, bytes, status. Each is followed by a second request, which must never be answered.
const refused: [string, string, number][] = [
  ['two framings (CL.TE)', `POST / HTTP/1.1\r\n${host}Content-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nX`, 400],
  ['two framings (TE.CL)', `POST / HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n5c\r\nX\r\n0\r\n\r\n`, 400],
  ['two transfer codings', `POST / HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n`, 400],
  ['chunked twice', `POST / HTTP/1.1\r\n${host}Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n`, 400],
  ['unknown coding', `POST / HTTP/1.1\r\n${host}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`, 400],
  ['coding before chunked', `POST / HTTP/1.1\r\n${host}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`, 400],
  ['identity', `POST / HTTP/1.1\r\n${host}Transfer-Encoding: identity\r\n\r\n`, 400],
  ['empty coding', `POST / HTTP/1.1\r\n${host}Transfer-Encoding:\r\n\r\n`, 400],
  ['coding behind a vertical tab', `POST / HTTP/1.1\r\n${host}Transfer-Encoding: \x0bchunked\r\n\r\n0\r\n\r\n`, 400],
  ['tab before a coding', `POST / HTTP/1.1\r\n${host}Transfer-Encoding:\tchunked\r\n\r\n0\r\n\r\n`, 400],
  ['tab behind a coding', `POST / HTTP/1.1\r\n${host}Transfer-Encoding: chunked\t\r\n\r\n0\r\n\r\n`, 400],
  ['space before the colon of a coding', `POST / HTTP/1.1\r\n${host}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n`, 400],
  ['chunks in HTTP/1.0', `POST / HTTP/1.0\r\n${host}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`, 400],
  ['length twice', `POST / HTTP/1.1\r\n${host}Content-Length: 1\r\nContent-Length: 1\r\n\r\na`, 400],
  ['two lengths', `POST / HTTP/1.1\r\n${host}Content-Length: 1\r\nContent-Length: 2\r\n\r\na`, 400],
  ['list of lengths', `POST / HTTP/1.1\r\n${host}Content-Length: 1, 1\r\n\r\na`, 400],
  ['signed length', `POST / HTTP/1.1\r\n${host}Content-Length: +1\r\n\r\na`, 400],
  ['negative length', `POST / HTTP/1.1\r\n${host}Content-Length: -1\r\n\r\na`, 400],
  ['hexadecimal length', `POST / HTTP/1.1\r\n${host}Content-Length: 0x1\r\n\r\na`, 400],
  ['empty length', `POST / HTTP/1.1\r\n${host}Content-Length:\r\n\r\na`, 400],
  ['length that overflows', `POST / HTTP/1.1\r\n${host}Content-Length: 18446744073709551617\r\n\r\na`, 400],
  ['folded header', `GET / HTTP/1.1\r\n${host}X: a\r\n b\r\n\r\n`, 400],
  ['first header indented', `GET / HTTP/1.1\r\n ${host}\r\n`, 400],
  ['bare line feeds', 'GET / HTTP/1.1\nHost: a.localhost\n\n', 400],
  ['bare line feed after a header', `GET / HTTP/1.1\r\n${host}X: a\nY: b\r\n\r\n`, 400],
  ['bare carriage return in a value', `GET / HTTP/1.1\r\n${host}X: a\rb\r\n\r\n`, 400],
  ['NUL in a value', `GET / HTTP/1.1\r\n${host}X: a\0b\r\n\r\n`, 400],
  ['control in a value', `GET / HTTP/1.1\r\n${host}X: a\x01b\r\n\r\n`, 400],
  ['NUL in a name', `GET / HTTP/1.1\r\n${host}X\0: a\r\n\r\n`, 400],
  ['no name', `GET / HTTP/1.1\r\n${host}: a\r\n\r\n`, 400],
  ['no host', 'GET / HTTP/1.1\r\nX: a\r\n\r\n', 400],
  ['no host in HTTP/1.0', 'GET / HTTP/1.0\r\nX: a\r\n\r\n', 400],
  ['host twice', `GET / HTTP/1.1\r\n${host}${host}\r\n`, 400],
  ['two hosts', `GET / HTTP/1.1\r\n${host}Host: b.localhost\r\n\r\n`, 400],
  ['empty host', 'GET / HTTP/1.1\r\nHost:\r\n\r\n', 400],
  ['list of hosts', 'GET / HTTP/1.1\r\nHost: a.localhost, b.localhost\r\n\r\n', 400],
  ['user in host', 'GET / HTTP/1.1\r\nHost: x@a.localhost\r\n\r\n', 400],
  ['path in host', 'GET / HTTP/1.1\r\nHost: a.localhost/x\r\n\r\n', 400],
  ['port that is none', 'GET / HTTP/1.1\r\nHost: a.localhost:x\r\n\r\n', 400],
  ['absolute form for another host', `GET http://b.localhost/ HTTP/1.1\r\n${host}\r\n`, 400],
  ['absolute form with a user', `GET http://u@a.localhost/ HTTP/1.1\r\n${host}\r\n`, 400],
  ['absolute form of another scheme', `GET ftp://a.localhost/ HTTP/1.1\r\n${host}\r\n`, 400],
  ['asterisk for GET', `GET * HTTP/1.1\r\n${host}\r\n`, 400],
  ['fragment', `GET /#x HTTP/1.1\r\n${host}\r\n`, 400],
  ['byte above ASCII in the path', `GET /\xe9 HTTP/1.1\r\n${host}\r\n`, 400],
  ['tab after the method', `GET\t/ HTTP/1.1\r\n${host}\r\n`, 400],
  ['lower-case method', `get / HTTP/1.1\r\n${host}\r\n`, 400],
  ['HTTP/0.9', 'GET /\r\n\r\n', 400],
  ['HTTP/1.2', `GET / HTTP/1.2\r\n${host}\r\n`, 400],
  ['HTTP/2.0', `GET / HTTP/2.0\r\n${host}\r\n`, 400],
  ['HTTP/2 preface', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
  ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400],
  ['TRACE', `TRACE / HTTP/1.1\r\n${host}\r\n`, 405],
  ['CONNECT', 'CONNECT a.localhost:80 HTTP/1.1\r\nHost: a.localhost:80\r\n\r\n', 405],
  ['more than 100 headers', `GET / HTTP/1.1\r\n${host}${'X: a\r\n'.repeat(100)}\r\n`, 431],
  ['headers beyond 16 KiB', `GET / HTTP/1.1\r\n${host}X: ${'a'.repeat(17_000)}\r\n\r\n`, 431],
  ['address beyond 8 KiB', `GET /${'a'.repeat(8_300)} HTTP/1.1\r\n${host}\r\n`, 414],
];

for (const [name, bytes, status] of refused) {
  test(`refused and closed: ${name}`, async () => {
    asked = [];
    const received = await fixture.raw(bytes + smuggled);
    assert.match(received, new RegExp(`^HTTP/1\\.1 ${status} `));
    assert.equal(received.match(/HTTP\/1\.1 \d/g)!.length, 1, received);
    assert.match(received, /\r\nConnection: close\r\n/i);
    assert.deepEqual(asked, []);
  });
}

const brokenChunks: [string, string][] = [
  ['bare line feed after the size', '1\nx\r\n0\r\n\r\n'],
  ['negative size', '-1\r\nx\r\n0\r\n\r\n'],
  ['prefixed size', '0x1\r\nx\r\n0\r\n\r\n'],
  ['space after the size', '1 \r\nx\r\n0\r\n\r\n'],
  ['size that overflows', 'fffffffffffffffff\r\nx\r\n0\r\n\r\n'],
  ['line feed in an extension', '1;a\nb\r\nx\r\n0\r\n\r\n'],
  ['trailer that names the framing', '1\r\nx\r\n0\r\ncontent-Length: 5\r\n\r\n'],
  ['trailer that speaks of the connection', '1\r\nx\r\n0\r\nA: b\r\nConnection: close\r\n\r\n'],
  ['chunk longer than its size', '1\r\nxx\r\n0\r\n\r\n'],
];

for (const [name, body] of brokenChunks) {
  test(`a broken chunked body reaches nobody as a whole one: ${name}`, async () => {
    asked = [];
    const received = await fixture.raw(chunked + body + smuggled);
    assert.doesNotMatch(received, /from the agent/);
    assert.ok(!asked.includes('GET /smuggled'));
  });
}

test('what is unusual but clear is passed on', async () => {
  const close = 'Connection: close\r\n\r\n';
  const clear = [
    `GET http://a.localhost/abs?x HTTP/1.1\r\n${host}${close}`,
    `OPTIONS * HTTP/1.1\r\n${host}${close}`,
    `POST /t HTTP/1.1\r\n${host}Transfer-Encoding:  cHunked\r\n${close}1;ext=1\r\nx\r\n0\r\nTrailer: dropped\r\n\r\n`,
    `GET /10 HTTP/1.0\r\n${host}\r\n`,
    `GET /lead HTTP/1.1\r\n${host}${close}`,
    `GET /upgrade HTTP/1.1\r\n${host}Upgrade: h2c\r\nHTTP2-Settings: x\r\nConnection: Upgrade, HTTP2-Settings, close\r\n\r\n`,
  ];
  asked = [];
  for (const bytes of clear) assert.match(await fixture.raw(bytes), /^HTTP\/1\.1 200 OK\r\n[^]*from the agent/, bytes);
  assert.deepEqual(asked, ['GET /abs?x', 'OPTIONS *', 'POST /t', 'GET /10', 'GET /lead', 'GET /upgrade']);
});

test('Expect: 100-continue is answered by the gateway, any other expectation refused', async () => {
  const head = `POST /e HTTP/1.1\r\n${host}Content-Length: 1\r\nConnection: close\r\nExpect: `;
  assert.match(await fixture.raw(`${head}100-continue\r\n\r\nx`), /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK/);
  for (const odd of ['magic', '', '100-continue, 100-continue', '100-continue;x', '"100-continue"', '100'])
    assert.match(await fixture.raw(`${head}${odd}\r\n\r\nx`), /^HTTP\/1\.1 417 /, odd);
  assert.match(await fixture.raw(`${head}magic\r\nExpect: 100-continue\r\n\r\nx`), /^HTTP\/1\.1 417 /);
});
