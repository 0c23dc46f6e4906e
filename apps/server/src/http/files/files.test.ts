import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { type Answered, callerOf } from '../../../test/exchange.ts';
import { startApi } from '../../../test/server.ts';
import { consoleFiles } from './console-files.ts';

const tool = join(import.meta.dirname, '../../../../cli/dist/paddock.mjs');
const built = join(import.meta.dirname, '../../../../console/dist');
const text = (words: string) => `${words}\n`.repeat(200);

/** Compresses like the console's build, which is in another workspace. */
async function compressFiles(folder: string): Promise<void> {
  const text = `import { compressFiles } from '${join(import.meta.dirname, '../../../../console/compress.ts')}'; compressFiles('${folder}');`;
  await promisify(execFile)(process.execPath, ['--input-type=module', '-e', text]);
}

/** A small console as the build creates it: with a text of each kind, a file that is compressed already, and a hidden file. */
async function smallConsole(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'paddock-console-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  await mkdir(join(folder, 'assets'));
  await mkdir(join(folder, '.vite'));
  const files = {
    'index.html': `<!doctype html><html><head></head><body>${text('page')}</body></html>`,
    'theme.js': text('theme'),
    'favicon.svg': text('<svg/>'),
    'assets/app-1a2b.js': text('app'),
    'assets/app-1a2b.css': text('style'),
    'assets/font-3c4d.woff2': text('font'),
    'assets/tiny-5e6f.js': '1',
    '.vite/manifest.json': text('{}'),
  };
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
  await compressFiles(folder);
  return folder;
}

async function serving(t: TestContext, consoleDir: string) {
  const { origin } = await startApi(t, { consoleDir });
  const call = callerOf(t, origin);
  return (path: string, headers: Record<string, string> = {}, method = 'GET') => call(method, path, headers);
}

function decoded({ headers, body }: Answered): Buffer {
  const coding = headers['content-encoding'];
  if (coding === 'br') return brotliDecompressSync(body);
  return coding === 'gzip' ? gunzipSync(body) : body;
}

test('each file of the console and of the docs is the same bytes in each form, with the headers of that form', async (t) => {
  const folder = await smallConsole(t);
  // The real build is included if it exists: the same must hold for it.
  if (globSync('assets/*.br', { cwd: built }).length > 0) await cp(join(built, 'assets'), join(folder, 'assets'), { recursive: true });
  const get = await serving(t, folder);
  const console = [...consoleFiles(folder).keys()];
  const others = [
    '/',
    '/projects',
    '/docs',
    '/docs/reference/deployments',
    '/docs/cli',
    '/docs/guides',
    '/docs/security',
    '/docs/errors',
    '/docs/guide.css',
    '/docs/reference/schemas',
    '/api/v1/openapi.json',
    ...(existsSync(tool) ? ['/docs/cli/paddock.mjs'] : []),
  ];
  for (const path of [...console, ...others]) {
    const plain = await get(path);
    assert.equal(plain.status, 200, path);
    assert.equal(plain.headers['content-encoding'], undefined, path);
    if (console.includes(path)) assert.ok(plain.body.equals(await readFile(join(folder, path))), path);
    const tags = new Set([plain.headers.etag]);
    for (const coding of ['br', 'gzip']) {
      const short = await get(path, { 'accept-encoding': coding });
      const isText = !/woff2|tiny/.test(path);
      if (isText && plain.body.length > 1000) {
        assert.equal(short.headers['content-encoding'], coding, path);
        assert.ok(short.body.length < plain.body.length, path);
        tags.add(short.headers.etag);
        assert.equal(tags.size, coding === 'br' ? 2 : 3, `${path}: each form has a tag of its own`);
      }
      assert.ok(decoded(short).equals(plain.body), `${path} by ${coding}`);
      for (const answer of [plain, short]) {
        const { headers, body } = answer;
        assert.equal(headers.vary, 'Accept-Encoding', path);
        assert.equal(Number(headers['content-length']), body.length, path);
        assert.equal(headers['content-type'], plain.headers['content-type'], path);
        assert.equal(headers['x-content-type-options'], 'nosniff', path);
        const isForever = String(headers['cache-control']).includes('immutable');
        assert.equal(isForever, path.startsWith('/assets/'), `${path}: ${headers['cache-control']}`);
      }
      const head = await get(path, { 'accept-encoding': coding }, 'HEAD');
      assert.deepEqual([head.status, head.body.length], [200, 0], path);
      for (const name of ['content-length', 'content-encoding', 'content-type', 'etag', 'vary', 'cache-control'])
        assert.equal(head.headers[name], short.headers[name], `${path} ${name} of HEAD`);
      const known = await get(path, { 'accept-encoding': coding, 'if-none-match': `"other", W/${String(short.headers.etag)}` });
      assert.deepEqual([known.status, known.body.length, known.headers.etag], [304, 0, short.headers.etag], path);
    }
  }
});

test('scripts, styles, pictures and fonts say what they are', async (t) => {
  const get = await serving(t, await smallConsole(t));
  const types = {
    '/': 'text/html; charset=utf-8',
    '/theme.js': 'text/javascript; charset=utf-8',
    '/favicon.svg': 'image/svg+xml',
    '/assets/app-1a2b.css': 'text/css; charset=utf-8',
    '/assets/font-3c4d.woff2': 'font/woff2',
    '/docs/guide.css': 'text/css; charset=utf-8',
  };
  for (const [path, type] of Object.entries(types)) assert.equal((await get(path)).headers['content-type'], type, path);
});

test('a part of a file is not offered, so that parts of different forms are never put together', async (t) => {
  const get = await serving(t, await smallConsole(t));
  const whole = await get('/theme.js');
  for (const coding of ['identity', 'br', 'gzip']) {
    const answer = await get('/theme.js', { 'accept-encoding': coding, range: 'bytes=0-9', 'if-range': String(whole.headers.etag) });
    assert.equal(answer.status, 200, coding);
    assert.equal(answer.headers['accept-ranges'], 'none');
    assert.ok(decoded(answer).equals(whole.body), coding);
  }
});

test('hidden files, forms by their own names and files outside are not there', async (t) => {
  const get = await serving(t, await smallConsole(t));
  for (const path of ['/.vite/manifest.json', '/theme.js.br', '/assets/app-1a2b.js.gz', '/..%2fpackage.json', '/assets/none.js'])
    assert.equal((await get(path)).status, 404, path);
});

test('what may hold a secret is never compressed', async (t) => {
  const { origin, person } = await startApi(t);
  const { token } = await person();
  const call = callerOf(t, origin);
  for (const path of ['/auth/me', '/auth/sessions', '/projects', '/system']) {
    const { status, headers } = await call('GET', `/api/v1${path}`, { authorization: `Bearer ${token}`, 'accept-encoding': 'br, gzip' });
    assert.deepEqual([status, headers['content-encoding']], [200, undefined], path);
  }
});
