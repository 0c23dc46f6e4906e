import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { loadSeal, sealWith } from './seal.ts';
import { tokenKey } from './token-key.ts';

const key = () => randomBytes(32).toString('base64');

test('a sealed value opens for its owner alone, and a changed one not at all', () => {
  const seal = sealWith({ current: 'a', keys: { a: key() } });
  const sealed = seal.seal('CANARY ünïcode', 'project 1');
  assert.equal(seal.open(sealed, 'project 1'), 'CANARY ünïcode');
  assert.ok(!sealed.sealed.toString('latin1').includes('CANARY'));
  assert.throws(() => seal.open(sealed, 'project 2'));
  const changed = Buffer.from(sealed.sealed);
  changed[changed.length - 1]! ^= 1;
  assert.throws(() => seal.open({ ...sealed, sealed: changed }, 'project 1'));
});

test('after a change of keys old values still open and new ones use the new key', () => {
  const [a, b] = [key(), key()];
  const old = sealWith({ current: 'a', keys: { a } }).seal('secret', 'x');
  const rotated = sealWith({ current: 'b', keys: { a, b } });
  assert.equal(rotated.open(old, 'x'), 'secret');
  assert.equal(rotated.seal('new', 'x').key_id, 'b');
  assert.throws(() => sealWith({ current: 'b', keys: { b } }).open(old, 'x'), /key a, which this installation does not have/);
});

test('the key file is made once, readable by its owner alone', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'paddock-seal-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const sealed = loadSeal(folder, undefined).seal('secret', 'x');
  assert.equal(statSync(join(folder, 'secret.key')).mode & 0o777, 0o600);
  assert.equal(loadSeal(folder, undefined).open(sealed, 'x'), 'secret');
});

test('an installation has one key of tokens, which is none of its other keys', () => {
  const [one, other] = [sealWith({ current: 'a', keys: { a: key() } }), sealWith({ current: 'a', keys: { a: key() } })];
  assert.deepEqual(tokenKey(one), tokenKey(one));
  assert.equal(tokenKey(one).length, 32);
  const keys = [tokenKey(one), tokenKey(other), one.fingerprint('paddock pii tokens')];
  assert.equal(new Set(keys.map((bytes) => bytes.toString('hex'))).size, keys.length);
});
