import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { test } from 'node:test';
import { createServer as createTlsServer } from 'node:tls';
import type { Resolve } from '@paddock/network';
import { atEnd, testDatabase } from '../../../../test/postgres.ts';
import { byoCheck, type CheckParts } from './byo-check.ts';

const soon = () => AbortSignal.timeout(20_000);
const names: Record<string, string[]> = {
  'public.example': ['203.0.113.7'],
  'both.example': ['2606:2800:220:1::1', '203.0.113.7'],
  'mixed.example': ['203.0.113.7', '10.0.0.1'],
  'mixed6.example': ['203.0.113.7', '::1'],
  'only6.example': ['2606:2800:220:1::1'],
};

/** A checker that connects nowhere: `dialed` records the addresses it would have connected to. */
function spied(more: Partial<CheckParts> = {}) {
  const dialed: string[] = [];
  const resolve: Resolve = async (name) => names[name] ?? [];
  const check = byoCheck({
    egressAllow: [],
    services: async () => [{ port: 4000 }],
    own: () => ['203.0.113.99'],
    resolve,
    connect(address, port) {
      dialed.push(`${address}:${port}`);
      return connect({ host: '127.0.0.1', port: 1 }); // nothing answers there
    },
    ...more,
  });
  return { check, dialed };
}

/** Addresses that must not be dialled, as hosts of a URL. */
const refused = [
  ...['127.0.0.1', '127.1.2.3', '127.255.255.254', 'localhost', 'LOCALHOST', 'localhost.', 'db.localhost'],
  ...['0.0.0.0', '0.1.2.3', '10.0.0.1', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.0.1', '192.168.255.255'],
  ...['100.64.0.1', '100.127.255.255', '169.254.169.254', '169.254.0.1', '198.18.0.1', '198.19.255.255', '192.0.0.8', '192.88.99.1'],
  ...['224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255', '203.0.113.99'],
  // Parsed as an address by some programs and not by others.
  ...[
    '2130706433',
    '0x7f000001',
    '0x7f.0.0.1',
    '0177.0.0.1',
    '017700000001',
    '127.1',
    '127.0.1',
    '0',
    '0x0',
    '010.0.0.1',
    '3232235777',
    '0300.0250.1.1',
  ],
  ...['134744072', '008.8.8.8', '8.8.8.0x8'],
  // Agents have no IPv6.
  ...['[::1]', '[::]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::127.0.0.1]', '[fe80::1]', '[fc00::1]', '[fd12:3456::1]', '[ff02::1]'],
  ...['[64:ff9b::7f00:1]', '[2002:7f00:1::]', '[2001:db8::1]', '[2606:2800:220:1::1]', '[0:0:0:0:0:0:0:1]'],
  ...['mixed.example', 'mixed6.example', 'only6.example'],
];
/** The same, as addresses that a name resolves to. */
const resolved = [
  ...[
    '127.0.0.1',
    '10.1.2.3',
    '172.20.0.1',
    '192.168.1.1',
    '100.100.1.1',
    '169.254.169.254',
    '198.18.5.5',
    '224.1.1.1',
    '250.0.0.1',
    '0.0.0.0',
  ],
  ...[
    '::1',
    '::',
    '::ffff:10.0.0.1',
    '::ffff:0a00:1',
    '::ffff:0:10.0.0.1',
    '::10.0.0.1',
    '64:ff9b::10.0.0.1',
    '64:ff9b:1::a00:1',
    '2002:a00:1::1',
  ],
  ...[
    '2001:0:0:0:0:0:f5ff:fffe',
    'fe80::1',
    'fec0::1',
    'fc00::1',
    'ff05::2',
    '100::1',
    '2001:db8::1',
    '2001:2::1',
    '3fff::1',
    '4000::1',
    '203.0.113.99',
  ],
];

test('an address that agents may not reach is refused, and nothing is connected to', async () => {
  const { check, dialed } = spied();
  for (const host of refused)
    for (const [type, scheme] of [['postgresql', 'postgres'] as const, ['redis', 'redis'] as const])
      await assert.rejects(check({ type, url: `${scheme}://user:password@${host}/0` }, soon()), { code: 'database_address_refused' }, host);
  for (const address of resolved) {
    const one = spied({ resolve: async () => ['203.0.113.7', address] });
    await assert.rejects(
      one.check({ type: 'postgresql', url: 'postgres://u@db.example/x' }, soon()),
      (error: { code: string; message: string }) =>
        error.code === 'database_address_refused' && error.message.includes(address) && error.message.includes('PADDOCK_EGRESS_ALLOW'),
      address,
    );
    assert.deepEqual(one.dialed, []);
  }
  assert.deepEqual(dialed, []);
  assert.ok(refused.length + resolved.length >= 80);
});

test('what is said of a refused address does not depend on what answers there', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const { check } = spied({ connect: (host, port) => connect({ host, port }) });
  const said = async (port: number) =>
    check({ type: 'redis', url: `redis://127.0.0.1:${port}` }, soon()).catch((error: Error) => error.message);
  assert.equal(await said(port), await said(1));
  server.close();
});

test('public addresses are connected to as they were checked: the name is resolved once', async () => {
  const { check, dialed } = spied();
  for (const host of [
    '203.0.113.7',
    '8.8.8.8',
    '1.1.1.1',
    '172.15.0.1',
    '172.32.0.1',
    '100.128.0.1',
    '198.20.0.1',
    '223.255.255.255',
    '11.0.0.1',
  ])
    assert.equal((await check({ type: 'redis', url: `redis://${host}:7000` }, soon())).reachable, false);
  assert.deepEqual([dialed.length, dialed[0]], [9, '203.0.113.7:7000']);
  assert.match(
    (await check({ type: 'postgresql', url: 'postgres://u@both.example./x' }, soon())).message,
    /^both\.example:5432 does not answer/,
  );
  assert.equal(dialed.at(-1), '203.0.113.7:5432');
  let looks = 0;
  const rebinding = spied({ resolve: async () => (looks++ === 0 ? ['203.0.113.7'] : ['127.0.0.1']) });
  await rebinding.check({ type: 'redis', url: 'redis://rebind.example' }, soon());
  await assert.rejects(rebinding.check({ type: 'redis', url: 'redis://rebind.example' }, soon()), { code: 'database_address_refused' });
  assert.deepEqual([looks, rebinding.dialed], [2, ['203.0.113.7:6379']]);
});

test('networks that the operator opened can be reached, but for our own services there', async () => {
  const parts = {
    egressAllow: ['10.1.0.0/16', '127.0.0.1/32'],
    services: async () => [
      { port: 4000 },
      { host: 'lost.example', port: 9 },
      { host: 'localhost', port: 6400 },
      { host: 'platform-database.example', port: 5432 },
      { host: '10.1.9.9', port: 6379 },
    ],
    resolve: (async (name) => (name === 'alias.example' ? ['10.1.0.5'] : [])) as Resolve,
    resolveOwn: async (name: string) => {
      if (name === 'platform-database.example') return ['10.1.0.5'];
      if (name === 'localhost') return ['::1'];
      throw new Error('unknown');
    },
  };
  const { check, dialed } = spied(parts);
  for (const url of ['postgres://u@10.1.2.3/x', 'postgres://u@10.1.0.5:5433/x', 'postgres://u@127.0.0.1/x', 'postgres://u@localhost/x'])
    await check({ type: 'postgresql', url }, soon());
  assert.deepEqual(dialed.splice(0), ['10.1.2.3:5432', '10.1.0.5:5433', '127.0.0.1:5432', '127.0.0.1:5432']);
  for (const url of ['postgres://u@127.0.0.1:4000/x', 'postgres://u@10.1.0.5/x', 'postgres://u@alias.example/x', 'postgres://u@10.2.0.1/x'])
    await assert.rejects(check({ type: 'postgresql', url }, soon()), { code: 'database_address_refused' }, url);
  for (const address of ['10.1.9.9', '127.0.0.1:6400', '10.1.2.3:9'])
    await assert.rejects(check({ type: 'redis', url: `redis://${address}` }, soon()), { code: 'database_address_refused' }, address);
  assert.deepEqual(dialed, []);
});

test('a name that nobody knows, and name servers that are silent, are told', async () => {
  const { check, dialed } = spied({ resolve: async (name) => (name === 'slow.example' ? Promise.reject(new Error('time-out')) : []) });
  assert.match((await check({ type: 'redis', url: 'redis://nobody.example' }, soon())).message, /no host with the name nobody\.example/);
  assert.match((await check({ type: 'redis', url: 'redis://slow.example' }, soon())).message, /name servers do not answer/);
  assert.deepEqual(dialed, []);
});

/** Checks real servers on this machine's loopback, which is opened here. */
const here = byoCheck({ egressAllow: ['127.0.0.1/32'], services: async () => [], resolve: async () => ['127.0.0.1'] });

test('a real PostgreSQL lets the right password in, and everything else is told in one sentence', async () => {
  const { url, drop } = await testDatabase();
  atEnd(drop);
  const good = new URL(url);
  assert.match(
    (await here({ type: 'postgresql', url }, soon())).message,
    /^PostgreSQL 1\d\.\d+ answers at 127\.0\.0\.1:\d+ and lets the user in\.$/,
  );
  const changed = (change: (url: URL) => void) => {
    const copy = new URL(good);
    change(copy);
    return here({ type: 'postgresql', url: copy.href }, soon());
  };
  const wrong = await changed((url) => (url.password = 'CANARY-wrong'));
  assert.deepEqual(
    [wrong.reachable, /does not accept the password/.test(wrong.message), wrong.message.includes('CANARY')],
    [false, true, false],
  );
  assert.match((await changed((url) => (url.pathname = '/nowhere'))).message, /has no database "nowhere"/);
  assert.match((await changed((url) => url.searchParams.set('sslmode', 'require'))).message, /offers no TLS/);
  assert.match(
    (await here({ type: 'redis', url: `redis://127.0.0.1:${good.port}` }, soon())).message,
    /does not (speak the protocol|answer)/,
  );
});

/** A server for one test, which defines its responses. */
async function serving(t: { after: (end: () => unknown) => void }, onSocket: (socket: Socket) => void): Promise<number> {
  const server = createServer((socket) => onSocket(socket.on('error', () => undefined))).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  return (server.address() as AddressInfo).port;
}

test('a Redis is asked with lengths before words, so that a password is never a command', async (t) => {
  const heard: string[] = [];
  const port = await serving(t, (socket) =>
    socket.on('data', (data: Buffer) => {
      heard.push(data.toString());
      const isRight = data.includes('se cret') || data.includes('PING');
      socket.write(isRight ? '+OK\r\n' : '-WRONGPASS invalid username-password pair\r\n');
    }),
  );
  assert.equal((await here({ type: 'redis', url: `redis://ann:se%20cret@127.0.0.1:${port}` }, soon())).reachable, true);
  assert.deepEqual(heard, ['*3\r\n$4\r\nAUTH\r\n$3\r\nann\r\n$7\r\nse cret\r\n', '*1\r\n$4\r\nPING\r\n']);
  assert.match(
    (await here({ type: 'redis', url: `redis://ann:no@127.0.0.1:${port}` }, soon())).message,
    /does not accept the password of the user ann/,
  );
});

test('servers that hang, babble or hang up keep nobody waiting', async (t) => {
  const babbling = await serving(t, (socket) => {
    const babble = () =>
      void (socket.destroyed || (socket.write(Buffer.alloc(65_536, 65)) ? setImmediate(babble) : socket.once('drain', babble)));
    babble();
  });
  const hanging = await serving(t, () => undefined);
  const leaving = await serving(t, (socket) => socket.end());
  const began = performance.now();
  const said = await Promise.all(
    [babbling, hanging, leaving].flatMap((port) => [
      here({ type: 'postgresql', url: `postgres://u@127.0.0.1:${port}/x` }, soon()),
      here({ type: 'redis', url: `redis://127.0.0.1:${port}` }, soon()),
      here({ type: 'redis', url: `rediss://127.0.0.1:${port}` }, soon()),
    ]),
  );
  assert.ok(performance.now() - began < 30_000, 'they would never answer');
  const told = said.map(({ message }) => {
    if (/protocol|TLS fails/.test(message)) return 'babbles';
    return /does not answer/.test(message) ? 'silent' : message;
  });
  assert.deepEqual(told.slice(0, 6), ['babbles', 'babbles', 'babbles', 'silent', 'silent', 'silent']);
  assert.deepEqual([told[6], told[7]], ['silent', 'silent']);
});

test('a certificate that nobody vouches for is told, with rediss and with sslmode=verify-full', async (t) => {
  const server = createTlsServer({ pskCallback: () => null, ciphers: 'PSK' })
    .on('tlsClientError', () => undefined)
    .listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  assert.match(
    (await here({ type: 'redis', url: `rediss://cache.example:${port}` }, soon())).message,
    /^cache\.example:\d+ answers, but TLS fails:/,
  );
  const postgres = await serving(t, (socket) => socket.once('data', () => socket.write('S', () => socket.end('no certificate here'))));
  assert.match(
    (await here({ type: 'postgresql', url: `postgres://u@db.example:${postgres}/x?sslmode=verify-full` }, soon())).message,
    /TLS fails|protocol/,
  );
});
