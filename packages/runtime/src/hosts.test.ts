import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type HostRule, refusingRule, ruledAddresses } from './hosts.ts';

const only = (...hosts: string[]): HostRule => ({ effect: 'only', hosts });
const never = (...hosts: string[]): HostRule => ({ effect: 'never', hosts });
const isRefused = (rules: HostRule[], name: string) => refusingRule(rules, name) !== undefined;

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
