import { randomFillSync } from 'node:crypto';

// The buffer makes it one system call and one conversion per few hundred requests.
const bytes = Buffer.alloc(4096);
let text = '';
let used = 0;

/** A string of that many random hexadecimal digits. */
export function randomHex(digits: number): string {
  if (used + digits > text.length) {
    text = randomFillSync(bytes).toString('hex');
    used = 0;
  }
  used += digits;
  return text.slice(used - digits, used);
}

export const newRequestId = (): string => `req_${randomHex(24)}`;
