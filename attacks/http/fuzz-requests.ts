import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { cut, cuts } from './cuts.ts';
import { count, requestDifferences, type Side, type Tally } from './differences.ts';
import { mutated } from './mutations.ts';
import { namedByConnection, ofRequests, passedOn } from './passed-on.ts';
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
/** One request, and two on one connection: whatever the first one smuggles becomes part of the second, or stands before it. */
const bases = [get, post, chunked, ...others, post + get, chunked + get, chunked + post, get + chunked];

/** How one conversation goes beside its text. */
const manner = fc.record({
  cuts,
  /** After how many pieces the connection to the agent is there. */
  acceptedAfter: fc.constantFrom(0, 0, 0, 1, 2, 1_000),
  /** The agent answers before it has the whole request. */
  isEarly: fc.constantFrom(false, false, false, true),
  isSlow: fc.constantFrom(false, false, false, true),
});
type Manner = typeof manner extends fc.Arbitrary<infer T> ? T : never;

/** What the gateway made of a text: for each of its answers the request that an agent received for it, or the code of its own page. */
interface Taken {
  outcomes: (Message | string)[];
  /** The text that the first agent received. */
  leaving: string;
  /** What an agent received and nobody was told of: at most the beginning of one request. */
  rest: Message[];
  isEarly: boolean;
}

/**
 * Whatever the gateway passes on is exactly what a strict reader takes from the visitor's bytes, in the same order, and readers of every
 * other habit understand it alike. Where the two differ in what they refuse, the difference must have been decided. Returns how many
 * requests were passed on.
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

/** Sends the text through the gateway in pieces, with an agent behind that answers everything. */
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
  // Behind a refusal nothing is read. Who was answered early may be refused without a word, for the rest of the body.
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

/** Readers of every habit understand what leaves as the strict one does, and what came as well. */
function checkHabits(text: string, { outcomes: [first], leaving }: Taken): void {
  if (first === undefined || typeof first === 'string') return;
  const [length] = valuesOf(first, 'content-length');
  const body = valuesOf(first, 'transfer-encoding').length > 0 ? 'chunked' : Number(length ?? 0);
  const meaning: Meaning = { method: first.method, target: first.target, host: valuesOf(first, 'host')[0] ?? '', body };
  for (const [name, read] of Object.entries(servers)) assert.deepEqual(read(leaving), meaning, `what leaves, read by ${name}`);
  // The address may come in absolute form, which is not every reader's to take apart.
  if (/^[\r\n]*\w+ +http/i.test(text)) return;
  for (const [name, read] of Object.entries(proxies)) assert.deepEqual(read(text), meaning, `what came, read by ${name}`);
}
