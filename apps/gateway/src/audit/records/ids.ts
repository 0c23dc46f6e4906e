import { randomHex } from '../../heads/random-hex.ts';

let lastMs = -1;
let timeDigits = '';
let lastSecond = -1;
let secondText = '';
const thousandths = Array.from({ length: 1_000 }, (_, ms) => `${String(ms).padStart(3, '0')}Z`);

/** `aud_` and a UUIDv7 of the given time. */
export function recordId(ms: number): string {
  if (ms !== lastMs) {
    // Many requests arrive in the same millisecond.
    const digits = ms.toString(16).padStart(12, '0');
    timeDigits = `${digits.slice(0, 8)}-${digits.slice(8)}`;
    lastMs = ms;
  }
  const random = randomHex(19);
  const variant = '89ab'[Number.parseInt(random[0]!, 16) & 3];
  return `aud_${timeDigits}-7${random.slice(1, 4)}-${variant}${random.slice(4, 7)}-${random.slice(7)}`;
}

/** ISO 8601 with milliseconds. */
export function isoTime(ms: number): string {
  const second = Math.floor(ms / 1_000);
  if (second !== lastSecond) {
    secondText = new Date(second * 1_000).toISOString().slice(0, -4);
    lastSecond = second;
  }
  return secondText + thousandths[Math.floor(ms) - second * 1_000]!;
}
