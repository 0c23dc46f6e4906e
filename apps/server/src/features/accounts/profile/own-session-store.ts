import { recordAction } from '../../../audit/record-action.ts';
import type { Sql, Tx } from '../../../db/connect.ts';

export type OwnSessionStore = ReturnType<typeof ownSessionStore>;

export interface SessionRow {
  id: string;
  created_at: string;
  last_used_at: string;
  expires_at: string;
  ip: string;
  user_agent: string;
}
/** More sessions than anybody uses. Older ones are not listed; 'end all others' ends them too. */
const maxSessions = 200;

/** All SQL about the sessions that people list and end themselves. */
export const ownSessionStore = (sql: Sql) => ({
  /** True within 10 minutes of the sign-in. */
  async isFresh(session_id: string): Promise<boolean> {
    const rows = await sql`
      select 1
      from sessions
      where id = ${session_id}
        and created_at > now() - interval '10 minutes'`;
    return rows.length > 0;
  },

  list: (user_id: string) => sql<SessionRow[]>`
    select ${columns(sql)}
    from sessions
    where user_id = ${user_id}
      and expires_at > now()
    order by last_used_at desc, id desc
    limit ${maxSessions}`,

  /** Undefined when this person has no live session with that id. */
  async get(user_id: string, id: string): Promise<SessionRow | undefined> {
    const [row] = await sql<SessionRow[]>`
      select ${columns(sql)}
      from sessions
      where user_id = ${user_id}
        and id = ${id}
        and expires_at > now()`;
    return row;
  },

  /** False when this person has no session with that id. */
  end: (user_id: string, id: string): Promise<boolean> =>
    sql.begin(async (tx) => {
      const rows = await tx`
        delete from sessions
        where id = ${id}
          and user_id = ${user_id}
        returning 1`;
      if (rows.length) await recordAction(tx, id);
      return rows.length > 0;
    }),

  endOthers: (user_id: string, keep: string) =>
    sql.begin(async (tx) => {
      const { count } = await endOtherSessions(tx, user_id, keep);
      await recordAction(tx, user_id, { output: { ended: count } });
    }),
});

const columns = (sql: Sql) => sql`id, created_at, last_used_at, expires_at, ip, user_agent`;

/** Ends all sessions of a person except one, within the given transaction. */
export const endOtherSessions = (tx: Tx, user_id: string, keep: string) => tx`
  delete from sessions
  where user_id = ${user_id}
    and id <> ${keep}`;
