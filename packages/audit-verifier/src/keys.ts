import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { Unusable } from './failures.ts';
import { type Bytes, hex, sha256 } from './hashes.ts';

export interface PublicKey {
  /** The 32 bytes of Ed25519. */
  raw: Bytes;
  id: string;
  verifies(message: Buffer, signature: Buffer): boolean;
}

/** Throws `Unusable` if the bytes are not a valid key. */
export function publicKey(raw: Bytes): PublicKey {
  let key: KeyObject;
  try {
    key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: raw.toString('base64url') }, format: 'jwk' });
  } catch (cause) {
    throw new Unusable('These bytes are no public key of Ed25519.', cause);
  }
  return {
    raw,
    id: hex(sha256(raw)).slice(0, 16),
    verifies: (message, signature) => verify(null, message, key, signature),
  };
}

const maxKeyFileBytes = 16 * 1024;

/** The given key: as text (base64url of 32 bytes), or as a file with that text or in PEM. */
export function givenKey(given: string): PublicKey {
  const key = keyFromText(given) ?? keyFromText(keyFile(given).trim());
  if (!key) throw new Unusable(`${given} has no public key: 32 bytes in base64url, or PEM, are wanted.`);
  return key;
}

function keyFromText(text: string): PublicKey | undefined {
  const raw = text.startsWith('-----BEGIN PUBLIC KEY-----') ? rawFromPem(text) : Buffer.from(text, 'base64url');
  const isKey = raw.length === 32 && (raw.toString('base64url') === text || text.startsWith('-----'));
  return isKey ? publicKey(raw) : undefined;
}

function rawFromPem(text: string): Buffer {
  try {
    return Buffer.from(createPublicKey(text).export({ format: 'jwk' }).x ?? '', 'base64url');
  } catch (cause) {
    throw new Unusable('The key cannot be read.', cause);
  }
}

function keyFile(file: string): string {
  try {
    if (statSync(file).size > maxKeyFileBytes) return '';
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new Unusable(`The key "${file}" is neither 32 bytes in base64url nor a file that can be read.`, cause);
  }
}
