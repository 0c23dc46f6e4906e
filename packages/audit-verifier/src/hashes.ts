import { hash } from 'node:crypto';

export type Bytes = Buffer;

export const sha256 = (...parts: (Buffer | string)[]): Bytes =>
  hash('sha256', Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part))), 'buffer');

export const hex = (bytes: Buffer) => bytes.toString('hex');
