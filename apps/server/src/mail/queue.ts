import type { Sql } from '../db/connect.ts';
import { newId } from '../ids.ts';
import type { Seal } from '../secrets/seal.ts';
import type { Mails, SendMail } from './mails.ts';

/** A mail of any template, with the data of its text. */
export type AnyMail = { [T in keyof Mails]: { template: T; data: Mails[T] } }[keyof Mails];

/** Queues mails, which `startDelivery` of any server sends. */
export const mailQueue = (sql: Sql, seal: Seal): SendMail =>
  async function sendMail(template, { to, data }, within = sql) {
    const id = newId('mail');
    const { sealed, key_id } = seal.seal(JSON.stringify(data), contextOf(id));
    await within`
      with queued as (
        insert into mails (id, to_address, template, sealed, key_id)
        values (${id}, ${to}, ${template}, ${sealed}, ${key_id})
        returning id
      )
      select pg_notify('mails', id)
      from queued`;
  };

/** The template and data of a queued mail. Throws when the key that sealed it is gone. */
export function openMail(seal: Seal, row: { id: string; template: string; sealed: Buffer; key_id: string }): AnyMail {
  const data = JSON.parse(seal.open(row, contextOf(row.id))) as { at?: string };
  return { template: row.template, data: data.at === undefined ? data : { ...data, at: new Date(data.at) } } as AnyMail;
}

const contextOf = (id: string) => `mail ${id}`;
