import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createPlainServer } from 'node:net';
import { type TestContext, test } from 'node:test';

const main = `${import.meta.dirname}/main.ts`;

/** Runs the CLI against the address, without the machine's own configuration. */
async function run(address: string, args: string[] = ['projects']) {
  const env = { PATH: process.env['PATH'], HOME: '/nonexistent', PADDOCK_API_KEY: 'pk_test_12345678', PADDOCK_URL: address };
  const tool = spawn(process.execPath, [main, ...args], { env, timeout: 30_000 });
  let stderr = '';
  tool.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  tool.stdout.resume();
  const [exit] = (await once(tool, 'close')) as [number | null];
  return { stderr, exit };
}

async function listening(t: TestContext, server: ReturnType<typeof createPlainServer>) {
  server.listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const wayOut = /Check that the server runs, and its address: --url, PADDOCK_URL or the last login\.\n$/;

test('a server that cannot be reached is named with its address, the cause and the way out', async (t) => {
  const closing = await listening(
    t,
    createPlainServer((socket) => socket.destroy()),
  );
  const plain = await listening(
    t,
    createServer((_, response) => response.end()),
  );
  const other = await listening(
    t,
    createPlainServer((socket) => socket.end('hello\r\n')),
  );
  const freed = createPlainServer();
  const absent = await listening(t, freed);
  await new Promise((resolve) => freed.close(resolve));
  const cases: [address: string, cause: RegExp][] = [
    [`http://${absent}`, /nothing listens there/],
    [`http://${closing}`, /closed before the answer/],
    [`https://${plain}`, /does not speak https there/],
    [`http://${other}`, /does not speak HTTP there/],
  ];
  for (const [address, cause] of cases) {
    const { stderr, exit } = await run(address);
    assert.ok(stderr.startsWith(`The server at ${address} cannot be reached: `), stderr);
    assert.match(stderr, cause);
    assert.match(stderr, wayOut);
    assert.equal(exit, 5);
  }
});

test('an answer of another program than Paddock is named with its address and status', async (t) => {
  for (const [status, exit] of [
    [200, 1],
    [404, 4],
    [502, 5],
  ] as const) {
    const page = createServer((_, response) => response.writeHead(status, { 'content-type': 'text/html' }).end('<h1>hello</h1>'));
    const address = `http://${await listening(t, page)}`;
    const result = await run(address);
    assert.match(result.stderr, new RegExp(`^${address} answered with status ${status}, but not as a Paddock server does\\.`));
    assert.match(result.stderr, wayOut);
    assert.equal(result.exit, exit);
  }
});
