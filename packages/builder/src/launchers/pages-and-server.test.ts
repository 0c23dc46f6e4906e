import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../../../scripts/test/free-port.ts';

const launcher = fileURLToPath(new URL('./pages-and-server.mjs', import.meta.url));

/** Answers with what it was asked, and takes half a second until it listens. */
const program = `import { createServer } from 'node:http';
const server = createServer((request, response) => {
  if (request.url === '/api/end') process.exit(3);
  let body = '';
  request.on('data', (part) => { body += part; });
  request.on('end', () => response.setHeader('set-cookie', ['a=1', 'b=2']).end([request.method, request.url, request.headers.host, body].join(' ')));
});
server.on('upgrade', (request, socket) => {
  socket.write('HTTP/1.1 101 Switching Protocols\\r\\nupgrade: echo\\r\\nconnection: upgrade\\r\\n\\r\\n' + request.url + ' ');
  socket.pipe(socket);
});
setTimeout(() => server.listen(process.env.PORT, '127.0.0.1'), 500);
`;

async function run(t: TestContext): Promise<{ url: string; port: number; child: ChildProcess }> {
  const home = mkdtempSync(join(tmpdir(), 'paddock-pages-'));
  mkdirSync(join(home, 'dist'));
  writeFileSync(join(home, 'dist/index.html'), '<p>home');
  writeFileSync(join(home, 'server.mjs'), program);
  const [port, serverPort] = [await freePort(), await freePort()];
  const args = [launcher, 'dist', String(serverPort), '/api', '=/cut', '--', process.execPath, 'server.mjs'];
  const child = spawn(process.execPath, args, { cwd: home, env: { PORT: String(port) }, stdio: ['ignore', 'inherit', 'pipe'] });
  t.after(async () => {
    child.kill('SIGTERM');
    if (child.exitCode === null) await once(child, 'exit');
    rmSync(home, { recursive: true, force: true });
  });
  const url = `http://127.0.0.1:${port}`;
  for (let i = 0; i < 400; i++) {
    const isUp = await fetch(url).then(
      () => true,
      () => false,
    );
    if (isUp) return { url, port, child };
    await sleep(25);
  }
  assert.fail('it did not start');
}

test('pages and their server share one address, which answers once both can', async (t) => {
  const { url, port } = await run(t);
  const text = async (path: string, init: RequestInit = {}) => (await fetch(url + path, init)).text();
  assert.equal(await text('/'), '<p>home');
  assert.equal(await text('/a/route/of/the/page'), '<p>home');
  assert.equal(await text('/apiary'), '<p>home', 'only whole parts of a path count');
  assert.equal(await text('/api/chat?x=1', { method: 'POST', body: 'hello' }), `POST /api/chat?x=1 127.0.0.1:${port} hello`);
  assert.equal(await text('/cut/chat'), `GET /chat 127.0.0.1:${port} `);
  assert.deepEqual((await fetch(`${url}/api`)).headers.getSetCookie(), ['a=1', 'b=2']);
});

test('sockets reach the server', async (t) => {
  const { port } = await run(t);
  const socket = connect(port, '127.0.0.1');
  t.after(() => socket.destroy());
  socket.write('GET /api/ws HTTP/1.1\r\nhost: a\r\nconnection: upgrade\r\nupgrade: echo\r\n\r\n');
  let said = '';
  socket.on('data', (part) => (said += String(part)));
  while (!said.includes('/api/ws ')) await once(socket, 'data', { signal: AbortSignal.timeout(5000) });
  socket.write('ping');
  while (!said.endsWith('ping')) await once(socket, 'data', { signal: AbortSignal.timeout(5000) });
  assert.match(said, /^HTTP\/1\.1 101 /);
});

test('the end of the server is the end of the agent, and it ends with the agent', async (t) => {
  const first = await run(t);
  await assert.rejects(fetch(`${first.url}/api/end`).then((answer) => answer.status === 502 && assert.fail('502')));
  const [code] = first.child.exitCode === null ? await once(first.child, 'exit') : [first.child.exitCode];
  assert.equal(code, 3);
  const second = await run(t);
  second.child.kill('SIGTERM');
  assert.equal((await once(second.child, 'exit'))[0], 0);
});
