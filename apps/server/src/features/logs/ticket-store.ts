import { recordAction } from '../../audit/record-action.ts';
import type { Sql } from '../../db/connect.ts';
import { removeInBatches } from '../../jobs/remove-in-batches.ts';
import type { ReaderIdentity } from './reader-auth.ts';

interface NewTicket {
  token_hash: Buffer;
  team_id: string;
  reader: ReaderIdentity;
  deployment_id: string;
  lifetime_s: number;
}
interface TicketReader extends ReaderIdentity {
  team_id: string;
  user_id: string;
}

/** All SQL about tickets, and about the sessions and keys of live log readers. */
export const ticketStore = (sql: Sql) => ({
  saveTicket: ({ reader, ...ticket }: NewTicket) =>
    sql.begin(async (tx) => {
      const [saved] = await tx<[{ expires_at: string }]>`
        insert into log_tickets (token_hash, team_id, session_id, key_id, deployment_id, expires_at)
        values (
          ${ticket.token_hash}, ${ticket.team_id}, ${reader.session_id}, ${reader.key_id}, ${ticket.deployment_id},
          now() + ${`${ticket.lifetime_s} seconds`}::interval
        )
        returning expires_at`;
      await recordAction(tx, ticket.deployment_id);
      return saved;
    }),
  /** A ticket works once, and only while the session or key that requested it is valid. */
  async takeTicket(token_hash: Buffer, deployment_id: string): Promise<TicketReader | undefined> {
    const [row] = await sql<TicketReader[]>`
      with taken as (
        delete from log_tickets t
        where token_hash = ${token_hash}
          and deployment_id = ${deployment_id}
          and expires_at > now()
        returning team_id, session_id, key_id
      )
      select t.team_id, t.session_id, t.key_id, coalesce(s.user_id, k.user_id) as user_id
      from taken t
      left join sessions s on s.id = t.session_id and s.expires_at > now()
      left join api_keys k on k.id = t.key_id and ${isLiveKey(sql)}
      where coalesce(s.user_id, k.user_id) is not null`;
    return row;
  },
  /** Finds the sessions and keys among these that are still valid. */
  findLive: async ({ sessions, keys }: { sessions: string[]; keys: string[] }): Promise<Set<string>> => {
    const rows = await sql<{ id: string }[]>`
      select s.id
      from sessions s
      where s.id = any(${sessions})
        and s.expires_at > now()
      union all
      select k.id
      from api_keys k
      where k.id = any(${keys})
        and ${isLiveKey(sql)}`;
    return new Set(rows.map(({ id }) => id));
  },
  removeExpiredTickets: () =>
    removeInBatches(
      (rows) => sql`
        delete from log_tickets
        where ctid = any(array(
          select ctid
          from log_tickets
          where expires_at < now()
          limit ${rows}
        ))`,
    ),
});

const isLiveKey = (sql: Sql) => sql`
  k.revoked_at is null
  and (k.expires_at is null or k.expires_at > now())
  and exists (
    select 1
    from team_members m
    where m.team_id = k.team_id
      and m.user_id = k.user_id
  )`;
