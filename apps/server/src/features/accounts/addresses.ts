import { normalAddress } from '@paddock/contract';
import type { Sql, Tx } from '../../db/connect.ts';

/** Accounts without a key are searched one by one: they are few, created by the previous release during the minutes of an upgrade. */
const maxUnkeyed = 1_000;
const keyedAtOnce = 500;

/**
 * The key of the younger of two accounts of earlier releases whose addresses are the same today: this account is found by its exact spelling only.
 * No address contains a space, so this key is no address's normal form.
 */
const exactKey = (email: string) => `exactly ${email.trim()}`;

interface Row {
  id: string;
  email: string;
  email_key: string | null;
  keyed_email: string | null;
}

/** The account of an address, in any spelling. `columns` are of `users`. */
export async function accountAt<R extends object>(sql: Sql | Tx, email: string, columns: string): Promise<R | undefined> {
  const [key, exact] = [normalAddress(email), exactKey(email)];
  const wanted = sql.unsafe(`id, email, email_key, keyed_email, ${columns}`);
  const rows = await sql<(Row & R)[]>`
    (
      select ${wanted}
      from users
      where keyed_email = email
        and email_key in (${key}, ${exact})
    )
    union all
    (
      select ${wanted}
      from users
      where keyed_email is distinct from email
      order by created_at, id
      limit ${maxUnkeyed}
    )`;
  const keyed = (row: Row) => row.keyed_email === row.email;
  return (
    rows.find((row) => keyed(row) && row.email_key === exact) ??
    rows.find((row) => keyed(row)) ??
    rows.find((row) => normalAddress(row.email) === key)
  );
}

/** Writes the key of each account whose key does not match its current address. */
export async function keyAddresses(sql: Sql): Promise<void> {
  let rows: { id: string; email: string }[];
  do {
    rows = await sql`
      select id, email
      from users
      where keyed_email is distinct from email
      order by created_at, id
      limit ${keyedAtOnce}`;
    for (const row of rows) await keyOne(sql, row);
  } while (rows.length === keyedAtOnce);
}

async function keyOne(sql: Sql, { id, email }: { id: string; email: string }): Promise<void> {
  const set = (key: string) => sql`
    update users
    set email_key = ${key}, keyed_email = email
    where id = ${id}
      and email = ${email}`;
  try {
    await set(normalAddress(email));
  } catch (error) {
    if (!isAddressTaken(error)) throw error;
    await set(exactKey(email));
  }
}

/** Detects the unique index of this release, or that of the previous release, which compares by the database's own `lower`. */
export const isAddressTaken = (error: unknown): boolean => /^users_email(_key)?$/.test(String(Object(error).constraint_name));
