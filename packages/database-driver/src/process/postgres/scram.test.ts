import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import { test } from 'node:test';
import { scramVerifier } from './scram.ts';

// The example exchange of RFC 7677, section 3.
const SALT = 'W22ZaJ0SNY7soEsUEjb6gQ==';
const NONCE = 'rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0';
const AUTH_MESSAGE = `n=user,r=rOprNGfwEbeRWgbNEkqO,r=${NONCE},s=${SALT},i=4096,c=biws,r=${NONCE}`;
const PROOF = 'dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=';
const SERVER_SIGNATURE = '6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=';

test('a verifier accepts the proof and gives the signature of the RFC’s example', async () => {
  const verifier = await scramVerifier('pencil', Buffer.from(SALT, 'base64'));
  const [, iterations, salt, storedKey = '', serverKey = ''] = /^SCRAM-SHA-256\$(\d+):([^$]+)\$([^:]+):(.+)$/.exec(verifier) ?? [];
  assert.deepEqual([iterations, salt], ['4096', SALT]);
  const hmac = (key: string) => createHmac('sha256', Buffer.from(key, 'base64')).update(AUTH_MESSAGE).digest();
  assert.equal(hmac(serverKey).toString('base64'), SERVER_SIGNATURE);
  const signature = hmac(storedKey);
  const clientKey = Buffer.from(PROOF, 'base64').map((byte, at) => byte ^ signature[at]!);
  assert.equal(createHash('sha256').update(clientKey).digest('base64'), storedKey);
});

test('each verifier has a salt of its own, and what SASLprep would change is refused', async () => {
  assert.notEqual(await scramVerifier('pencil'), await scramVerifier('pencil'));
  for (const password of ['', 'with blank', 'ümlaut', 'a\u0000b']) await assert.rejects(scramVerifier(password), /visible ASCII/);
});
