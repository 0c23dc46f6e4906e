import type { User } from '@paddock/contract';
import { recordAction } from '../../audit/record-action.ts';
import { isDiskFull, type Sql, type Tx } from '../../db/connect.ts';
import type { Person, UsedFrom } from '../../http/authenticate.ts';
import { removeInBatches } from '../../jobs/remove-in-batches.ts';
import { userColumns } from './store.ts';

export type SessionStore = ReturnType<typeof sessionStore>;

/** The idle timeout of a team's sessions in minutes; undefined: only their own expiry ends them. */
export type IdleMinutes = (team_id: string) => Promise<number | undefined>;

interface NewSession {
  id: string;
  token_hash: Buffer;
  user_id: string;
  lifetimeSeconds: number;
  ip: string;
  user_agent: string;
  device: string;
  network: string;
  /** The hash that the password was checked against, if there was a password: a password that was changed meanwhile opens no session. */
  password_hash?: string | undefined;
}

/** All SQL about sessions, except the list of a person's own sessions. */
export const sessionStore = (sql: Sql) => ({
  /**
   * Opens a session and returns its person; undefined when the account or the password is gone. `onNewDevice` runs when only other devices were used
   * before.
   */
  open: (session: NewSession, onNewDevice: (tx: Tx, user: User) => Promise<void>): Promise<User | undefined> =>
    sql.begin(async (tx) => {
      const { user_id, device, network } = session;
      // Locked: a concurrent change of the password either ends this session with the others, or is seen here.
      const [user] = await tx<User[]>`
        select ${userColumns(sql)}
        from users
        where id = ${user_id}
          ${session.password_hash === undefined ? tx`` : tx`and password_hash = ${session.password_hash}`}
        for share`;
      if (!user) return undefined;
      await tx`
        insert into sessions (id, token_hash, user_id, team_id, expires_at, ip, user_agent)
        select ${session.id}, ${session.token_hash}, ${user_id}, team_id,
          now() + make_interval(secs => ${session.lifetimeSeconds}), ${session.ip}, ${session.user_agent}
        from team_members
        where user_id = ${user_id}
        order by team_id
        limit 1`;
      const [before] = await tx<[{ any: boolean; this: boolean }]>`
        select count(*) > 0 as any, coalesce(bool_or(device = ${device} and network = ${network}), false) as this
        from known_devices
        where user_id = ${user_id}`;
      await tx`
        insert into known_devices (user_id, device, network)
        values (${user_id}, ${device}, ${network})
        on conflict (user_id, device, network) do update
        set seen_at = now()`;
      if (before.any && !before.this) await onNewDevice(tx, user);
      await recordAction(tx, session.id, { by: user_id });
      return user;
    }),

  /**
   * The live session of a token. Records the time and origin of its use at most once a minute. Ends a session whose team's idle timeout has passed.
   */
  async find(token_hash: Buffer, from: UsedFrom, idleMinutes: IdleMinutes = async () => undefined): Promise<Person | undefined> {
    const [row] = await sql<(Person & { stale: boolean; idle_seconds: number })[]>`
      select s.id as session_id, null as key_id, null as key_name, s.user_id, s.team_id, u.name, u.email,
        s.last_used_at < now() - interval '1 minute' as stale,
        extract(epoch from now() - s.last_used_at)::float8 as idle_seconds
      from sessions s
      join users u on u.id = s.user_id
      where s.token_hash = ${token_hash}
        and s.expires_at > now()`;
    if (!row) return undefined;
    const { stale, idle_seconds, ...actor } = row;
    // Only a session that was not used for a minute can exceed the timeout.
    const minutes = stale ? await idleMinutes(actor.team_id) : undefined;
    if (minutes !== undefined && idle_seconds > minutes * 60) {
      await sql`
        delete from sessions
        where id = ${actor.session_id}`;
      return undefined;
    }
    if (stale)
      await sql`
        update sessions
        set last_used_at = now(), ip = ${from.ip}, user_agent = ${from.user_agent}
        where id = ${actor.session_id}`.catch(unlessDiskFull);
    return actor;
  },

  close: (session_id: string) =>
    sql.begin(async (tx) => {
      const closed = await tx`
        delete from sessions
        where id = ${session_id}
        returning 1`;
      if (closed.length) await recordAction(tx, session_id);
    }),
  closeAllOf: (user_id: string, within: Tx = sql) => within`delete from sessions where user_id = ${user_id}`,
  removeExpired: () =>
    removeInBatches(
      (rows) => sql`
        delete from sessions
        where ctid = any(array(
          select ctid
          from sessions
          where expires_at < now()
          limit ${rows}
        ))`,
    ),
});

/** A full disk does not end a session's requests: the time of its last use is not updated. */
function unlessDiskFull(error: unknown) {
  if (!isDiskFull(error)) throw error;
}
