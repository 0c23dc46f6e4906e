import { createHash } from 'node:crypto';

/** An idempotency key for Stripe, which accepts at most 255 characters. The same parts give the same key. */
export const deriveKey = (...parts: (string | number)[]): string =>
  `paddock-${createHash('sha256').update(JSON.stringify(parts)).digest('hex')}`;
