import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { startAgent, startFixture, startRawAgent } from '../apps/gateway/test/fixture.ts';

/** Limit of an honest visitor's wait while another team's agent sends a hostile head. Such a head once took 36 s. */
const patienceMs = 20_000;
const blanks = ' '.repeat(8_000);

async function besideHonest(t: TestContext) {
  const fixture = await startFixture();
  const honest = await startAgent((_req, res) => res.end('hello'));
  t.after(async () => {
    await fixture.close();
    await honest.close();
  });
  await fixture.route('honest', honest);
  return fixture;
}

const heads: Record<string, string[]> = {
  'a Set-Cookie of blanks': [`Set-Cookie: a=1; Domain=${blanks}=${blanks}x"y`, `Set-Cookie: a=1; Domain\t=${'\t'.repeat(8_000)}"."x`],
  'thousands of names in Connection': [`Connection: ${'a,'.repeat(31_000)}b`, ...Array.from({ length: 200 }, (_, n) => `X-${n}: ${n}`)],
  'hundreds of headers of blanks': Array.from({ length: 250 }, (_, n) => `X-${n}: ${' '.repeat(200)}x`),
};

for (const [what, lines] of Object.entries(heads))
  test(`an agent that answers with ${what} keeps no visitor of another agent waiting`, { timeout: 120_000 }, async (t) => {
    const fixture = await besideHonest(t);
    const hostile = await startRawAgent((socket) => {
      socket.on('error', () => socket.destroy());
      socket.on('data', () => socket.write(`HTTP/1.1 200 OK\r\n${lines.join('\r\n')}\r\nContent-Length: 0\r\n\r\n`, 'latin1'));
    });
    t.after(() => hostile.close());
    await fixture.route('hostile', hostile);
    const begun = performance.now();
    const attacks = Array.from({ length: 5 }, () => fixture.fetch('hostile').catch((error: Error) => error));
    const answers = await Promise.all(Array.from({ length: 20 }, () => fixture.fetch('honest')));
    assert.ok(performance.now() - begun < patienceMs, `the honest visitors waited ${Math.round(performance.now() - begun)} ms`);
    assert.deepEqual([...new Set(answers.map(({ status, body }) => `${status} ${body}`))], ['200 hello']);
    await Promise.all(attacks);
  });

test('an agent that sends its head byte by byte costs the gateway its bytes and no more', { timeout: 120_000 }, async (t) => {
  const fixture = await besideHonest(t);
  const head = Buffer.from(`HTTP/1.1 200 OK\r\nX: ${'a'.repeat(3_000)}\r\nContent-Length: 2\r\n\r\nok`);
  const hostile = await startRawAgent((socket) => {
    socket.setNoDelay(true).on('error', () => socket.destroy());
    socket.once('data', () => {
      let at = 0;
      const next = () => {
        if (at < head.length) socket.write(head.subarray(at, ++at), () => setImmediate(next));
      };
      next();
    });
  });
  t.after(() => hostile.close());
  await fixture.route('hostile', hostile);
  const slow = fixture.fetch('hostile');
  assert.equal((await fixture.fetch('honest')).body, 'hello');
  assert.equal((await slow).body, 'ok');
});
