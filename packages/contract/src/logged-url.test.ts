import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loggedUrl } from './logged-url.ts';

const secret = 'pdt_0123456789abcdef';

test('a secret in a query is in no log, however its name is spelled', () => {
  const names = [
    'token',
    '%74oken',
    '%2574oken',
    'Token',
    'TOKEN',
    '+token',
    'token+',
    'token[]',
    't%6Fken',
    'tok%65n',
    'ｔoken',
    '%EF%BD%94oken',
  ];
  const more = [
    'access_token',
    'api_key',
    'ticket',
    'code',
    'state',
    'password',
    'a.token',
    ';token',
    'x;token',
    '%',
    '%zz',
    'token%00',
    '',
  ];
  for (const name of [...names, ...more])
    for (const url of [
      `/a?${name}=${secret}`,
      `/a?after=3&${name}=${secret}`,
      `/a?${name}=x&${name}=${secret}#f`,
      `/a??${name}=${secret}`,
    ]) {
      assert.ok(!loggedUrl(url).includes(secret), `${url} is logged as ${loggedUrl(url)}`);
      assert.ok(loggedUrl(url).startsWith('/a?'));
    }
});

test('a secret is in no log either when it stands in the value of another name, alone, or before the host', () => {
  for (const url of [
    `/a?next=/b%3Ftoken%3D${secret}`,
    `/a?x=1;token=${secret}`,
    `/a?${secret}`,
    `http://me:${secret}@host/a?x=1`,
    `HTTP://me:${secret}@host`,
  ])
    assert.ok(!loggedUrl(url).includes(secret), `${url} is logged as ${loggedUrl(url)}`);
});

test('what helps to find a fault stays', () => {
  assert.equal(loggedUrl('/api/v1/projects?limit=50&after=prj_1&level=error'), '/api/v1/projects?limit=50&after=prj_1&level=error');
  assert.equal(loggedUrl('/ws/logs/dep_1?token=x&after=12'), '/ws/logs/dep_1?token=[redacted]&after=12');
  assert.equal(loggedUrl('/'), '/');
});

test('a long address takes no more of the log than a short one', () => {
  assert.ok(loggedUrl(`/${'a'.repeat(16_000)}`).length < 1_100);
  assert.ok(loggedUrl(`/?${'a=1&'.repeat(4_000)}`).length < 1_100);
});
