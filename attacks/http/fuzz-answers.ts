import assert from 'node:assert/strict';
import { type IncomingMessage, request } from 'node:http';
import { Duplex } from 'node:stream';
import * as fc from 'fast-check';
import { limits } from '../../apps/gateway/src/limits.ts';
import { answerParser } from '../../apps/gateway/src/upstream/answer-parser.ts';
import { BrokenAnswer } from '../../apps/gateway/src/upstream/broken-answer.ts';
import { mutated } from './mutations.ts';

interface Meaning {
  status: number;
  headers: string[];
  body: string;
}

const bases = [
  'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 3\r\n\r\nabc',
  'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nX: y\r\n\r\n3\r\nabc\r\n2;a=b\r\nde\r\n0\r\n\r\n',
  'HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n',
  'HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nuntil the end',
  'HTTP/1.0 200 OK\r\nContent-Length: 3\r\nConnection: keep-alive\r\n\r\nabc',
  'HTTP/1.1 204 No Content\r\nX: y\r\n\r\n',
];

/** What our parser takes for a whole answer, Node's strict one takes for the same. Returns how many of the runs it took. */
export async function fuzzAnswers(runs: number, seed: number): Promise<number> {
  let accepted = 0;
  const same = fc.asyncProperty(mutated(bases), async (text) => {
    const ours = readOurs(text);
    // An interim answer has no say about the connection here; Node's parser stops at one that says close.
    const interim = /^(?:HTTP\/1\.[01] 1\d\d[^]*?\r\n\r\n)+/.exec(text)?.[0] ?? '';
    if (!ours || /connection/i.test(interim)) return;
    accepted += 1;
    assert.deepEqual(ours, await readByNode(text));
  });
  await fc.assert(same, { numRuns: runs, seed });
  return accepted;
}

function readOurs(text: string): Meaning | undefined {
  let meaning: Meaning | undefined;
  let ended = false;
  const parser = answerParser({ method: 'GET', upgrades: false }, limits, {
    head: ({ status, headers }) => {
      meaning = { status, headers: [...headers], body: '' };
    },
    body: (piece) => {
      meaning!.body += piece.toString('latin1');
    },
    end: () => {
      ended = true;
    },
  });
  try {
    parser.feed(Buffer.from(text, 'latin1'));
    parser.finish();
  } catch (error) {
    if (!(error instanceof BrokenAnswer)) throw error;
  }
  return ended ? meaning : undefined;
}

/** The first answer on a connection that says just this and ends; undefined if Node refuses it. */
function readByNode(text: string): Promise<Meaning | undefined> {
  return new Promise((resolve) => {
    // What stands behind a whole answer is an error too, but does not take the answer back.
    const refuse = () => void setImmediate(() => resolve(undefined));
    const wire = new Duplex({
      read() {
        // All is pushed once the request was written.
      },
      write(_piece, _encoding, done) {
        done();
        this.push(Buffer.from(text, 'latin1'));
        this.push(null);
      },
    });
    const asked = request({ createConnection: () => wire, method: 'GET', headers: { host: 'x' }, insecureHTTPParser: false });
    asked.on('response', (answer: IncomingMessage) => {
      let body = '';
      answer.on('data', (piece: Buffer) => (body += piece.toString('latin1')));
      answer.on('end', () => resolve(answer.complete ? { status: answer.statusCode!, headers: answer.rawHeaders, body } : undefined));
      answer.on('error', refuse);
    });
    asked.on('upgrade', (answer) => resolve({ status: answer.statusCode!, headers: answer.rawHeaders, body: '' }));
    asked.on('error', refuse);
    asked.end();
  });
}
