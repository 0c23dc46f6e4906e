// Text of a server, a file or an agent that would control the terminal on which it is printed.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { colouredText, plainText, shownText } from '@paddock/contract/terminal-text';
import { toolProgram } from '../../../scripts/test/product.ts';
import { openTerminal } from './terminal.ts';

const turning = '\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c';
const hostile = `be${turning}fore\u009b31mafter\u0085end`;
// oxlint-disable-next-line no-control-regex -- control characters are what this is about
const acting = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;
const main = toolProgram();

/** Runs the CLI against a server that refuses every call with this sentence. */
async function run(t: TestContext, detail: string, args: string[]) {
  const home = mkdtempSync(join(tmpdir(), 'paddock-output-'));
  const server = createServer((request, response) => {
    request.resume();
    const problem = {
      type: '/docs/errors#project_not_found',
      title: 'Not found',
      status: 404,
      detail,
      code: 'project_not_found',
      request_id: 'req_1',
    };
    response.writeHead(404, { 'content-type': 'application/problem+json' }).end(JSON.stringify(problem));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.close();
    rmSync(home, { recursive: true, force: true });
  });
  const env = {
    PATH: process.env['PATH'],
    HOME: home,
    PADDOCK_API_KEY: 'pk_test_12345678',
    PADDOCK_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  };
  const tool = spawn(process.execPath, [main, ...args], { env, cwd: home, timeout: 30_000 });
  const [out, err]: [string[], string[]] = [[], []];
  tool.stdout.setEncoding('utf8').on('data', (text: string) => out.push(text));
  tool.stderr.setEncoding('utf8').on('data', (text: string) => err.push(text));
  await once(tool, 'close');
  return { stdout: out.join(''), stderr: err.join('') };
}

test('nothing that a server says turns, moves or colours what the tool prints', async (t) => {
  const { stdout, stderr } = await run(t, hostile, ['projects']);
  assert.equal(stdout, '');
  assert.match(stderr, /before31mafterend/);
  assert.doesNotMatch(stderr, acting);
});

test('JSON for programs holds the very same text, with such letters as escapes', async (t) => {
  const { stdout } = await run(t, hostile, ['projects', '--json']);
  assert.doesNotMatch(stdout, acting);
  assert.equal((JSON.parse(stdout) as { detail: string }).detail, hostile);
});

test('what a person typed is printed without such letters, too', async (t) => {
  const { stderr } = await run(t, 'no', [`pro${hostile}`]);
  assert.match(stderr, /before31mafter/);
  assert.doesNotMatch(stderr, acting);
});

test('progress on a terminal holds nothing that acts but its own beginning', () => {
  const stderr = Object.assign(new PassThrough(), { isTTY: true, columns: 200 });
  const streams = { stdout: Object.assign(new PassThrough(), { isTTY: true }), stdin: Object.assign(new PassThrough(), { isTTY: true }) };
  const terminal = openTerminal({ json: false, env: {}, stderr, ...streams } as unknown as Parameters<typeof openTerminal>[0]);
  terminal.progress(`\x1b]0;title\x07${hostile}\x1b[2A`);
  const shown = String(stderr.read());
  assert.match(shown, /before31mafterend$/);
  assert.doesNotMatch(shown, acting);
});

test('lines of logs lose such letters with and without colours', () => {
  for (const show of [plainText, colouredText, shownText]) assert.equal(show(hostile), 'before31mafterend');
  assert.equal(colouredText(`\x1b[31m${turning}red`), '\x1b[31mred');
});
