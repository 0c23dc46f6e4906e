import type { Sql } from '../db/connect.ts';
import { StartRefused } from '../process/start-refused.ts';
import type { Seal } from './seal.ts';

const word = 'paddock';
const context = 'key_check';

/**
 * The first server of a database stores a sealed word. Throws StartRefused for a server that cannot open it, because it has another key. A server
 * with a newer current key seals the word again.
 */
export async function checkKey(sql: Sql, seal: Seal) {
  const own = seal.seal(word, context);
  await sql`
    insert into key_check (sealed, key_id)
    values (${own.sealed}, ${own.key_id})
    on conflict do nothing`;
  const [stored] = await sql<{ sealed: Buffer; key_id: string }[]>`select sealed, key_id from key_check`;
  try {
    if (!stored || seal.open(stored, context) !== word) throw new Error('another word is stored');
  } catch (error) {
    throw new StartRefused(different, { cause: error });
  }
  if (stored.key_id === own.key_id) return;
  await sql`
    update key_check
    set sealed = ${own.sealed}, key_id = ${own.key_id}
    where key_id = ${stored.key_id}`;
}

const different =
  'The secrets in this database were sealed with another key than the one of this server. Give all servers of a database the same PADDOCK_SECRET_KEY, ' +
  'or the same secret.key in their data directories. If that key is lost for good, docs/operations.md tells under "Lost key" how to go on without it.';
