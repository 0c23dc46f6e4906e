import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { MAPPED, noAddresses, spelling4, spellings6, tooLong, value4 } from '../test/spellings.ts';
import { CLOSED_IPV4, closedKind } from './closed-networks.ts';
import { networkList } from './networks.ts';

const nothing = networkList([]);

/** The first and the last address of each closed network, and the public addresses next to it. */
const ipv4: [kind: string, inside: string[], beside: string[]][] = [
  ['unspecified', ['0.0.0.0', '0.255.255.255'], ['1.0.0.0']],
  ['loopback', ['127.0.0.0', '127.255.255.255'], ['126.255.255.255', '128.0.0.0']],
  ['private', ['10.0.0.0', '10.255.255.255'], ['9.255.255.255', '11.0.0.0']],
  ['private', ['172.16.0.0', '172.31.255.255'], ['172.15.255.255', '172.32.0.0']],
  ['private', ['192.168.0.0', '192.168.255.255'], ['192.167.255.255', '192.169.0.0']],
  ['shared', ['100.64.0.0', '100.127.255.255'], ['100.63.255.255', '100.128.0.0']],
  ['link-local', ['169.254.0.0', '169.254.169.254', '169.254.255.255'], ['169.253.255.255', '169.255.0.0']],
  ['benchmarking', ['198.18.0.0', '198.19.255.255'], ['198.17.255.255', '198.20.0.0']],
  ['multicast', ['224.0.0.0', '239.255.255.255'], ['223.255.255.255']],
  [
    'reserved',
    ['192.0.0.0', '192.0.0.255', '192.88.99.0', '192.88.99.255', '240.0.0.0', '255.255.255.255'],
    ['191.255.255.255', '192.0.1.0'],
  ],
];

test('each closed network of IPv4 is told by its kind from the first address to the last', () => {
  for (const [kind, inside, beside] of ipv4) {
    for (const address of inside) assert.equal(closedKind(address, nothing), kind, address);
    for (const address of beside) assert.equal(closedKind(address, nothing), undefined, address);
  }
  assert.deepEqual(new Set(ipv4.map(([kind]) => kind)), new Set(Object.keys(CLOSED_IPV4)));
});

/** IPv6 forms that contain an IPv4 address. */
const leading: ((value: bigint) => bigint)[] = [
  (value) => value, // v4-compatible
  (value) => MAPPED | value,
  (value) => (MAPPED << 16n) | value, // translated
  (value) => (0x64ff9bn << 96n) | value, // NAT64
  (value) => (0x64ff9b0001n << 80n) | value, // NAT64 of a local network
  (value) => (0x2002n << 112n) | (value << 80n) | 1n, // 6to4
  (value) => (0x2001n << 112n) | (value ^ 0xffffffffn), // Teredo
];

test('an IPv6 address that leads to an IPv4 address is judged by the IPv4 address, so that no form passes as public', () => {
  const anyIPv4 = fc.oneof(value4, fc.constantFrom(...ipv4.flatMap(([, inside]) => inside).map(valueOf)));
  fc.assert(
    fc.property(anyIPv4, (value) => {
      fc.pre(value > 1n); // :: and ::1 are separate addresses
      const kind = closedKind(spelling4(value), nothing);
      for (const form of leading)
        for (const text of spellings6(form(value))) assert.equal(closedKind(text, nothing), kind, `${spelling4(value)} as ${text}`);
    }),
  );
  for (const text of ['::ffff:10.0.0.1', '::FFFF:10.0.0.1', '::ffff:a00:1', '0:0:0:0:0:ffff:10.0.0.1', '::10.0.0.1'])
    assert.equal(closedKind(text, nothing), 'private', text);
});

test('IPv6 is public in 2000::/3 alone, and not everywhere there', () => {
  const kinds: Record<string, string[]> = {
    unspecified: ['::', '0:0:0:0:0:0:0:0'],
    loopback: ['::1', '0:0:0:0:0:0:0:1', '::0.0.0.1'],
    private: ['fc00::', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'fec0::1'],
    'link-local': ['fe80::1', 'fe80::1%eth0', 'febf::1'],
    benchmarking: ['2001:2::1', '2001:2:0:ffff::'],
    multicast: ['ff00::', 'ff05::2'],
    reserved: ['100::1', '2001:db8::1', '3fff::1', '5f00::1', '4000::1', '1fff::', '64:ff9b:2::1'],
  };
  for (const [kind, addresses] of Object.entries(kinds))
    for (const address of addresses) assert.equal(closedKind(address, nothing), kind, address);
  for (const address of ['2000::', '2606:4700::1111', '2001:3::', '2001:db7::1', '2001:db9::1', '3ffe::1', '3fff:1000::'])
    assert.equal(closedKind(address, nothing), undefined, address);
});

test('the operator opens IPv4 addresses in each of their forms, and no IPv6 address', () => {
  const opened = networkList(['10.1.0.0/16', 'fd00::/8']);
  for (const address of ['10.1.2.3', '::ffff:10.1.2.3', '64:ff9b::10.1.2.3']) assert.equal(closedKind(address, opened), undefined, address);
  assert.equal(closedKind('10.2.0.1', opened), 'private');
  assert.equal(closedKind('fd00::1', opened), 'private');
});

test('a text that is no address is never public, whatever is open', () => {
  const all = networkList(['0.0.0.0/0', '::/0']);
  for (const text of [...noAddresses, ...tooLong]) assert.equal(closedKind(text, all), 'reserved', text.slice(0, 40));
});

function valueOf(address: string): bigint {
  return address.split('.').reduce((value, byte) => (value << 8n) | BigInt(byte), 0n);
}
