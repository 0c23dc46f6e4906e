import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hostIndex } from './host-index.ts';
import { type HostRule, ruledAddresses } from './hosts.ts';

const only = (...hosts: string[]): HostRule => ({ effect: 'only', hosts });
const never = (...hosts: string[]): HostRule => ({ effect: 'never', hosts });
const isRefused = (rules: HostRule[], name: string) => {
  const index = hostIndex(rules);
  assert.equal(index.allows(name), index.refusing(name) === undefined, name);
  return !index.allows(name);
};

test('a star stands for all names below another, and not for that name itself', () => {
  for (const [name, refused] of [
    ['api.example.com', false],
    ['a.b.example.com', false],
    ['example.com', true],
    ['badexample.com', true],
    ['.example.com', true],
    ['api.example.com.evil.test', true],
  ] as const)
    assert.equal(isRefused([only('*.example.com')], name), refused, name);
});

test('of several rules each has to let a host through', () => {
  assert.equal(isRefused([only('a.test', 'b.test'), only('b.test')], 'a.test'), true);
  assert.equal(isRefused([only('a.test', 'b.test'), only('b.test')], 'b.test'), false);
  assert.equal(isRefused([only('*.test'), never('a.test')], 'a.test'), true);
  assert.equal(isRefused([never('a.test')], 'b.test'), false);
  assert.deepEqual(ruledAddresses([only('192.0.2.1', '192.0.2.2', 'a.test'), only('192.0.2.2', '192.0.2.1'), never('192.0.2.1')]), {
    open: ['192.0.2.2'],
    closed: ['192.0.2.1'],
  });
});

test('the first rule that refuses a name is named, whichever of its hosts cover each other', () => {
  const rules = [only('*.a.test', 'x.a.test', '*.y.a.test', 'b.test'), never('*.y.a.test', 'y.a.test'), only('*.a.test')];
  const { refusing, allows } = hostIndex(rules);
  for (const [name, place] of [
    ['x.a.test', -1],
    ['z.y.a.test', 1],
    ['y.a.test', 1],
    ['b.test', 2],
    ['c.test', 0],
  ] as const) {
    assert.equal(refusing(name), rules[place], name);
    assert.equal(allows(name), place === -1, name);
  }
  assert.equal(hostIndex([]).allows('a.test'), true);
  assert.equal(hostIndex([only()]).allows('a.test'), false);
});

test('a lookup among 100,000 hosts goes through none of them', () => {
  const hosts = Array.from({ length: 100_000 }, (_, n) => `h${n}.example.com`);
  let reads = 0;
  const counted = (effect: HostRule['effect'], of: string[]): HostRule => ({
    effect,
    get hosts() {
      reads++;
      return of;
    },
  });
  const { allows, refusing } = hostIndex([counted('never', hosts.slice(0, 50_000)), counted('only', [...hosts.slice(50_000), '*.org'])]);
  const readOnce = reads;
  assert.equal(allows('h99999.example.com'), true);
  assert.equal(allows('h0.example.com'), false);
  assert.equal(allows('a.b.c.org'), true);
  assert.equal(refusing('a.b.c.net')?.effect, 'only');
  assert.equal(reads, readOnce);
});

test('addresses that rules open and close are compared in linear time', () => {
  const addresses = Array.from({ length: 60_000 }, (_, n) => `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`);
  const { open, closed } = ruledAddresses([only(...addresses), only(...addresses.toReversed()), never(...addresses.slice(1))]);
  assert.deepEqual([open, closed.length], [['10.0.0.0'], 59_999]);
});
