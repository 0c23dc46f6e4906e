import { createHash } from 'node:crypto';

/** A key for Stripe, which takes 255 characters at most. The same parts give the same key. */
export const keyOf = (...parts: (string | number)[]): string =>
  `paddock-${createHash('sha256').update(JSON.stringify(parts)).digest('hex')}`;
