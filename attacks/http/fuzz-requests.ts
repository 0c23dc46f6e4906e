import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { cut, cuts } from './cuts.ts';
import { count, requestDifferences, type Side, type Tally } from './differences.ts';
import { namedByConnection, ofRequests, passedOn } from './forwarded.ts';
import { mutated } from './mutations.ts';
import { type Meaning, proxies, servers } from './readers.ts';
import { Conversation } from './relay-alone.ts';
import { type Message, type Reading, readRequests, valuesOf } from './strict-reader.ts';

const host = 'Host: a.localhost\r\n';
const get = `GET /a?b=c HTTP/1.1\r\n${host}Accept: */*\r\nX-A: b\r\n\r\n`;
const post = `POST /p HTTP/1.1\r\n${host}Content-Length: 3\r\nContent-Type: text/plain\r\n\r\nabc`;
const chunked = `POST /p HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\nX-A: b\r\n\r\n3\r\nabc\r\n2;a="b c";d\r\nde\r\n0\r\nX-T: e\r\n\r\n`;
const others = [
  `PUT /p HTTP/1.0\r\n${host}Content-Length: 3\r\nConnection: keep-alive\r\n\r\nabc`,
  `GET http://a.localhost/abs HTTP/1.1\r\n${host}\r\n`,
  `OPTIONS * HTTP/1.1\r\n${host}\r\n`,
  `HEAD /h HTTP/1.1\r\n${host}Cookie: a=b\r\n\r\n`,
  `DELETE /p HTTP/1.1\r\n${host}Connection: X-A, close\r\nX-A: 1\r\nForwarded: for=6.6.6.6\r\n\r\n`,
  `POST /e HTTP/1.1\r\n${host}Expect: 100-continue\r\nContent-Length: 3\r\n\r\nabc`,
];
/** Single requests, and two on one connection: a smuggled request becomes part of the second one, or comes before it. */
const bases = [get, post, chunked, ...others, post + get, chunked + get, chunked + post, get + chunked];

/** The conditions of a conversation besides its text. */
const manner = fc.record({
  cuts,
  /** Number of pieces after which the connection to the agent is established. */
  acceptedAfter: fc.constantFrom(0, 0, 0, 1, 2, 1_000),
  /** The agent answers before it has the whole request. */
  isEarly: fc.constantFrom(false, false, false, true),
  isSlow: fc.constantFrom(false, false, false, true),
});
type Manner = typeof manner extends fc.Arbitrary<infer T> ? T : never;

/** The gateway's result for a text: for each response the request that an agent received, or the code of the gateway's own page. */
interface Taken {
  outcomes: (Message | string)[];
  /** The bytes that the first agent received. */
  leaving: string;
  /** Requests that an agent received and whose response went to nobody: at most the beginning of one. */
  rest: Message[];
  isEarly: boolean;
}

/**
 * The requests that the gateway passes on must be exactly those that a strict reader finds in the visitor's bytes, in the same order, and
 * readers of every other habit must understand them alike. A difference in what the two refuse must be an accepted one. Returns the number
 * of requests that were passed on.
 */
export async function fuzzRequests(runs: number, seed: number, tally: Tally = { decided: new Map() }): Promise<number> {
  let accepted = 0;
  const same = fc.asyncProperty(mutated(bases), manner, async (text, how) => {
    const taken = await takenByGateway(text, how);
    accepted += taken.outcomes.filter((outcome) => typeof outcome !== 'string').length;
    const theirs = await readRequests(text);
    compare(text, taken, { theirs, tally });
    checkHabits(text, taken);
  });
  await fc.assert(same, { numRuns: runs, seed });
  return accepted;
}

/** Sends the text through the gateway in pieces to an agent that answers everything. */
async function takenByGateway(text: string, { cuts, acceptedAfter, isEarly, isSlow }: Manner): Promise<Taken> {
  const conversation = new Conversation({ isSlow });
  const { agents, visitor, socket } = conversation;
  const answered = new Map<(typeof agents)[number], number>();
  let pieces = 0;
  const turn = () => {
    for (const agent of agents) if (!agent.isAccepted && pieces >= acceptedAfter) agent.accept();
    conversation.settle();
    for (const agent of agents) {
      if (agent.written.length === (answered.get(agent) ?? 0) || (visitor.exchange.takesBytes && !isEarly)) continue;
      answered.set(agent, agent.written.length);
      agent.say(Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'));
    }
    conversation.settle();
  };
  for (const piece of cut(text, cuts)) {
    conversation.say(piece);
    pieces += 1;
    turn();
  }
  pieces = 1_000;
  for (let turns = 0; turns < 8; turns++) turn();
  conversation.hangUp();
  turn();
  conversation.end();
  const received: Message[] = [];
  for (const agent of agents) received.push(...(await readRequests(agent.written)).messages);
  const codes = [...conversation.codes];
  const answers = socket.writes.filter((written) => written.startsWith('HTTP/1.1 ') && !written.startsWith('HTTP/1.1 100 '));
  const outcomes = answers.map((answer) => (answer.startsWith('HTTP/1.1 200 ') ? received.shift()! : codes.shift()!));
  return { outcomes, leaving: agents[0]?.written ?? '', rest: received, isEarly };
}

function compare(text: string, { outcomes, rest, isEarly }: Taken, { theirs, tally }: { theirs: Reading; tally: Tally }): void {
  let before: string | undefined;
  const differ = (side: Side, why: string, message: Message) => count({ side, text, why, message, before }, requestDifferences, tally);
  for (const [at, ours] of outcomes.entries()) {
    const their = theirs.messages[at];
    before = theirs.messages[at - 1]?.body;
    if (typeof ours !== 'string') {
      if (their === undefined || (!their.isWhole && !isEarly)) differ('taken by us', '', ours);
      else assertSame(ours, their, isEarly);
    } else if (their?.isWhole) differ('refused by us', ours, their);
  }
  const next = theirs.messages[outcomes.length];
  const last = outcomes.at(-1);
  // Nothing is read after a refusal. A visitor with an early response may be refused silently for the rest of the body.
  if (next?.isWhole && typeof last === 'object' && !last.isWhole)
    differ('refused by us', 'request_invalid', theirs.messages[outcomes.length - 1]!);
  else if (next?.isWhole && typeof last !== 'string') differ('not answered by us', '', next);
  assert.ok(rest.length <= 1 && !rest[0]?.isWhole, 'an agent received a request that nobody asked');
}

function assertSame(ours: Message, their: Message, isEarly: boolean): void {
  const target = their.target.replace(/^https?:\/\/[^/?]*(?=([/?]?))/i, (_, next) => (next === '/' ? '' : '/'));
  assert.deepEqual([ours.method, ours.target], [their.method, target]);
  assert.deepEqual(valuesOf(ours, 'host'), valuesOf(their, 'host'));
  assert.deepEqual(passedOn(ours.headers, ofRequests), passedOn(their.headers, ofRequests, namedByConnection(their.headers)));
  if (isEarly && !ours.isWhole) assert.ok(their.body.startsWith(ours.body));
  else assert.equal(ours.body, their.body);
}

/** Readers of every habit must understand the outgoing request, and the incoming one, as the strict reader does. */
function checkHabits(text: string, { outcomes: [first], leaving }: Taken): void {
  if (first === undefined || typeof first === 'string') return;
  const [length] = valuesOf(first, 'content-length');
  const body = valuesOf(first, 'transfer-encoding').length > 0 ? 'chunked' : Number(length ?? 0);
  const meaning: Meaning = { method: first.method, target: first.target, host: valuesOf(first, 'host')[0] ?? '', body };
  for (const [name, read] of Object.entries(servers)) assert.deepEqual(read(leaving), meaning, `what leaves, read by ${name}`);
  // The target may be in absolute form, which not every reader can split.
  if (/^[\r\n]*\w+ +http/i.test(text)) return;
  for (const [name, read] of Object.entries(proxies)) assert.deepEqual(read(text), meaning, `what came, read by ${name}`);
}
