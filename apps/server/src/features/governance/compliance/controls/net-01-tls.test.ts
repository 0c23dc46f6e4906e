import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { createServer } from 'node:tls';
import { selfSigned } from '../../../../../test/certificates.ts';
import { tlsControl } from './net-01-tls.ts';

async function served(days: number) {
  const made = selfSigned(days);
  const server = createServer(made, (socket) => socket.end()).listen(0, 'localhost');
  await once(server, 'listening');
  after(() => server.close());
  return { origin: `https://localhost:${(server.address() as AddressInfo).port}`, authorities: made.cert };
}

async function look(deps: Partial<Parameters<typeof tlsControl>[0]>) {
  const control = tlsControl({
    publicUrl: 'http://localhost:4000',
    agentUrl: (label) => `http://${label}.localhost:4001`,
    host: '127.0.0.1',
    now: Date.now,
    ...deps,
  });
  assert.ok(control.of === 'team');
  const { resources } = await control.check('team', new AbortController().signal);
  return resources;
}

test('plain http passes only where nothing is public', async () => {
  assert.deepEqual(
    (await look({})).map((one) => one.status),
    ['passed', 'passed'],
  );
  const [console, agents] = await look({ publicUrl: 'http://paddock.example.com', host: '0.0.0.0' });
  assert.match(console?.finding ?? '', /^Console and API is told to people as http:\/\/paddock\.example\.com without TLS\.$/);
  assert.match(console?.fix?.text ?? '', /PADDOCK_PUBLIC_URL/);
  assert.match(agents?.finding ?? '', /^Agents listens at 0\.0\.0\.0, which others reach, without TLS\.$/);
  assert.match(agents?.fix?.text ?? '', /PADDOCK_AGENT_URL/);
});

test('a certificate passes while it is trusted and has more than two weeks left', async () => {
  const { origin, authorities } = await served(90);
  const agentUrl = () => origin;
  const [sound] = await look({ publicUrl: origin, agentUrl, authorities });
  assert.equal(sound?.status, 'passed');
  assert.match(sound?.finding ?? '', /speaks TLSv1\.3 with a certificate that is valid for (89|90) more days/);
  const later = Date.now() + 80 * 86_400_000;
  const [ending] = await look({ publicUrl: origin, agentUrl, authorities, now: () => later });
  assert.equal(ending?.status, 'failed');
  assert.match(ending?.finding ?? '', /ends in (9|10) days/);
  const [strange] = await look({ publicUrl: origin, agentUrl });
  assert.equal(strange?.status, 'failed');
  assert.match(strange?.finding ?? '', /is not valid: .*SELF_SIGNED/);
});

test('an address that nobody answers at is not verified', async () => {
  const [gone] = await look({ publicUrl: 'https://localhost:1' });
  assert.equal(gone?.status, 'unverified');
  assert.match(gone?.finding ?? '', /https:\/\/localhost:1 could not be reached from this server/);
});
