import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { cut, cuts } from './cuts.ts';
import { answerDifferences, count, type Side, type Tally } from './differences.ts';
import { namedByConnection, ofAnswers, passedOn } from './forwarded.ts';
import { mutated } from './mutations.ts';
import { Conversation } from './relay-alone.ts';
import { type Message, readAnswer } from './strict-reader.ts';

const bases = [
  'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 3\r\n\r\nabc',
  'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nX: y\r\n\r\n3\r\nabc\r\n2;a=b;c="d e"\r\nde\r\n0\r\nX-T: e\r\n\r\n',
  'HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n',
  'HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nuntil the end',
  'HTTP/1.0 200 OK\r\nContent-Length: 3\r\nConnection: keep-alive\r\n\r\nabc',
  'HTTP/1.1 204 No Content\r\nX: y\r\nConnection: X, keep-alive\r\n\r\n',
  'HTTP/1.1 304 Not Modified\r\nETag: "x"\r\nContent-Length: 3\r\n\r\n',
  'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil',
];

const manner = fc.record({
  cuts,
  method: fc.constantFrom('GET', 'GET', 'GET', 'HEAD', 'POST'),
  version: fc.constantFrom('1.1', '1.1', '1.1', '1.0'),
  isSlow: fc.constantFrom(false, false, false, true),
});
type Manner = typeof manner extends fc.Arbitrary<infer T> ? T : never;

/**
 * If the gateway sends a visitor a complete response, a strict client must read the same response from the agent's bytes. An incomplete
 * response must not look complete to any visitor. A difference in what the two refuse must be an accepted one. Returns the number of runs
 * in which the response was passed on.
 */
export async function fuzzAnswers(runs: number, seed: number, tally: Tally = { decided: new Map() }): Promise<number> {
  let accepted = 0;
  const same = fc.asyncProperty(mutated(bases), manner, async (text, how) => {
    const taken = takenByGateway(text, how);
    const heard = await readAnswer(taken.said, how.method);
    const their = await readAnswer(text, how.method);
    const differ = (side: Side, message: Message) => count({ side, text, why: taken.why, message }, answerDifferences, tally);
    if (taken.why === '') {
      accepted += 1;
      assert.ok(heard?.isWhole, 'the visitor gets a whole answer');
      if (their?.isWhole) assertSame(heard, their);
      else differ('taken by us', heard);
      return;
    }
    if (taken.isRefused) assert.equal(heard?.status, 502);
    // Without chunks the end of the connection ends the response, so an HTTP/1.0 client cannot see that it came too early.
    else if (how.version === '1.1') assert.ok(!heard?.isWhole, 'what broke off looks broken off');
    if (their?.isWhole) differ('refused by us', their);
  });
  await fc.assert(same, { numRuns: runs, seed });
  return accepted;
}

function takenByGateway(text: string, { cuts, method, version, isSlow }: Manner) {
  const conversation = new Conversation({ isSlow });
  const { agents, socket, codes, whys } = conversation;
  const length = method === 'POST' ? 'Content-Length: 0\r\n' : '';
  conversation.say(Buffer.from(`${method} / HTTP/${version}\r\nHost: a.localhost\r\n${length}\r\n`));
  const [agent] = agents;
  agent!.accept();
  for (const piece of cut(text, cuts)) {
    for (let turns = 0; agent!.isPaused && turns < 8; turns++) conversation.settle();
    agent!.say(piece);
  }
  for (let turns = 0; agent!.isPaused && turns < 8; turns++) conversation.settle();
  agent!.hangUp();
  conversation.settle();
  const [said, why = '', isRefused] = [socket.written, whys[0], codes.includes('agent_answer_broken')];
  conversation.end();
  assert.equal(agents.length, 1, 'the agent was asked once');
  return { said, why, isRefused };
}

function assertSame(heard: Message, their: Message): void {
  assert.equal(heard.status, their.status);
  assert.deepEqual(passedOn(heard.headers, ofAnswers), passedOn(their.headers, ofAnswers, namedByConnection(their.headers)));
  assert.equal(heard.body, their.body);
}
