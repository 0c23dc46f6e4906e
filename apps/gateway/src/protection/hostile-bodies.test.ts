import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { hostile } from '@paddock/pii/growth';
import { type Agent, type Fixture, startAgent, startFixture } from '../../test/fixture.ts';
import { everywhere, protect } from '../../test/protection.ts';

const json = { 'content-type': 'application/json' };
const kib = 1024;

let fixture: Fixture;
let agent: Agent;
before(async () => {
  fixture = await startFixture();
  // The agent echoes, so that both directions are scanned.
  agent = await startAgent((req, res) => {
    res.writeHead(200, { 'content-type': req.headers['content-type'] ?? 'text/plain' });
    req.pipe(res);
  });
  await fixture.route('held', agent);
  await fixture.route('other', agent);
  await protect(fixture, 'held', { rules: { Email: everywhere('mask'), Phone: everywhere('mask'), Name: everywhere('mask') } });
});
after(async () => {
  await fixture.close();
  await agent.close();
});

const post = (body: string | Buffer, headers: Record<string, string> = json) =>
  fixture.fetch('held', '/', { method: 'POST', body, headers });

test('bodies that are made to hurt are masked, refused or passed; none breaks the gateway, and its memory stays', async () => {
  const nested = gzipSync(gzipSync(Buffer.alloc(64 * kib * kib)));
  const bodies: [Buffer | string, Record<string, string>][] = [
    ['1'.repeat(3 * kib * kib), json],
    ['4111 1111 1111 1112 '.repeat(10 * kib), { 'content-type': 'text/plain' }],
    [nested, { ...json, 'content-encoding': 'gzip' }],
    [gzipSync(Buffer.alloc(64 * kib * kib, '7')), { ...json, 'content-encoding': 'gzip' }],
    [Buffer.alloc(200 * kib, 0xff), json],
    [Buffer.from('{"a":"\xff\xfe\xed\xa0\x80"}', 'latin1'), json],
    ['{"a":'.repeat(40 * kib), json],
    [`${'['.repeat(100_000)}${']'.repeat(100_000)}`, json],
  ];
  const before = process.memoryUsage().rss;
  for (const [body, headers] of bodies) assert.ok([200, 400, 403, 413].includes((await post(body, headers)).status));
  assert.ok(process.memoryUsage().rss - before < 400 * kib * kib, 'a bounded amount of memory');
  assert.equal((await fixture.fetch('other', '/', { method: 'POST', body: 'well' })).body, 'well');
});

test('what makes each rule look closer is masked or refused in time, also many at once', async () => {
  const send = async (piece: string) => (await post(JSON.stringify({ text: piece.repeat(Math.ceil((32 * kib) / piece.length)) }))).status;
  const isScanned = (status: number) => status === 200 || status === 403;
  const late: string[] = [];
  for (let at = 0; at < hostile.length; at += 8)
    await Promise.all(
      hostile.slice(at, at + 8).map(async (piece) => {
        if (!isScanned(await send(piece))) late.push(piece);
      }),
    );
  // A busy machine may be late with eight at once. A rule that takes too long for its text is late by itself too, however often.
  for (const piece of late) {
    let status = await send(piece);
    for (let again = 0; again < 5 && !isScanned(status); again += 1) status = await send(piece);
    assert.ok(isScanned(status), `${piece.slice(0, 40)} was answered ${status}`);
  }
});
