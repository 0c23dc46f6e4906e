import { randomBytes } from 'node:crypto';
import { type SigningKey, signingKey } from '@paddock/audit';
import type { Sql } from '../../../../db/connect.ts';
import type { Seal } from '../../../../secrets/seal.ts';

const context = 'audit_signing_key';

/** The 32 secret bytes of the installation's key. The first server creates them; a server with a newer current key seals them again. */
export async function signingSeed(sql: Sql, seal: Seal): Promise<Buffer> {
  const fresh = seal.seal(randomBytes(32).toString('base64'), context);
  await sql`
    insert into audit_signing_key (sealed, key_id)
    values (${fresh.sealed}, ${fresh.key_id})
    on conflict do nothing`;
  const [stored] = await sql<[{ sealed: Buffer; key_id: string }]>`
    select sealed, key_id
    from audit_signing_key`;
  const seed = seal.open(stored, context);
  if (stored.key_id !== fresh.key_id) {
    const { sealed, key_id } = seal.seal(seed, context);
    await sql`
      update audit_signing_key
      set sealed = ${sealed}, key_id = ${key_id}
      where key_id = ${stored.key_id}`;
  }
  return Buffer.from(seed, 'base64');
}

/** Reads the key on first use, once. */
export function cachedSigningKey(sql: Sql, seal: Seal): () => Promise<SigningKey> {
  let key: SigningKey | undefined;
  return async () => (key ??= signingKey(await signingSeed(sql, seal)));
}
