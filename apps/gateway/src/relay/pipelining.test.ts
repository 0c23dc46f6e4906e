import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import { type Agent, echo, type Fixture, startAgent, startFixture } from '../../test/fixture.ts';

let fixture: Fixture;
let agent: Agent;
before(async () => {
  fixture = await startFixture();
  agent = await startAgent((req, res) => {
    if (req.method === 'POST') return echo()(req, res);
    res.end(`<${req.url}>`);
  });
  await fixture.route('pipe', agent);
});
after(async () => {
  await fixture.close();
  await agent.close();
});

const host = 'Host: pipe.localhost\r\n';
const urls = (received: string): string[] => received.match(/<\/[^>]*>/g) ?? [];
const count = (received: string, text: string): number => received.split(text).length - 1;

test('a visitor who sends 3,000 requests ahead gets 3,000 answers in order', async () => {
  const requests = Array.from({ length: 3_000 }, (_, i) => `GET /${i} HTTP/1.1\r\n${host}\r\n`);
  const received = await fixture.raw(requests.join(''), (text) => text.slice(-20).includes('</2999>'));
  assert.deepEqual(
    urls(received),
    requests.map((_, i) => `</${i}>`),
  );
});

test('a visitor who sends 10,000 requests ahead, reads slowly and half-closes gets every page', async () => {
  const one = `GET /livez HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`;
  let received = '';
  await new Promise<void>((resolve, reject) => {
    const socket = connect(fixture.gateway.port, '127.0.0.1', () => socket.end(one.repeat(10_000)));
    socket.pause();
    setTimeout(() => socket.resume(), 200);
    socket.on('data', (piece: Buffer) => (received += piece.toString('latin1')));
    socket.on('error', reject);
    socket.on('close', () => resolve());
  });
  assert.equal(count(received, 'HTTP/1.1 200 OK'), 10_000);
});

test('requests with bodies that come ahead of earlier answers reach the agent whole', async () => {
  const bodies = Array.from({ length: 40 }, (_, i) => `${i}:`.padEnd(5_000, String.fromCharCode(97 + (i % 26))));
  const requests = bodies.map((body, i) => {
    if (i % 2 === 0) return `POST / HTTP/1.1\r\n${host}Content-Length: ${body.length}\r\n\r\n${body}`;
    const chunks = `${(2_000).toString(16)};x="y"\r\n${body.slice(0, 2_000)}\r\n${(3_000).toString(16)}\r\n${body.slice(2_000)}\r\n0\r\nA: b\r\n\r\n`;
    return `POST / HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\n${chunks}`;
  });
  const received = await fixture.raw(requests.join(''), (text) => count(text, '"body":"') === 40 && text.endsWith('"}'));
  assert.deepEqual(
    [...received.matchAll(/"body":"([^"]*)"/g)].map((match) => match[1]),
    bodies,
  );
});

test('a request may be cut at any byte', async () => {
  const request =
    `\r\nPOST /cut HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\n3;a=b\r\nabc\r\nA\r\n0123456789\r\n0\r\nT: v\r\n\r\n` +
    `GET /next HTTP/1.1\r\n${host}Connection: close\r\n\r\n`;
  for (let at = 1; at < request.length; at += 1) {
    const received = await inTwo(request.slice(0, at), request.slice(at));
    assert.match(received, /"body":"abc0123456789"[^]*<\/next>/, `cut at ${at}`);
  }
});

test('a request may come byte by byte', async () => {
  const request = `POST /slow HTTP/1.1\r\n${host}Content-Length: 3\r\n\r\nabcGET /next HTTP/1.1\r\n${host}Connection: close\r\n\r\n`;
  const received = await new Promise<string>((resolve, reject) => {
    let text = '';
    const socket = connect({ port: fixture.gateway.port, host: '127.0.0.1', noDelay: true });
    let at = 0;
    const next = () => {
      if (at === request.length) return;
      socket.write(request[at]!, next);
      at += 1;
    };
    socket.on('connect', next);
    socket.on('data', (piece: Buffer) => (text += String(piece)));
    socket.on('error', reject);
    socket.on('close', () => resolve(text));
  });
  assert.match(received, /"body":"abc"[^]*<\/next>/);
});

/** Sends the second part once the first has probably been read: in a later turn of the loop. */
function inTwo(first: string, second: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect({ port: fixture.gateway.port, host: '127.0.0.1', noDelay: true });
    socket.on('connect', () => socket.write(first, () => setTimeout(() => socket.write(second), 2)));
    socket.on('data', (piece: Buffer) => (text += String(piece)));
    socket.on('error', reject);
    socket.on('close', () => resolve(text));
  });
}
