import assert from 'node:assert/strict';
import { test } from 'node:test';
import { channelWorld, newest } from '../../../../test/channels.ts';
import { receiver } from '../../../../test/receiver.ts';
import { readUrl, TargetRefused, TargetUnknown, targetGuard } from './target.ts';

const soon = () => AbortSignal.timeout(10_000);
const names: Record<string, string[]> = {
  'public.example': ['203.0.113.7'],
  'both.example': ['2606:2800:220:1::1', '203.0.113.7'],
  'only6.example': ['2606:2800:220:1::1'],
  'mixed.example': ['203.0.113.7', '10.0.0.1'],
  'mixed6.example': ['203.0.113.7', 'fd12:3456::1'],
  'mapped.example': ['::ffff:169.254.169.254'],
};
const guard = (more: Partial<Parameters<typeof targetGuard>[0]> = {}) =>
  targetGuard({
    egressAllow: [],
    services: async () => [{ port: 4000 }, { host: '203.0.113.50', port: 5432 }],
    own: () => ['203.0.113.99'],
    resolve: async (name) => names[name] ?? [],
    ...more,
  });

/** Hosts in various notations. */
const refused = [
  ...[
    '127.0.0.1',
    '127.1.2.3',
    'localhost',
    'LOCALHOST',
    'localhost.',
    'api.localhost',
    '0.0.0.0',
    '10.0.0.1',
    '172.16.0.1',
    '172.31.255.255',
  ],
  ...[
    '192.168.0.1',
    '100.64.0.1',
    '169.254.169.254',
    '198.18.0.1',
    '192.0.0.8',
    '192.88.99.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
  ],
  ...['2130706433', '0x7f000001', '0x7f.0.0.1', '0177.0.0.1', '127.1', '0', '3232235777', '１２７.0.0.1', '127。0。0。1'],
  ...['[::1]', '[::]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::127.0.0.1]', '[fe80::1]', '[fc00::1]', '[fd12:3456::1]', '[ff02::1]'],
  ...[
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
    '[2001:db8::1]',
    '[fec0::1]',
    '203.0.113.99',
    'mixed.example',
    'mixed6.example',
    'mapped.example',
  ],
];

test('addresses that are not of the public internet, and those of the platform, are refused however they are written', async () => {
  for (const host of refused) {
    const url = readUrl(`https://${host}/hook`);
    assert.ok(url instanceof URL, `${host}: ${String(url)}`);
    await assert.rejects(guard()(url, soon()), TargetRefused, host);
  }
  for (const url of ['http://203.0.113.50:5432/', 'http://both.example:80/']) {
    const found = guard({
      services: async () => [
        { host: '203.0.113.50', port: 5432 },
        { host: '203.0.113.7', port: 80 },
      ],
    });
    await assert.rejects(found(new URL(url), soon()), TargetRefused, url);
  }
});

test('a public host is taken at the address that was judged, and what the operator opens is open but for the services of the platform', async () => {
  const at = async (url: string, find = guard()) => (await find(new URL(url), soon())).address;
  assert.equal(await at('https://public.example/'), '203.0.113.7');
  assert.equal(await at('https://both.example/'), '203.0.113.7');
  assert.equal(await at('https://only6.example/'), '2606:2800:220:1::1');
  const opened = guard({ egressAllow: ['127.0.0.0/8', '203.0.113.99'] });
  assert.equal(await at('http://localhost:8080/', opened), '127.0.0.1');
  assert.equal(await at('http://203.0.113.99/', opened), '203.0.113.99');
  await assert.rejects(at('http://localhost:4000/', opened), TargetRefused);
  await assert.rejects(at('https://nobody.example/'), TargetUnknown);
  const silent = guard({ resolve: () => Promise.reject(new Error('ETIMEOUT')) });
  await assert.rejects(at('https://public.example/', silent), /name servers do not answer/);
});

test('only addresses of http and https without credentials, at ports where web servers are, are taken', () => {
  for (const text of [
    ...[
      '',
      'hooks.example.com',
      'ftp://example.com/',
      'javascript:alert(1)',
      'data:text/html,x',
      'file:///etc/passwd',
      'https:example.com',
    ],
    ...[
      'https:///example.com',
      'https://user@example.com/',
      'https://user:password@example.com/',
      'https://@example.com/',
      'https://a b.com/',
    ],
    ...[
      'https://example.com/\r\nX: y',
      'https://example.com\\@10.0.0.1/',
      'https://example.com/#x',
      'https://example.com/#',
      'http://exa$mple.com/',
    ],
    ...[
      'http://example.com:22/',
      'http://example.com:25/',
      'http://example.com:0/',
      'http://example.com:99999/',
      'http://[fe80::1%25eth0]/',
    ],
  ])
    assert.equal(typeof readUrl(text), 'string', text);
  for (const text of ['https://example.com', 'http://example.com:8080/a?b=c', 'HTTPS://EXAMPLE.com:443/', 'https://bücher.example/'])
    assert.ok(readUrl(text) instanceof URL, text);
});

test('a private address is refused when it is given, with a sentence for the form, and nothing connects to it', async (t) => {
  const { team } = await channelWorld(t, { egressAllow: [], resolveTargets: async () => ['127.0.0.1'] });
  const { api } = await team();
  const { received, port } = await receiver(t);
  for (const url of [`http://127.0.0.1:${port}/`, `http://hooks.example:${port}/`])
    await assert.rejects(
      api.channels.create({ name: 'CI', type: 'webhook', url }),
      (error: { code: string; errors: unknown; message: string }) => {
        assert.equal(error.code, 'channel_address_refused');
        assert.match(error.message, /loopback address.*PADDOCK_EGRESS_ALLOW/);
        assert.deepEqual(error.errors, [{ path: 'url', message: error.message }]);
        return true;
      },
    );
  await assert.rejects(api.channels.create({ name: 'CI', type: 'webhook', url: 'ftp://example.com/' }), { code: 'input_invalid' });
  assert.deepEqual([(await api.channels.list()).channels, received], [[], []]);
});

test('a name that was public when it was given and leads to a private address later is refused at each try', async (t) => {
  let leadsTo = '203.0.113.7';
  const world = await channelWorld(t, { egressAllow: [], resolveTargets: async () => [leadsTo] });
  const { api, team_id } = await world.team();
  const { received, port } = await receiver(t);
  const { channel } = await api.channels.create({ name: 'CI', type: 'webhook', url: `http://rebinding.example:${port}/` });
  leadsTo = '127.0.0.1';
  world.deliver();
  await world.happen(team_id);
  const refusal = await newest(api, channel.id, ({ error }) => error !== null);
  assert.match(refusal.error ?? '', /rebinding\.example is refused\. It is at 127\.0\.0\.1, which is a loopback address/);
  const told = await api.channels.test({ id: channel.id });
  assert.deepEqual([told.is_delivered, told.status, told.answer], [false, null, null]);
  assert.deepEqual(received, []);
});

test('the connection goes to the address that was judged, not to what the name leads to a moment later', async (t) => {
  let asked = 0;
  const world = await channelWorld(t, {
    egressAllow: ['127.0.0.1/32'],
    // Allowed by the guard the first time, another address after that.
    resolveTargets: async () => [++asked % 2 === 1 ? '127.0.0.1' : '127.0.0.2'],
  });
  const { api } = await world.team();
  const { received, port } = await receiver(t);
  const { channel } = await api.channels.create({ name: 'CI', type: 'webhook', url: `http://rebinding.example:${port}/` });
  asked = 0;
  const told = await api.channels.test({ id: channel.id });
  assert.deepEqual([told.is_delivered, asked], [true, 1], 'the name is resolved once for each try');
  assert.equal(received[0]!.headers.host, `rebinding.example:${port}`);
});

test('a redirect is not followed and says so', async (t) => {
  const world = await channelWorld(t);
  const { api } = await world.team();
  const inner = await receiver(t);
  const { url } = await receiver(t, (_, answer) => answer.writeHead(307, { location: inner.url }).end());
  const { channel } = await api.channels.create({ name: 'CI', type: 'webhook', url });
  const told = await api.channels.test({ id: channel.id });
  assert.deepEqual([told.is_delivered, told.status], [false, 307]);
  assert.match(told.error ?? '', /a redirect\. Redirects are not followed/);
  assert.deepEqual(inner.received, []);
});
