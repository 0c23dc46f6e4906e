import { randomBytes } from 'node:crypto';
import { databaseContext } from '../../secrets/contexts.ts';
import type { Seal, Sealed } from '../../secrets/seal.ts';

/** 192 random bits, in characters that are safe in URLs. Nobody but the seal's owner reads it again. */
export const newPassword = (seal: Seal, database_id: string): Sealed =>
  seal.seal(randomBytes(24).toString('base64url'), databaseContext(database_id));
