import { randomBytes } from 'node:crypto';
import { databaseContext } from '../../secrets/contexts.ts';
import type { Seal, Sealed } from '../../secrets/seal.ts';

/** 192 random bits, in URL-safe characters. Only the holder of the seal's key can read it again. */
export const newPassword = (seal: Seal, database_id: string): Sealed =>
  seal.seal(randomBytes(24).toString('base64url'), databaseContext(database_id));
