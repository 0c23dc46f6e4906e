import { normalAddress } from '@paddock/contract';
import type { Sql } from '../db/connect.ts';
import { removeInBatches } from '../jobs/remove-in-batches.ts';
import type { Mails } from './mails.ts';

export interface ClaimedMail {
  id: string;
  to_address: string;
  template: keyof Mails;
  sealed: Buffer;
  key_id: string;
  /** The number of attempts, including this one. */
  attempts: number;
  created_at: string;
  age_s: number;
  last_error: string | null;
}

export type MailStore = ReturnType<typeof mailStore>;

/** All SQL of delivery. Times are the database's. */
export const mailStore = (sql: Sql) => ({
  /** Leases the mail that has been due longest, except those given. Undefined when no mail is due. */
  async claim(leaseSeconds: number, except: string[]): Promise<ClaimedMail | undefined> {
    const [row] = await sql<ClaimedMail[]>`
      update mails
      set attempts = attempts + 1, next_try_at = now() + ${`${leaseSeconds} seconds`}::interval
      where id = (
        select id
        from mails
        where sent_at is null
          and given_up_at is null
          and next_try_at <= now()
          and id <> all(${except})
        order by next_try_at
        limit 1
        for update skip locked
      )
      returning id, to_address, template, sealed, key_id, attempts, created_at, last_error,
        extract(epoch from now() - created_at)::float8 as age_s`;
    return row;
  },

  /** Whether the account with this address has verified it. */
  async isVerified(address: string): Promise<boolean> {
    const rows = await sql`
      select 1
      from users
      where keyed_email = email
        and email_key = ${normalAddress(address)}
        and email_verified`;
    return rows.length > 0;
  },

  /** Records that the mail was sent, even by a server whose lease has expired. */
  sent: (id: string) => sql`
    update mails
    set sent_at = now(), sealed = null, key_id = null, last_error = null, given_up_at = null
    where id = ${id}
      and sent_at is null`,

  retry: ({ id, attempts }: ClaimedMail, pauseSeconds: number, error: string) => sql`
    update mails
    set next_try_at = now() + ${`${pauseSeconds} seconds`}::interval, last_error = ${error}
    where id = ${id}
      and attempts = ${attempts}
      and sent_at is null`,

  giveUp: ({ id, attempts }: ClaimedMail, error: string) => sql`
    update mails
    set given_up_at = now(), sealed = null, key_id = null, last_error = ${error}
    where id = ${id}
      and attempts = ${attempts}
      and sent_at is null`,

  /** Removes mails a week after they were sent, or a month after they failed permanently. */
  sweep: () =>
    removeInBatches(
      (rows) => sql`
        delete from mails
        where ctid = any(array(
          select ctid
          from mails
          where sent_at < now() - interval '7 days'
            or given_up_at < now() - interval '30 days'
          limit ${rows}
        ))`,
    ),
});

/** Mails that are neither sent nor given up. */
export async function countWaitingMails(sql: Sql): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count
    from mails
    where sent_at is null
      and given_up_at is null`;
  return row.count;
}
