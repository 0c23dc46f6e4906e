import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import type { Problem } from '@paddock/contract';
import { readSeries, valueOf } from '../../../../test/exposition.ts';
import { startApi } from '../../../../test/server.ts';
import { readConfig } from '../../../config/config.ts';
import { createLog } from '../../../log.ts';

const metricsToken = 'right-token-of-prometheus';
const asked = (origin: string, token?: string, method = 'GET') =>
  fetch(`${origin}/-/metrics`, { method, ...(token ? { headers: { authorization: `Bearer ${token}` } } : {}) });

test('without a token in the configuration there is no such address, whatever is sent', async (t) => {
  const { origin } = await startApi(t);
  for (const token of [undefined, metricsToken, 'undefined'])
    for (const method of ['GET', 'POST']) {
      const answer = await asked(origin, token, method);
      assert.deepEqual([answer.status, ((await answer.json()) as Problem).code], [404, 'route_not_found']);
    }
});

test('what the API has answered is told by call and class, how long calls took, and what is left of the disk', async (t) => {
  const { origin, person } = await startApi(t, { metricsToken });
  const { api } = await person();
  for (let n = 0; n < 3; n++) await api.projects.list({});
  await assert.rejects(api.projects.get({ id: 'prj_none' }));
  await fetch(`${origin}/wp-login.php`);
  const series = readSeries(await (await asked(origin, metricsToken)).text());
  const count = (method: string, route: string, code: string) => valueOf(series, 'paddock_api_requests_total', { method, route, code });
  assert.equal(count('GET', '/api/v1/projects', '2xx'), 3);
  assert.equal(count('GET', '/api/v1/projects/:id', '4xx'), 1);
  const timed = valueOf(series, 'paddock_api_request_duration_seconds_count', {})!;
  assert.ok(timed >= 6, `${timed}`);
  assert.equal(valueOf(series, 'paddock_api_request_duration_seconds_bucket', { le: '+Inf' }), timed);
  assert.ok(valueOf(series, 'paddock_api_request_duration_seconds_sum', {})! > 0);
  const [free, size] = ['free', 'size'].map((name) => valueOf(series, `paddock_disk_${name}_bytes`, { place: 'data' })!) as [
    number,
    number,
  ];
  assert.ok(free > 0 && size > free, `${free} of ${size}`);
});

test('the right token opens the metrics, and nothing else does: no other token, no session, no API key', async (t) => {
  let logged = '';
  const to = new Writable({
    write(chunk: Buffer, _, done) {
      logged += chunk.toString();
      done();
    },
  });
  const { origin, person } = await startApi(t, { metricsToken, log: createLog('trace', to) });
  const { api, token: session } = await person();
  const { api_key: key } = await api.apiKeys.create({ name: 'mine' });
  for (const token of [undefined, `${metricsToken}x`, metricsToken.slice(0, -1), session, key]) {
    const answer = await asked(origin, token);
    const { code, detail } = (await answer.json()) as Problem;
    assert.deepEqual([answer.status, code], [401, 'not_signed_in']);
    assert.match(detail, /PADDOCK_METRICS_TOKEN as "Authorization: Bearer/);
    assert.match(answer.headers.get('www-authenticate') ?? '', /^Bearer/);
  }
  const answer = await asked(origin, metricsToken);
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8');
  assert.equal(answer.headers.get('cache-control'), 'no-store');
  assert.equal(valueOf(readSeries(await answer.text()), 'paddock_build_info', { version: 'test' }), 1);
  const posted = await asked(origin, metricsToken, 'POST');
  assert.deepEqual([posted.status, posted.headers.get('allow')], [405, 'GET, HEAD']);
  assert.ok(logged.includes('/-/metrics') && !logged.includes(metricsToken));
});

test('wrong tokens of a network are bounded, and the right one is taken before and after them', async (t) => {
  const { origin } = await startApi(t, { metricsToken });
  const tried: number[] = [];
  for (let n = 0; n < 19; n++) tried.push((await asked(origin, `wrong-${n}`)).status);
  assert.deepEqual([...new Set(tried)], [401]);
  assert.equal((await asked(origin, metricsToken)).status, 200);
  assert.equal((await asked(origin, 'wrong')).status, 401);
  const answer = await asked(origin, 'wrong');
  assert.deepEqual([answer.status, ((await answer.json()) as Problem).code], [429, 'too_many_attempts']);
  assert.ok(Number(answer.headers.get('retry-after')) > 0);
  for (let n = 0; n < 30; n++) assert.equal((await asked(origin, metricsToken)).status, 200, 'Prometheus is never locked out');
  assert.equal((await asked(origin)).status, 401, 'who sends no token guesses nothing');
});

test('a token that can be guessed or not be sent refuses the start, and the message does not tell it', () => {
  for (const token of ['fifteen-letters', 'with some blanks in it', 'ümlaut-ümlaut-ümlaut', 'x'.repeat(600)])
    assert.throws(
      () => readConfig({ PADDOCK_METRICS_TOKEN: token }),
      (error: Error) => /PADDOCK_METRICS_TOKEN: must be at least 16 letters/.test(error.message) && !error.message.includes(token),
    );
  assert.equal(readConfig({ PADDOCK_METRICS_TOKEN: '' }).metricsToken, undefined);
  assert.equal(readConfig({ PADDOCK_METRICS_TOKEN: 'q83vASNFZ4mrze/NASNFZw==' }).metricsToken, 'q83vASNFZ4mrze/NASNFZw==');
});

test('the name of the scheme is read in any case, here and by the API, and other schemes are not', async (t) => {
  const { origin, person } = await startApi(t, { metricsToken });
  const { token } = await person();
  const addresses = { '/-/metrics': metricsToken, '/api/v1/auth/me': token };
  for (const [path, right] of Object.entries(addresses)) {
    const status = async (authorization: string) => (await fetch(`${origin}${path}`, { headers: { authorization } })).status;
    for (const scheme of ['Bearer', 'bearer', 'BEARER', 'bEARER', 'Bearer ']) assert.equal(await status(`${scheme} ${right}`), 200, scheme);
    for (const scheme of ['Basic', 'Bearers', 'Bearer:', '']) assert.equal(await status(`${scheme} ${right}`), 401, scheme);
  }
});
