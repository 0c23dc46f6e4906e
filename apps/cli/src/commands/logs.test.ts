import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { toolProgram } from '../../../../scripts/test/product.ts';

const main = toolProgram();
const deployment = 'dep_01h00000000000000000000000';
const line = (number: number) => ({
  id: `log_${number}`,
  number,
  level: 'info',
  source: 'agent',
  message: `line ${number}`,
  created_at: '2026-01-31T12:00:00.000Z',
});

/** A server with one deployment and its log. Returns the `paddock` that uses it. */
async function serveLog(t: TestContext, page: (limit: number, before: number | undefined) => unknown) {
  const server = createServer((req, res) => {
    const { pathname, searchParams } = new URL(req.url ?? '/', 'http://localhost');
    const before = searchParams.get('before');
    const answer = pathname.endsWith('/logs')
      ? page(Number(searchParams.get('limit')), before === null ? undefined : Number(before))
      : { id: deployment };
    res.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const env = {
    ...process.env,
    PADDOCK_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    PADDOCK_API_KEY: 'pk_live_test',
  };
  return (...args: string[]) => promisify(execFile)(process.execPath, [main, 'logs', deployment, ...args], { env, timeout: 60_000 });
}

test('against a server that does not tell how far it looked, every line is printed once', async (t) => {
  const all = Array.from({ length: 30 }, (_, index) => line(index + 1));
  const logs = await serveLog(t, (limit, before = 31) => ({ logs: all.filter(({ number }) => number < before).slice(-limit) }));
  const { stdout, stderr } = await logs('--json');
  assert.deepEqual(
    stdout
      .trim()
      .split('\n')
      .map((text) => JSON.parse(text).number),
    all.map(({ number }) => number),
  );
  assert.equal(stderr, '');
});

test('whoever gets fewer lines than wanted, since the server took too long, is told before which line nothing was searched', async (t) => {
  const logs = await serveLog(t, (_, before) =>
    before === undefined ? { logs: [line(9_000)], searched_to: null } : { logs: [], searched_to: before - 10 },
  );
  const some = await logs('--level', 'error');
  assert.match(some.stderr, /before 8,601 were not searched/);
  const since = await logs('--level', 'error', '--since', '2026-01-01T00:00');
  assert.match(since.stderr, /before 7,001 were not searched/);
  assert.equal(some.stdout + since.stdout, '');
});
