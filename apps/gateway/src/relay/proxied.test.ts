import assert from 'node:assert/strict';
import { test } from 'node:test';
import { networkList } from '@paddock/network';
import { echo, startAgent, startFixture } from '../../test/fixture.ts';

test('visitors who share a connection of a trusted proxy are told apart, request by request', async () => {
  const fixture = await startFixture({ trustedProxies: networkList(['127.0.0.0/8']) });
  const agent = await startAgent(echo());
  await fixture.route('shared', agent);
  const get = (headers: string) => `GET / HTTP/1.1\r\nHost: shared.localhost\r\n${headers}\r\n`;
  const received = await fixture.raw(
    get('X-Forwarded-For: 203.0.113.1\r\nX-Forwarded-Proto: https\r\nX-Request-Id: the-first-one\r\n') +
      get('X-Forwarded-For: 2001:db8::7\r\n') +
      get('') +
      get('X-Forwarded-For: nonsense\r\nConnection: close\r\n'),
  );
  const seen = (name: string) => [...received.matchAll(new RegExp(`"${name}":"([^"]*)"`, 'g'))].map((match) => match[1]);
  assert.deepEqual(seen('x-forwarded-for'), ['203.0.113.1', '2001:db8::7', '127.0.0.1', '127.0.0.1']);
  assert.deepEqual(seen('x-real-ip'), ['203.0.113.1', '2001:db8::7', '127.0.0.1', '127.0.0.1']);
  assert.deepEqual(seen('x-forwarded-proto'), ['https', 'http', 'http', 'http']);
  assert.equal(new Set(seen('x-request-id')).size, 4);
  assert.equal(seen('x-request-id')[0], 'the-first-one');
  await fixture.close();
  await agent.close();
});
