import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Agent, type Fixture, startAgent, startFixture } from '../../test/fixture.ts';
import { addConnectionNames } from './connection-names.ts';
import { cookieForHost } from './set-cookie.ts';

let fixture: Fixture;
let agent: Agent;
let headers: Record<string, string> = {};

before(async () => {
  fixture = await startFixture();
  agent = await startAgent((_req, res) => {
    for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
    res.end('body');
  });
  await fixture.route('agent', agent);
});
after(async () => {
  await fixture.close();
  await agent.close();
});

const beyond = {
  'Clear-Site-Data': '"*"',
  'Strict-Transport-Security': 'max-age=63072000; includeSubDomains; preload',
  'Public-Key-Pins': 'pin-sha256="a"; max-age=5184000; includeSubDomains',
  'Public-Key-Pins-Report-Only': 'pin-sha256="a"; max-age=5184000',
  'Expect-CT': 'max-age=86400, enforce',
  'Alt-Svc': 'h3=":8443"; ma=2592000; persist=1',
  NEL: '{"report_to":"all","max_age":31536000,"include_subdomains":true}',
  'Report-To': '{"group":"all","max_age":31536000,"include_subdomains":true,"endpoints":[{"url":"https://elsewhere.example"}]}',
  'X-Accel-Redirect': '/internal/file',
  'X-Sendfile': '/etc/hostname',
  'X-Sendfile2': '/etc/hostname 0-9',
  'X-Sendfile-Temporary': '/etc/hostname',
  'X-Lighttpd-Send-File': '/etc/hostname',
  'X-Reproxy-URL': 'http://127.0.0.1:4000/',
  'X-Reproxy-File': '/etc/hostname',
};
const own = {
  'Service-Worker-Allowed': '/',
  'Reporting-Endpoints': 'own="https://elsewhere.example"',
  'Content-Security-Policy': "default-src 'self'",
  'Origin-Agent-Cluster': '?1',
};

test('what acts beyond the agent’s own host ends at the gateway, in any spelling; what acts on it alone passes', async () => {
  for (const spelled of [(name: string) => name, (name: string) => name.toUpperCase(), (name: string) => name.toLowerCase()]) {
    headers = Object.fromEntries(Object.entries({ ...beyond, ...own }).map(([name, value]) => [spelled(name), value]));
    const answer = await fixture.fetch('agent');
    assert.equal(answer.body, 'body');
    assert.deepEqual(
      Object.keys(beyond).filter((name) => name.toLowerCase() in answer.headers),
      [],
    );
    for (const [name, value] of Object.entries(own)) assert.equal(answer.headers[name.toLowerCase()], value);
  }
});

test('a cookie keeps no Domain but its own host’s, however it is written', () => {
  const host = 'agent.agents.example:4001';
  const gone = [
    'a=1; Domain=agents.example',
    'a=1;domain=.agents.example',
    'a=1; DOMAIN =\t agents.example ',
    'a=1; domain="agents.example"',
    'a=1; domain=',
  ];
  for (const cookie of gone) assert.equal(cookieForHost(cookie, host), 'a=1', cookie);
  for (const cookie of [
    'a=1',
    'a=1; Path=/; HttpOnly',
    'Domain=x; Path=/',
    'a=domain=x; Secure',
    'a=1; Domain=agent.agents.example',
    'a=1; Domain=.AGENT.agents.example',
  ])
    assert.equal(cookieForHost(cookie, host), cookie);
  assert.equal(cookieForHost('a=1; Domain=b; Path=/; Domain=c; Secure', host), 'a=1; Path=/; Secure');
  assert.equal(cookieForHost('a=1; Domain=agent.example', 'agent.example.'), 'a=1; Domain=agent.example');
  // Elsewhere the word is allowed.
  for (const cookie of ['domain=domain; x=domain', 'a=1; subdomain=b', 'a=1; x domain=b', 'a=1; Domain; Path=/domain=b'])
    assert.equal(cookieForHost(cookie, host), cookie);
  assert.equal(cookieForHost('a=1; Domain=domain=b;Domain=;\xa0domain\xa0=c; b', host), 'a=1; b');
});

test('a Connection header with more names than anybody needs is refused, and its length alone decides its cost', async () => {
  const names = new Set<string>();
  assert.equal(addConnectionNames('close, X-Hop', names), true);
  assert.deepEqual([...names], ['close', 'x-hop']);
  assert.equal(addConnectionNames(Array.from({ length: 100 }, (_, n) => `x-${n}`).join(), names), false);
  assert.ok(names.size <= 64);
  headers = {};
  const refused = await fixture.fetch('agent', '/', { headers: { connection: `close, ${'a,'.repeat(7_000)}b` } });
  assert.equal(refused.status, 431);
  const passed = await fixture.fetch('agent', '/', { headers: { connection: 'close, X-Hop', 'x-hop': '1' } });
  assert.equal(passed.status, 200);
});
