import { createHash, randomBytes } from 'node:crypto';

/** A random reference token of 256 bits; only its SHA-256 is stored. */
export const newToken = () => `pds_${randomBytes(32).toString('base64url')}`;
/** The token of a mailed link, of the same strength. It authorises no API call, so it needs no prefix. */
export const newLinkToken = () => randomBytes(32).toString('base64url');
export const tokenHash = (token: string) => createHash('sha256').update(token).digest();
