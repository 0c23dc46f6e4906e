import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { MAPPED, noAddresses, spelling4, spellings6, tooLong, value4, value6 } from '../test/spellings.ts';
import { networkList, parseNetwork } from './networks.ts';

const byValue = (one: bigint, other: bigint) => Number(one - other);

/** An IPv4 or IPv6 value with its notations, as the number of its IPv6 form. */
const anyAddress = fc.oneof(
  value4.map((value) => ({ value: MAPPED | value, width: 32, texts: [spelling4(value)] })),
  value6.map((value) => ({ value, width: 128, texts: spellings6(value) })),
);

test('a network has the addresses with its prefix, in all their spellings, and no others', () => {
  fc.assert(
    // oxlint-disable-next-line max-params -- one for each value that the library makes
    fc.property(anyAddress, anyAddress, fc.nat(128), fc.boolean(), (first, other, length, isNear) => {
      const bits = length % (first.width + 1);
      const shift = BigInt(first.width - bits);
      // Another address, or one that differs in the last bit of the prefix or in the first bit after it.
      const bit = shift - BigInt(length % 2);
      const near = first.value ^ (1n << [0n, bit, 127n].sort(byValue)[1]!);
      const value = isNear ? near : other.value;
      const texts = isNear || other.width === 128 ? spellings6(value) : other.texts;
      const expected = value >> shift === first.value >> shift;
      for (const network of first.texts) {
        const list = networkList(['192.0.2.1', `${network}/${bits}`]);
        for (const text of texts) assert.equal(list.has(text), expected, `${text} in ${network}/${bits}`);
      }
    }),
    { numRuns: 300 },
  );
});

test('prefixes reach from none to all bits of the address', () => {
  const cases: [string, string[], string[]][] = [
    ['10.1.2.3/0', ['0.0.0.0', '255.255.255.255', '::ffff:8.8.8.8'], ['::', '::1', '2001:db8::1', '::8.8.8.8']],
    ['10.1.2.3/32', ['10.1.2.3', '::ffff:10.1.2.3', '::ffff:a01:203'], ['10.1.2.2', '10.1.2.4', '::10.1.2.3']],
    ['10.1.2.3', ['10.1.2.3'], ['10.1.2.2']],
    ['10.1.2.3/8', ['10.0.0.0', '10.255.255.255'], ['9.255.255.255', '11.0.0.0']],
    ['10.1.2.3/31', ['10.1.2.2', '10.1.2.3'], ['10.1.2.1', '10.1.2.4']],
    ['::/0', ['::', 'ffff::', '10.0.0.1'], []],
    ['2001:db8::1/128', ['2001:db8::1', '2001:db8::1%eth0'], ['2001:db8::', '2001:db8::2']],
    ['2001:db8::1', ['2001:db8::1'], ['2001:db8::2']],
    ['fe80::1%eth0/64', ['fe80::ffff', 'fe80::1%lo'], ['fe80:0:0:1::']],
    ['::ffff:10.0.0.0/104', ['10.9.9.9', '::ffff:10.9.9.9'], ['11.0.0.0', '::10.9.9.9']],
  ];
  for (const [network, inside, outside] of cases) {
    const list = networkList([network]);
    for (const address of inside) assert.ok(list.has(address), `${address} in ${network}`);
    for (const address of outside) assert.ok(!list.has(address), `${address} not in ${network}`);
  }
});

test('the v4-mapped form of an address is in the networks of the address', () => {
  const list = networkList(['10.0.0.0/8']);
  for (const address of ['10.0.0.1', '::ffff:10.0.0.1', '::FFFF:10.0.0.1', '::ffff:a00:1', '0:0:0:0:0:ffff:a00:1'])
    assert.ok(list.has(address), address);
});

test('an empty list has nothing, and no list has a text that is no address', () => {
  assert.ok(!networkList([]).has('10.0.0.1'));
  const all = networkList(['0.0.0.0/0', '::/0']);
  for (const text of [...noAddresses, ...tooLong]) assert.ok(!all.has(text), text.slice(0, 40));
});

const wrongPrefixes = [
  '/',
  '/33',
  '/128',
  '/-1',
  '/+8',
  '/1.5',
  '/8/8',
  '/ 8',
  '/8 ',
  '/x',
  '/1e1',
  '/0x8',
  '/255.0.0.0',
  `/${'0'.repeat(100_000)}`,
];

test('what is neither an address nor a network is not read as a network', () => {
  for (const text of [...noAddresses, ...tooLong]) {
    assert.equal(parseNetwork(text), undefined, text.slice(0, 40));
    assert.equal(parseNetwork(`${text}/8`), undefined, text.slice(0, 40));
  }
  for (const prefix of wrongPrefixes) assert.equal(parseNetwork(`10.0.0.0${prefix}`), undefined, prefix.slice(0, 40));
  for (const text of ['::1/129', '::1/1000', '::1/-1', '::1/64%eth0']) assert.equal(parseNetwork(text), undefined, text);
});

test('a list leaves out names, and refuses a prefix that its address cannot have', () => {
  const list = networkList(['loopback', '127.1', '', '10.0.0.0/8']);
  assert.ok(list.has('10.0.0.1'));
  assert.ok(!list.has('127.0.0.1'));
  for (const prefix of wrongPrefixes) assert.throws(() => networkList([`10.0.0.0${prefix}`]), RangeError, prefix.slice(0, 40));
});
