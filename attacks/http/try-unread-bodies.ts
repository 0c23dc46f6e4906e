import { startCarelessAgent } from '../../apps/gateway/test/careless-agent.ts';
import type { Fixture } from '../../apps/gateway/test/fixture.ts';
import type { Row } from './table.ts';

const methods = ['GET', 'HEAD', 'DELETE', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'QUERY', 'PROPFIND', 'PROPPATCH', 'REPORT', 'SEARCH', 'LOCK'];
const visitorCount = 8;
const host = 'Host: careless.localhost\r\n';

/** Bodies that an agent which reads no body would take for its next request. */
const bodies: [string, string][] = [
  ['a whole request', `GET /env HTTP/1.1\r\n${host}\r\n`],
  ['two whole requests', `GET /env HTTP/1.1\r\n${host}\r\n`.repeat(2)],
  ['a request whose last header is open', `GET /env HTTP/1.1\r\n${host}X-Rest: `],
  ['a POST that waits for its body', `POST /collect HTTP/1.1\r\n${host}Content-Length: 500\r\n\r\n`],
  ['an answer', 'HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nstolen'],
  ['one byte', 'G'],
];

const framings: [string, (body: string) => string][] = [
  ['with a length', (body) => `Content-Length: ${body.length}\r\n\r\n${body}`],
  ['in chunks', (body) => `Transfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`],
  ['after Expect', (body) => `Expect: 100-continue\r\nContent-Length: ${body.length}\r\n\r\n${body}`],
];

/** Sends bodies that contain requests to an agent that reads no body. After each, other visitors must get the right responses. */
export async function tryUnreadBodies(fixture: Fixture): Promise<Row[]> {
  const agent = await startCarelessAgent();
  await fixture.route('careless', agent);
  const rows: Row[] = [];
  for (const method of methods)
    for (const [what, body] of bodies)
      for (const [how, framed] of framings) {
        const attack = `${method} /x HTTP/1.1\r\n${host}${framed(body)}`;
        await fixture.raw(attack, (received) => /HTTP\/1\.1 [2-5]\d\d [^]*\r\n\r\n/.test(received));
        const got = await othersGet(fixture);
        const isOwn = got.every((answer, n) => answer === `200 /mine${n} visitor=${n}`);
        const wrong = got.find((answer, n) => answer !== `200 /mine${n} visitor=${n}`);
        rows.push({
          attempt: `${what} as the body of ${method}, ${how}`,
          expected: `${visitorCount} visitors get their own answers`,
          got: isOwn ? 'own answers' : `a visitor got '${wrong}'`,
          held: isOwn,
        });
      }
  await agent.close();
  return rows;
}

function othersGet(fixture: Fixture): Promise<string[]> {
  const visit = async (n: number) => {
    const { status, body } = await fixture.fetch('careless', `/mine${n}`, { headers: { cookie: `visitor=${n}` } });
    return `${status} ${body}`;
  };
  return Promise.all(Array.from({ length: visitorCount }, (_, n) => visit(n)));
}
