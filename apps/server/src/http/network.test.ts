import assert from 'node:assert/strict';
import { test } from 'node:test';
import { networkOf } from './network.ts';

test('attempts from anywhere in a /64 of IPv6 are counted together; an IPv4 address is the same in both forms', () => {
  assert.equal(networkOf('::ffff:203.0.113.7'), '203.0.113.7');
  assert.equal(networkOf('2001:db8:0:1::1'), networkOf('2001:0db8:0:1:ffff::9'));
  assert.notEqual(networkOf('2001:db8:0:1::1'), networkOf('2001:db8:0:2::1'));
  assert.notEqual(networkOf('2001:db8::1'), networkOf('2001:db8:1::1'));
});
