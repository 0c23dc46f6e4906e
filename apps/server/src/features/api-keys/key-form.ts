import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 214 bits, of which the displayed prefix reveals 24. */
const randomLength = 36;
const checkLength = 6;
const form = new RegExp(`^(pk_(?:live|test)_[${digits}]{${randomLength}})([${digits}]{${checkLength}})$`);

/** A new API key. Its last characters are a checksum, so that a scanner can distinguish a key from a text of similar form. */
export function newKey(isTest: boolean): string {
  const body = `pk_${isTest ? 'test' : 'live'}_${randomDigits(randomLength)}`;
  return body + computeChecksum(body);
}

/** True for a text that could be a key. Other texts need no database query. */
export function isWellFormed(key: string): boolean {
  const [, body, check] = form.exec(key) ?? [];
  return body !== undefined && check === computeChecksum(body);
}

export const keyHash = (key: string) => createHash('sha256').update(key).digest();
/** The displayed parts of a key, by which people recognise it. */
export const keyEnds = (key: string) => ({ key_prefix: key.slice(0, 12), key_suffix: key.slice(-4) });

function computeChecksum(body: string): string {
  let [left, check] = [crc32(body), ''];
  for (let n = 0; n < checkLength; n++) {
    check = digits[left % 62]! + check;
    left = Math.floor(left / 62);
  }
  return check;
}

function randomDigits(length: number): string {
  let text = '';
  // Bytes from 248 on would make the first digits more likely than the others.
  while (text.length < length) for (const byte of randomBytes(length)) if (byte < 248 && text.length < length) text += digits[byte % 62];
  return text;
}
