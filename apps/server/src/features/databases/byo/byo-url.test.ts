import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkedUrls, parseTarget } from './byo-url.ts';

test('a URL is refused with its field unless every client reads it in the same way', () => {
  const bad: [string, RegExp][] = [
    ...['http://h/x', 'mysql://h/x', 'h:5432', 'postgres://', 'postgres:///x', 'postgres://u:p@/x'].map((url): [string, RegExp] => [
      url,
      /Give a URL such as/,
    ]),
    ['postgres://one.example,two.example/x', /one server/],
    ['postgres://one.example:1,two.example:2/x', /one server/],
    ['postgres://u:p@ss@h.example/x', /%40/],
    ['postgres://u@h.example:0/x', /Port 0/],
    ['postgres://u@h.example:99999/x', /Give a URL/],
    ...['\r\nSET x', ' ', '\t', '\\', '#x'].map((part): [string, RegExp] => [`postgres://u@h.example/x${part}`, /without spaces/]),
    ['postgres://u%0d%0a@h.example/x', /percent-encoded/],
    ['postgres://u:%zz@h.example/x', /percent-encoded/],
    ['postgres://u@%2fvar%2frun/x', /its host is a name/],
    ['postgres://u@h_1!.example/x', /its host is a name|Give a URL/],
    ...[
      'host=/var/run',
      'hostaddr=127.0.0.1',
      'service=x',
      'servicefile=/x',
      'sslrootcert=/etc/passwd',
      'sslkey=k',
      'sslcert=c',
      'passfile=/x',
    ].map((parameter): [string, RegExp] => [`postgres://u@h.example/x?${parameter}`, /is not accepted/]),
    ['postgres://u@h.example/x?sslmode=require&sslmode=disable', /once/],
    ['postgres://u@h.example/x?sslmode=maybe', /sslmode is one of/],
    ['postgres://u@h.example/x?application_name=a%0ab', /line end/],
  ];
  for (const [url, message] of bad)
    assert.throws(() => parseTarget('postgresql', url, 'postgres_url'), { code: 'input_invalid', message }, `${url} ${message}`);
  for (const url of [
    'redis://h.example/one',
    'redis://h.example?path=/x.sock',
    'redis://h.example/0?host=x',
    'postgres://h.example',
    'redis://h.example/-1',
  ])
    assert.throws(() => parseTarget('redis', url, 'redis_url'), { code: 'input_invalid' }, url);
  assert.throws(
    () => checkedUrls({ redis_url: 'x', postgres_url: 'y' }),
    (error: { errors: { path: string }[] }) => {
      assert.deepEqual(
        error.errors.map(({ path }) => path),
        ['redis_url', 'postgres_url'],
      );
      return true;
    },
  );
});

test('what a URL says is taken out of it', () => {
  assert.deepEqual(
    parseTarget('postgresql', 'postgresql://ann:p%40ss@DB.Example.:6000/shop%20x?sslmode=require&application_name=a', 'url'),
    {
      ...{ type: 'postgresql', host: 'db.example', port: 6000, user: 'ann', password: 'p@ss', database: 'shop x', tls: 'require' },
    },
  );
  assert.deepEqual(parseTarget('redis', 'rediss://:secret@cache.example/3', 'url'), {
    ...{ type: 'redis', host: 'cache.example', port: 6379, user: '', password: 'secret', database: '3', tls: 'verify' },
  });
  assert.deepEqual(checkedUrls({ redis_url: '', postgres_url: 'postgres://h.example/x' }), {
    redis_url: undefined,
    postgres_url: 'postgres://h.example/x',
  });
});

test('a driver that SQLAlchemy names in the scheme is no part of the address', () => {
  for (const scheme of ['postgresql+asyncpg', 'postgresql+psycopg', 'postgres+psycopg2'])
    assert.equal(parseTarget('postgresql', `${scheme}://u:p@h.example:5433/x`, 'postgres_url').port, 5433);
  for (const url of ['mysql+pymysql://h/x', 'postgresql+://h/x', 'redis+asyncpg://h'])
    assert.throws(() => parseTarget(url.startsWith('redis') ? 'redis' : 'postgresql', url, 'postgres_url'), { code: 'input_invalid' });
});
