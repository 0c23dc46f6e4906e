import { createHash, randomBytes } from 'node:crypto';

/** A random reference token of 256 bits; only its SHA-256 is stored. */
export const newToken = () => `pds_${randomBytes(32).toString('base64url')}`;
/** Of a mailed link: of the same strength. It opens nothing by itself, so it needs no prefix. */
export const newLinkToken = () => randomBytes(32).toString('base64url');
export const tokenHash = (token: string) => createHash('sha256').update(token).digest();
