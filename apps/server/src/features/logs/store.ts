import { ApiError, type LogLine } from '@paddock/contract';
import type { Sql, Tx } from '../../db/connect.ts';
import type { ReaderIdentity } from './check-readers.ts';
import { type Found, findStore } from './find-store.ts';
import { type Filter, isFiltering, type LineRow, lineSql, withIds } from './line-sql.ts';
import { removeLines } from './remove-lines.ts';

export type LogStore = ReturnType<typeof logStore>;
export type NewLine = Pick<LogLine, 'level' | 'source' | 'message' | 'created_at'>;
export interface Offset {
  instance_id: string;
  stream: 'stdout' | 'stderr';
  stored_bytes: number;
  is_cut: boolean;
}
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

/** All SQL about log lines. */
export const logStore = (sql: Sql) => {
  const mustExist = async (team_id: string, deployment_id: string) => {
    const [row] = await sql`
      select 1
      from deployments d
      join projects p on p.id = d.project_id
      where d.team_id = ${team_id}
        and d.id = ${deployment_id}
        and p.deleting_at is null`;
    if (!row) throw new ApiError('deployment_not_found');
  };
  const { columns, within } = lineSql(sql);
  const find = findStore(sql);

  // The numbers are behind `offset 0`, where the planner does not look: knowing them it would plan anew, over all partitions, each time.
  async function after(deployment_id: string, number: number, limit: number): Promise<LogLine[]> {
    const rows = await sql<LineRow[]>`
      select l.*
      from (select ${deployment_id}::text as id, ${number}::bigint as number offset 0) asked
      left join log_heads h on h.deployment_id = asked.id
      cross join lateral (
        select ${columns}
        from log_lines l
        where ${within(deployment_id, sql`asked.number`)}
          and l.number > asked.number
        order by l.number
        limit ${limit}
      ) l
      order by l.number`;
    return withIds(deployment_id, rows);
  }

  /** The last ones before a number. Throws deployment_not_found when the deployment is not there for the team. */
  async function before(team_id: string, deployment_id: string, number: number, limit: number) {
    // The numbers have no gaps, so it is known where the page begins.
    const from = sql`greatest(0, least(h.last_number + 1, asked.number) - ${limit}::bigint - 1)`;
    const rows = await sql<(LineRow | { number: null })[]>`
      select l.*
      from deployments d
      join projects p on p.id = d.project_id
      cross join (select ${number}::bigint as number offset 0) asked
      left join log_heads h on h.deployment_id = d.id
      left join lateral (
        select ${columns}
        from log_lines l
        where ${within(deployment_id, from)}
          and l.number < asked.number
        order by l.number desc
        limit ${limit}
      ) l on true
      where d.team_id = ${team_id}
        and d.id = ${deployment_id}
        and p.deleting_at is null
      order by l.number`;
    if (rows.length === 0) throw new ApiError('deployment_not_found');
    return withIds(
      deployment_id,
      rows.filter((row) => row.number !== null),
    );
  }

  return {
    mustExist,
    after,

    ...find,

    /** A page in ascending number: after or before a number, else the last ones. With a filter, `searched_to` tells how far it came. */
    async page(
      team_id: string,
      deployment_id: string,
      at: { after?: number | undefined; before?: number | undefined; limit: number },
      filter: Filter,
    ): Promise<Found> {
      const newest = at.before ?? Number.MAX_SAFE_INTEGER;
      const all = (lines: LogLine[]): Found => ({ lines, searched_to: null });
      if (!isFiltering(filter) && at.after === undefined) return all(await before(team_id, deployment_id, newest, at.limit));
      await mustExist(team_id, deployment_id);
      if (at.after === undefined) return find.findBefore(deployment_id, newest, at.limit, filter);
      return isFiltering(filter)
        ? find.findAfter(deployment_id, at.after, at.limit, filter)
        : all(await after(deployment_id, at.after, at.limit));
    },

    /** Stores lines under the next numbers; false when the deployment is gone meanwhile. `onBegun` is told the transaction before it commits. */
    append: (team_id: string, deployment_id: string, lines: NewLine[], onBegun?: (transaction: string) => void) =>
      sql.begin(async (tx) => {
        const [{ id }] = await tx<[{ id: string }]>`select pg_current_xact_id()::text as id`;
        onBegun?.(id);
        return await write(tx, team_id, deployment_id, lines);
      }),

    /** What became of a transaction whose commit got no answer. */
    async outcome(transaction: string): Promise<'committed' | 'aborted' | 'in progress'> {
      const [row] = await sql<
        [{ status: 'committed' | 'aborted' | 'in progress' }]
      >`select pg_xact_status(${transaction}::text::xid8) as status`;
      return row.status;
    },

    /** Lines and the offsets they end at, together: each line exactly once. False when another collector was first. */
    collect: (team_id: string, deployment_id: string, lines: NewLine[], moves: { from: Offset; to: Offset }[]): Promise<boolean> =>
      sql
        .begin(async (tx) => {
          for (const { from, to } of moves) {
            const [moved] = await tx`
              update log_offsets
              set stored_bytes = ${to.stored_bytes}, is_cut = ${to.is_cut}
              where instance_id = ${from.instance_id}
                and stream = ${from.stream}
                and stored_bytes = ${from.stored_bytes}
              returning 1`;
            if (!moved) throw new Overtaken();
          }
          // failpoint: offsets-moved
          return lines.length ? write(tx, team_id, deployment_id, lines) : true;
        })
        .catch((error: unknown) => {
          if (error instanceof Overtaken) return false;
          throw error;
        }),

    /** Where collecting stands; begins at 0. Undefined when the deployment is gone. */
    async offsets(deployment_id: string, instance_id: string): Promise<{ team_id: string; stdout: Offset; stderr: Offset } | undefined> {
      const [owner] = await sql<{ team_id: string }[]>`
        select team_id
        from deployments
        where id = ${deployment_id}`;
      if (!owner) return undefined;
      await sql`
        insert into log_offsets (instance_id, stream, deployment_id)
        select ${instance_id}, s, ${deployment_id}
        from unnest(array['stdout', 'stderr']) s
        on conflict do nothing`;
      const rows = await sql<Offset[]>`
        select instance_id, stream, stored_bytes, is_cut
        from log_offsets
        where instance_id = ${instance_id}`;
      const of = (stream: string) => rows.find((row) => row.stream === stream)!;
      return { team_id: owner.team_id, stdout: of('stdout'), stderr: of('stderr') };
    },
    /** The last messages of one source, oldest first. */
    lastOf: async (deployment_id: string, source: LogLine['source'], count: number): Promise<string[]> => {
      const rows = await sql<{ message: string }[]>`
        select message
        from log_lines
        where deployment_id = ${deployment_id}
          and source = ${source}
        order by number desc
        limit ${count}`;
      return rows.map((row) => row.message).reverse();
    },
    /** For deployments that are removed for good: false if lines may be left, with which the next call goes on. */
    removeAll: (deployment_ids: string[], budgetMs: number) => removeLines(sql, deployment_ids, budgetMs),
    forgetInstance: (instance_id: string) => sql`delete from log_offsets where instance_id = ${instance_id}`,
    /** What a crash left between the removal of an instance and `forgetInstance`: its log would never be complete. */
    forgetRemoved: (node: string, present: string[]) => sql`
      delete from log_offsets o
      using deployments d
      where d.id = o.deployment_id
        and d.node = ${node}
        and (o.instance_id is distinct from d.instance_id or d.status in ('failed', 'stopped', 'completed'))
        and o.instance_id <> all(${present})`,

    /**
     * True once nothing more can come: the deployment is final and its instances' output is stored. What a dead node still held of it is
     * not waited for longer than a while.
     */
    async isComplete(deployment_id: string): Promise<boolean> {
      const [row] = await sql<{ complete: boolean }[]>`
        select status in ('failed', 'stopped', 'completed')
          and (
            ended_at < now() - interval '5 minutes'
            or not exists (
              select 1
              from log_offsets o
              where o.deployment_id = d.id
            )
          ) as complete
        from deployments d
        where id = ${deployment_id}`;
      return row?.complete ?? true;
    },

    saveTicket: ({ reader, ...ticket }: NewTicket) => sql<{ expires_at: string }[]>`
      insert into log_tickets (token_hash, team_id, session_id, key_id, deployment_id, expires_at)
      values (
        ${ticket.token_hash}, ${ticket.team_id}, ${reader.session_id}, ${reader.key_id}, ${ticket.deployment_id},
        now() + ${`${ticket.lifetime_s} seconds`}::interval
      )
      returning expires_at`,
    /** A ticket works once, and no longer than what it was asked for with. */
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
    /** Which of these sessions and keys may go on reading. */
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
    removeExpiredTickets: () => sql`delete from log_tickets where expires_at < now()`,
  };
};

// More than a page of the API has, so that the last page never needs an older day.
const coveredLines = 1000;

const isLiveKey = (sql: Sql) => sql`
  k.revoked_at is null
  and (k.expires_at is null or k.expires_at > now())
  and exists (
    select 1
    from team_members m
    where m.team_id = k.team_id
      and m.user_id = k.user_id
  )`;

class Overtaken extends Error {}

/** The next numbers go out, the readers hear of it when the transaction commits, and the lines are there. False when the deployment is gone. */
async function write(tx: Tx, team_id: string, deployment_id: string, lines: NewLine[]): Promise<boolean> {
  const head = moveHead(tx, team_id, deployment_id, lines);
  const [stored] = await tx`
    with head as (${head}),
    lines as (
      insert into log_lines (deployment_id, team_id, number, level, source, message, created_at)
      select ${deployment_id}, ${team_id}, last_number - ${lines.length} + n, level, source, message, created_at
      from head, unnest(
        ${lines.map((line) => line.level)}::text[],
        ${lines.map((line) => line.source)}::text[],
        ${lines.map((line) => line.message)}::text[],
        ${lines.map((line) => line.created_at)}::timestamptz[]
      ) with ordinality as t (level, source, message, created_at, n)
    )
    select pg_notify('log_lines', ${deployment_id})
    from head`;
  return stored !== undefined;
}

/** Gives out the numbers, and keeps what tells in which days the lines are (0008-log-bounds.sql) and how many of which level they are (0020-log-counts.sql). */
function moveHead(tx: Tx, team_id: string, deployment_id: string, lines: NewLine[]) {
  // ISO timestamps in UTC sort as text.
  const first = lines.reduce((least, { created_at }) => (created_at < least ? created_at : least), lines[0]!.created_at);
  const last = lines.reduce((greatest, { created_at }) => (created_at > greatest ? created_at : greatest), first);
  const ofLevel = (level: LogLine['level']) => lines.reduce((sum, line) => sum + (line.level === level ? 1 : 0), 0);
  const [debug, info, warning, error] = [ofLevel('debug'), ofLevel('info'), ofLevel('warning'), ofLevel('error')];
  const covers = tx`log_heads.last_number - log_heads.newer_number >= ${coveredLines}`;
  return tx`
    insert into log_heads (
      deployment_id, team_id, last_number, bounded_number, last_at, older_at, newer_at, counted_number, debug_lines, info_lines,
      warning_lines, error_lines
    )
    select
      id, ${team_id}, ${lines.length}, ${lines.length}, ${last}, ${first}, ${first}, ${lines.length}, ${debug}, ${info},
      ${warning}, ${error}
    from deployments
    where id = ${deployment_id}
    on conflict (deployment_id) do update
    set
      last_number = log_heads.last_number + ${lines.length},
      bounded_number = log_heads.bounded_number + ${lines.length},
      counted_number = log_heads.counted_number + ${lines.length},
      debug_lines = log_heads.debug_lines + ${debug},
      info_lines = log_heads.info_lines + ${info},
      warning_lines = log_heads.warning_lines + ${warning},
      error_lines = log_heads.error_lines + ${error},
      last_at = greatest(log_heads.last_at, excluded.last_at),
      older_number = case when ${covers} then log_heads.newer_number else log_heads.older_number end,
      older_at = least(case when ${covers} then log_heads.newer_at else log_heads.older_at end, excluded.older_at),
      newer_number = case when ${covers} then log_heads.last_number else log_heads.newer_number end,
      newer_at = case when ${covers} then excluded.newer_at else least(log_heads.newer_at, excluded.newer_at) end
    returning last_number`;
}
