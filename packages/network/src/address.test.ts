import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { groupsOf, MAPPED, noAddresses, spelling4, spellings6, tooLong, value4, value6 } from '../test/spellings.ts';
import { familyOf, parseAddress, plainAddress, toNetworkKey } from './address.ts';

test('an address is read the same in all its spellings, and its zone is left out', () => {
  fc.assert(
    fc.property(value6, (value) => {
      for (const text of spellings6(value)) {
        assert.equal(familyOf(text), 6, text);
        assert.deepEqual(
          parseAddress(text)?.toByteArray(),
          groupsOf(value).flatMap((group) => [group >> 8, group & 255]),
          text,
        );
      }
    }),
  );
  fc.assert(fc.property(value4, (value) => assert.equal(parseAddress(spelling4(value))?.toString(), spelling4(value))));
});

test('::10.0.0.1 is not ::ffff:10.0.0.1', () => {
  assert.notDeepEqual(parseAddress('::10.0.0.1')?.toByteArray(), parseAddress('::ffff:10.0.0.1')?.toByteArray());
});

test('short, octal and hexadecimal forms, blanks and texts of any length are no addresses', () => {
  for (const text of [...noAddresses, ...tooLong]) {
    const start = text.slice(0, 40);
    assert.equal(familyOf(text), 0, start);
    assert.equal(parseAddress(text), undefined, start);
    assert.equal(toNetworkKey(text), text, start);
  }
});

test('what a dual-stack socket reports is the IPv4 address; other addresses and texts stay as they are', () => {
  fc.assert(fc.property(value4, (value) => assert.equal(plainAddress(`::ffff:${spelling4(value)}`), spelling4(value))));
  for (const text of ['10.0.0.1', '::1', '::10.0.0.1', '2001:db8::1', '::ffff:', ...noAddresses, ...tooLong])
    assert.equal(plainAddress(text), text, text.slice(0, 40));
});

test('an IPv4 address counts for itself, and all of a /64 of IPv6 as one', () => {
  assert.equal(toNetworkKey('203.0.113.7'), '203.0.113.7');
  const one = toNetworkKey('2001:db8:0:1::1');
  for (const same of ['2001:db8:0:1:ffff:ffff:ffff:ffff', '2001:0db8:0000:0001:0:0:0:2', '2001:db8:0:1::'])
    assert.equal(toNetworkKey(same), one, same);
  for (const other of ['2001:db8:0:2::1', '2001:db8::1', '2001:db8:1:1::1']) assert.notEqual(toNetworkKey(other), one, other);
  assert.equal(toNetworkKey('::1'), toNetworkKey('::2'));
});

test('attempts from anywhere in a /64 of IPv6 are counted together; an IPv4 address is the same in both forms', () => {
  assert.equal(toNetworkKey('::ffff:203.0.113.7'), '203.0.113.7');
  assert.equal(toNetworkKey('2001:db8:0:1::1'), toNetworkKey('2001:0db8:0:1:ffff::9'));
  assert.notEqual(toNetworkKey('2001:db8:0:1::1'), toNetworkKey('2001:db8:0:2::1'));
  assert.notEqual(toNetworkKey('2001:db8::1'), toNetworkKey('2001:db8:1::1'));
  fc.assert(
    fc.property(value6, (value) => {
      fc.pre(value >> 32n !== MAPPED >> 32n);
      const network = `${groupsOf(value)
        .slice(0, 4)
        .map((group) => group.toString(16))
        .join(':')}::/64`;
      for (const text of spellings6(value)) assert.equal(toNetworkKey(text), network, text);
    }),
  );
});
