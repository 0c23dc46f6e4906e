import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { type TestContext, test } from 'node:test';
import { listenForKey } from './listen-for-key.ts';

const origin = 'http://localhost:4000';
const never = new AbortController().signal;
const key = `pk_live_${'a'.repeat(40)}`;
const form = { 'content-type': 'application/x-www-form-urlencoded' };

async function listening(t: TestContext, patienceMs?: number) {
  const listener = await listenForKey(origin, never, patienceMs);
  t.after(() => listener.close());
  const url = new URL(listener.callback);
  const state = url.searchParams.get('state') ?? '';
  const post = async (fields: Record<string, string> | string, headers: Record<string, string> = {}, method = 'POST') =>
    (await fetch(`${url.origin}/callback`, { method, body: new URLSearchParams(fields).toString(), headers: { ...form, ...headers } }))
      .status;
  return { ...listener, url, state, post };
}

test('the key is taken once, from the form with the right state, and whoever knocks before is refused', async (t) => {
  const { key: taken, url, state, post } = await listening(t);
  assert.equal(url.hostname, '127.0.0.1');
  assert.ok(Buffer.from(state, 'base64url').length >= 16);
  assert.equal(await post({ api_key: key, state: 'x' }), 400);
  assert.equal(await post({ api_key: key }), 400);
  assert.equal(await post({ state }), 400);
  assert.equal(await post({ api_key: 'not a key', state }), 400);
  assert.equal(await post(`api_key=${key}&api_key=pk_live_other123456&state=${state}`), 400);
  assert.equal(await post(`api_key=${key}&state=${state}&state=${state}`), 400);
  assert.equal(await post({ api_key: key, state, more: 'x'.repeat(5000) }), 400);
  assert.equal(await post({ api_key: key, state }, { 'content-type': 'text/plain' }), 400);
  assert.equal(await post({ api_key: key, state }, { origin: 'https://evil.example' }), 403);
  assert.equal(await post({ api_key: key, state }, {}, 'PUT'), 405);
  assert.equal((await fetch(`${url.origin}/other`)).status, 404);
  assert.equal((await fetch(`${url.origin}/callback?state=${state}&api_key=${key}`)).status, 405);
  assert.match(
    await raw(Number(url.port), `POST /callback HTTP/1.1\r\nhost: evil.example\r\ncontent-length: 0\r\n\r\n`),
    /^HTTP\/1\.1 403/,
  );
  assert.equal(await post({ api_key: key, state }, { origin: 'null' }), 200);
  assert.equal(await taken, key);
  await assert.rejects(post({ api_key: key, state }), 'it listens no more');
});

test('the page of the answer may load nothing and is stored nowhere', async (t) => {
  const { key: taken, url, state } = await listening(t);
  const answer = await fetch(`${url.origin}/callback`, { method: 'POST', headers: form, body: `api_key=${key}&state=${state}` });
  const { headers } = answer;
  assert.match(headers.get('content-security-policy') ?? '', /^default-src 'none'/);
  assert.deepEqual(
    [headers.get('cache-control'), headers.get('referrer-policy'), headers.get('access-control-allow-origin')],
    ['no-store', 'no-referrer', null],
  );
  assert.equal((await answer.text()).includes(key), false);
  await taken;
});

test('only this machine reaches the listener', async (t) => {
  const { key: taken, url, close } = await listening(t);
  await assert.rejects(raw(Number(url.port), '', '127.0.0.2'), { code: 'ECONNREFUSED' });
  close();
  await assert.rejects(taken, { code: 'interrupted' });
});

test('the wait for the key ends after its time, and at once when it is aborted', async (t) => {
  const { key: late, url } = await listening(t, 20);
  await assert.rejects(late, { code: 'login_timeout' });
  await assert.rejects(raw(Number(url.port), ''), { code: 'ECONNREFUSED' });
  const off = new AbortController();
  const { key: called } = await listenForKey(origin, off.signal);
  off.abort(new Error('called off'));
  await assert.rejects(called, /called off/);
});

function raw(port: number, text: string, host = '127.0.0.1'): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect({ port, host }, () => socket.end(text));
    socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
  });
}
