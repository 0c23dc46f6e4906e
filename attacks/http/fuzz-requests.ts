import assert from 'node:assert/strict';
import { createServer, type IncomingMessage } from 'node:http';
import { Duplex } from 'node:stream';
import * as fc from 'fast-check';
import { hostReader } from '../../apps/gateway/src/host.ts';
import { limits } from '../../apps/gateway/src/limits.ts';
import { type RequestFacts, readRequest, upstreamHead } from '../../apps/gateway/src/request-head.ts';
import { mutated } from './mutations.ts';
import { type Meaning, proxies, servers } from './readers.ts';

const readHost = hostReader('localhost');
const host = 'Host: a.localhost\r\n';
const bases = [
  `GET /a?b=c HTTP/1.1\r\n${host}Accept: */*\r\nX-A: b\r\n\r\n`,
  `POST /p HTTP/1.1\r\n${host}Content-Length: 3\r\nContent-Type: text/plain\r\n\r\nabc`,
  `POST /p HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\nX-A: b\r\n\r\n3\r\nabc\r\n0\r\n\r\n`,
  `PUT /p HTTP/1.0\r\n${host}Content-Length: 3\r\nConnection: keep-alive\r\n\r\nabc`,
  `GET http://a.localhost/abs HTTP/1.1\r\n${host}\r\n`,
  `DELETE /p HTTP/1.1\r\n${host}Connection: X-A, close\r\nX-A: 1\r\nForwarded: for=6.6.6.6\r\n\r\n`,
];

/**
 * Whatever the gateway passes on, readers of every habit understand alike, and as the gateway did: method, target, host and where the
 * body ends. Returns how many of the runs were passed on.
 */
export async function fuzzRequests(runs: number, seed: number): Promise<number> {
  let accepted = 0;
  const same = fc.asyncProperty(mutated(bases), async (text) => {
    const taken = await takenByGateway(text);
    if (!taken) return;
    accepted += 1;
    for (const [name, read] of Object.entries(servers))
      assert.deepEqual(read(taken.upstream), taken.meaning, `what leaves, read by ${name}`);
    // The address may come in absolute form, which is not every reader's to take apart.
    if (/^[\r\n]*\w+ +http/i.test(text)) return;
    for (const [name, read] of Object.entries(proxies)) assert.deepEqual(read(text), taken.meaning, `what came, read by ${name}`);
  });
  await fc.assert(same, { numRuns: runs, seed });
  return accepted;
}

/** The first request of the text as the gateway's parser and checks see it, and the head that it sends on; undefined if it is refused. */
function takenByGateway(text: string): Promise<{ meaning: Meaning; upstream: string } | undefined> {
  return new Promise((resolve) => {
    const server = createServer({ insecureHTTPParser: false, maxHeaderSize: limits.headBytes });
    server.maxHeadersCount = 0;
    const wire = new Duplex({
      read() {
        // Pushed below.
      },
      write: (_piece, _encoding, done) => done(),
    });
    const take = (req: IncomingMessage) => {
      const facts = readRequest(req, limits);
      resolve(
        typeof facts === 'string' || readHost(facts.host).kind === 'invalid'
          ? undefined
          : { meaning: meaningOf(req, facts), upstream: headOf(req, facts) },
      );
      wire.destroy();
    };
    server.on('request', take);
    server.on('checkContinue', take);
    server.on('checkExpectation', take);
    server.on('upgrade', take);
    server.on('connect', () => resolve(undefined));
    server.on('clientError', () => resolve(undefined));
    wire.on('close', () => resolve(undefined));
    wire.on('error', () => resolve(undefined));
    server.emit('connection', wire);
    wire.push(Buffer.from(text, 'latin1'));
    wire.push(null);
  });
}

const meaningOf = (req: IncomingMessage, facts: RequestFacts): Meaning => ({
  method: req.method!,
  target: facts.target,
  host: facts.host,
  body: facts.body === 'none' ? 0 : facts.body,
});

const headOf = (req: IncomingMessage, facts: RequestFacts) =>
  upstreamHead(req, facts, {
    client: { address: '127.0.0.1', isHttps: false, isTrustedProxy: false },
    requestId: 'req_1',
    webSocket: false,
  });
