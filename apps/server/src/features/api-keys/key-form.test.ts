import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isWellFormed, keyEnds, newKey } from './key-form.ts';

test('a key has its kind in front, more than 160 random bits, and a check that any changed character breaks', () => {
  const keys = Array.from({ length: 500 }, (_, n) => newKey(n % 2 === 0));
  assert.equal(new Set(keys).size, keys.length);
  for (const [n, key] of keys.entries()) {
    assert.match(key, n % 2 === 0 ? /^pk_test_[0-9A-Za-z]{42}$/ : /^pk_live_[0-9A-Za-z]{42}$/);
    assert.ok(isWellFormed(key), key);
  }
  assert.ok(Math.log2(62 ** 36) > 160);
  const [key = ''] = keys;
  for (let at = 0; at < key.length; at++)
    assert.ok(!isWellFormed(key.slice(0, at) + (key[at] === 'x' ? 'y' : 'x') + key.slice(at + 1)), `${at}`);
  for (const wrong of [
    key.toLowerCase(),
    key.toUpperCase(),
    ` ${key}`,
    `${key} `,
    `${key}0`,
    key.slice(1),
    key.replace('test', 'live'),
    key.replace('test', 'demo'),
    '',
  ])
    assert.ok(!isWellFormed(wrong), wrong);
  assert.deepEqual(keyEnds(key), { key_prefix: key.slice(0, 12), key_suffix: key.slice(-4) });
});

test('no digit of a key is likelier than another', () => {
  const counts = new Map<string, number>();
  for (let n = 0; n < 2000; n++) for (const digit of newKey(false).slice(8, 44)) counts.set(digit, (counts.get(digit) ?? 0) + 1);
  const expected = (2000 * 36) / 62;
  const chi = [...counts.values()].reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
  assert.equal(counts.size, 62);
  // 61 degrees of freedom: a uniform draw exceeds this once in a thousand million runs; taking bytes modulo 62 gives about 350.
  assert.ok(chi < 150, `chi squared ${chi}`);
});
