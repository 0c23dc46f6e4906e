import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const home = mkdtempSync(join(tmpdir(), 'paddock-static-'));
mkdirSync(join(home, 'site/docs'), { recursive: true });
writeFileSync(join(home, 'secret.txt'), 'CANARY');
for (const [name, text] of Object.entries({
  'index.html': '<p>home',
  'app.js': 'x',
  'about.html': 'about',
  '.env': 'CANARY',
  'docs/index.html': 'docs',
  'a b.svg': '<svg/>',
}))
  writeFileSync(join(home, 'site', name), text);
symlinkSync(join(home, 'secret.txt'), join(home, 'site/link.txt'));

let port = 0;
let child: ReturnType<typeof spawn>;
before(async () => {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  port = (probe.address() as { port: number }).port;
  probe.close();
  await once(probe, 'close');
  child = spawn(process.execPath, [fileURLToPath(new URL('./static-server.mjs', import.meta.url)), '.'], {
    cwd: join(home, 'site'),
    env: { PORT: String(port) },
    stdio: 'inherit',
  });
  for (let i = 0; i < 200; i++) {
    if (
      await get('/').then(
        () => true,
        () => false,
      )
    )
      return;
    await sleep(25);
  }
  assert.fail('the server did not start');
});
after(() => {
  child.kill();
  rmSync(home, { recursive: true, force: true });
});

/** Sends the path unchanged; fetch would normalise it. */
function get(path: string, method = 'GET'): Promise<{ status: number; type: string; body: string }> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, method }, (response) => {
      let body = '';
      response.on('data', (chunk: Buffer) => (body += chunk.toString()));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, type: response.headers['content-type'] ?? '', body }));
    });
    sent.on('error', reject);
    sent.end();
  });
}

test('files come with their types, folders with their index, routes of a page with its index', async () => {
  assert.deepEqual(await get('/'), { status: 200, type: 'text/html; charset=utf-8', body: '<p>home' });
  assert.equal((await get('/app.js')).type, 'text/javascript; charset=utf-8');
  assert.equal((await get('/a%20b.svg?x=1')).type, 'image/svg+xml');
  assert.equal((await get('/docs/')).body, 'docs');
  assert.equal((await get('/about')).body, 'about');
  assert.equal((await get('/some/route')).body, '<p>home');
  assert.equal((await get('/missing.js')).status, 404);
  assert.equal((await get('/', 'HEAD')).body, '');
  assert.equal((await get('/', 'POST')).status, 405);
});

test('neither dot files nor anything outside of the folder is served', async () => {
  for (const path of [
    '/.env',
    '/docs/../.env',
    '/../secret.txt',
    '/..%2fsecret.txt',
    '/%2e%2e/secret.txt',
    '/link.txt',
    '/%00',
    '/..%5csecret.txt',
    '/docs/..;/..;/secret.txt',
    '//../secret.txt',
    '/%',
  ]) {
    const { status, body } = await get(path);
    assert.ok(!body.includes('CANARY'), path);
    assert.equal(status, 404, path);
  }
});
