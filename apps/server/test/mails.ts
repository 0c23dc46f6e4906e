import type { Sql } from '../src/db/connect.ts';
import { linkStore } from '../src/features/accounts/link-store.ts';
import { resetRequests } from '../src/features/accounts/recovery/reset-requests.ts';
import { accountStore } from '../src/features/accounts/store.ts';
import { type LinkPurpose, linkTo, mailedLinks } from '../src/mail/links.ts';
import { type AnyMail, mailQueue, openMail } from '../src/mail/queue.ts';
import type { Seal } from '../src/secrets/seal.ts';

export type QueuedMail = AnyMail & {
  to: string;
  /** The link of the mail, if it has one, and its token. */
  link?: string;
  token?: string;
};

/** The queued mails (nothing here sends them) for an address (or for all), the oldest first. */
export const mailReader =
  (sql: Sql, seal: Seal, publicUrl: string) =>
  async (to?: string): Promise<QueuedMail[]> => {
    while (await resetRequests(sql).answerNext(accountStore(sql), linkStore(sql), mailQueue(sql, seal))); // like the background work
    const rows = await sql<{ id: string; to_address: string; template: string; sealed: Buffer; key_id: string }[]>`
      select id, to_address, template, sealed, key_id from mails
      where sealed is not null and lower(to_address) = lower(${to ?? null}::text) is not false order by created_at, id`;
    return rows.map((row) => {
      const mail = openMail(seal, row);
      const { token } = mail.data as { token?: string };
      const link = token === undefined ? {} : { token, link: linkTo(publicUrl, linkPurpose(mail.template), token) };
      return { ...mail, to: row.to_address, ...link };
    });
  };

function linkPurpose(template: string): LinkPurpose {
  if (!(template in mailedLinks)) throw new Error(`${template} has a token and no page for it`);
  return template as LinkPurpose;
}
