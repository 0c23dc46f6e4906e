import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { toolProgram } from '../../../scripts/test/product.ts';
import type { Context, Server } from './context.ts';
import { refuseMistypedProject } from './new-project.ts';

const main = toolProgram();

/** A server without projects that refuses every request and records the calls. */
async function deploy(t: TestContext, args: string[]) {
  const home = mkdtempSync(join(tmpdir(), 'paddock-new-project-'));
  mkdirSync(join(home, 'desk'));
  writeFileSync(join(home, 'desk/main.py'), 'print(1)\n');
  const sent: string[] = [];
  const server = createServer((request, response) => {
    request.resume();
    if (request.method === 'GET')
      return response.writeHead(200, { 'content-type': 'application/json' }).end('{"projects":[],"next_cursor":null}');
    sent.push(request.url ?? '');
    return response
      .writeHead(409, { 'content-type': 'application/problem+json' })
      .end('{"code":"plan_limit","status":409,"detail":"no more"}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
    rmSync(home, { recursive: true, force: true });
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const env = { PATH: process.env['PATH'], HOME: home, PADDOCK_API_KEY: 'pk_test_12345678', PADDOCK_URL: url };
  const tool = spawn(process.execPath, [main, 'deploy', 'desk', ...args], { env, cwd: home, timeout: 30_000 });
  let stderr = '';
  tool.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  tool.stdout.resume();
  const [exit] = (await once(tool, 'close')) as [number | null];
  return { exit, stderr, sent, url };
}

test('deploying to a named project that does not exist is refused before anything is sent, with both ways out', async (t) => {
  const { exit, stderr, sent, url } = await deploy(t, ['--project', 'chatt']);
  assert.equal(exit, 4);
  assert.match(stderr, new RegExp(`There is no project chatt on ${url}\\. "paddock projects" lists yours; --create creates this one\\.`));
  assert.deepEqual(sent, []);
});

test('with --create, and without --project, a project that does not exist is made', async (t) => {
  for (const args of [['--project', 'chatt', '--create'], []]) {
    const { stderr, sent } = await deploy(t, args);
    assert.match(stderr, /no more/);
    assert.notEqual(sent.length, 0, args.join(' '));
  }
});

test('on a terminal a person decides whether the project is made', async () => {
  const server = {
    url: 'http://desk.test',
    api: { projects: { list: async () => ({ projects: [], next_cursor: null }) } },
  } as unknown as Server;
  const answered = async (line: string) => {
    const stdin = new PassThrough();
    const terminal = { isInteractive: true, note: () => undefined };
    const context = { terminal, stdin, signal: AbortSignal.timeout(10_000) } as unknown as Context;
    stdin.write(`${line}\n`);
    return refuseMistypedProject(context, { server, name: 'chatt', create: false });
  };
  await answered('y');
  for (const line of ['n', '', 'chat']) await assert.rejects(answered(line), /There is no project chatt/);
});
