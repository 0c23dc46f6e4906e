import assert from 'node:assert/strict';
import { test } from 'node:test';
import { networkOf } from './client-address.ts';

test('an IPv4 address counts for itself, and all of a /64 of IPv6 as one', () => {
  assert.equal(networkOf('203.0.113.7'), '203.0.113.7');
  const one = networkOf('2001:db8:0:1::1');
  for (const same of ['2001:db8:0:1:ffff:ffff:ffff:ffff', '2001:0db8:0000:0001:0:0:0:2', '2001:db8:0:1::'])
    assert.equal(networkOf(same), one, same);
  for (const other of ['2001:db8:0:2::1', '2001:db8::1', '2001:db8:1:1::1']) assert.notEqual(networkOf(other), one, other);
  assert.equal(networkOf('::1'), networkOf('::2'));
});
