import { pipeline } from 'node:stream/promises';
import { ApiError, type LogLine } from '@paddock/contract';
import type { Sql, Tx } from '../../db/connect.ts';

export type LogStore = ReturnType<typeof logStore>;
export type NewLine = Pick<LogLine, 'level' | 'source' | 'message' | 'created_at'>;
export interface Offset {
  instance_id: string;
  stream: 'stdout' | 'stderr';
  stored_bytes: number;
  is_cut: boolean;
}
interface Filter {
  level?: LogLine['level'] | undefined;
  search?: string | undefined;
}

/** All SQL about log lines. */
export const logStore = (sql: Sql) => {
  const mustExist = async (team_id: string, deployment_id: string) => {
    const [row] = await sql`select 1 from deployments d join projects p on p.id = d.project_id
      where d.team_id = ${team_id} and d.id = ${deployment_id} and p.deleting_at is null`;
    if (!row) throw new ApiError('deployment_not_found');
  };
  const columns = sql`deployment_id || ':' || number as id, number, level, source, message, created_at`;
  const matching = ({ level, search }: Filter) => sql`
    ${level ? sql`and level = ${level}` : sql``} ${search ? sql`and strpos(lower(message), lower(${search})) > 0` : sql``}`;
  const after = (deployment_id: string, number: number, limit: number, filter: Filter = {}) => sql<LogLine[]>`
    select ${columns} from log_lines where deployment_id = ${deployment_id} and number > ${number} ${matching(filter)} order by number limit ${limit}`;

  return {
    mustExist,
    after,

    /** A page in ascending number: after or before a number, else the last ones. */
    async page(
      team_id: string,
      deployment_id: string,
      at: { after?: number | undefined; before?: number | undefined; limit: number },
      filter: Filter,
    ): Promise<LogLine[]> {
      await mustExist(team_id, deployment_id);
      if (at.after !== undefined) return after(deployment_id, at.after, at.limit, filter);
      const rows = await sql<LogLine[]>`
        select ${columns} from log_lines where deployment_id = ${deployment_id} ${at.before === undefined ? sql`` : sql`and number < ${at.before}`} ${matching(filter)}
        order by number desc limit ${at.limit}`;
      return rows.reverse();
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
            const [moved] = await tx`update log_offsets set stored_bytes = ${to.stored_bytes}, is_cut = ${to.is_cut}
              where instance_id = ${from.instance_id} and stream = ${from.stream} and stored_bytes = ${from.stored_bytes} returning 1`;
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
      const [owner] = await sql<{ team_id: string }[]>`select team_id from deployments where id = ${deployment_id}`;
      if (!owner) return undefined;
      await sql`insert into log_offsets (instance_id, stream, deployment_id) select ${instance_id}, s, ${deployment_id} from unnest(array['stdout', 'stderr']) s on conflict do nothing`;
      const rows = await sql<
        Offset[]
      >`select instance_id, stream, stored_bytes, is_cut from log_offsets where instance_id = ${instance_id}`;
      const of = (stream: string) => rows.find((row) => row.stream === stream)!;
      return { team_id: owner.team_id, stdout: of('stdout'), stderr: of('stderr') };
    },
    /** The last messages of one source, oldest first. */
    lastOf: async (deployment_id: string, source: LogLine['source'], count: number): Promise<string[]> => {
      const rows = await sql<{ message: string }[]>`
        select message from log_lines where deployment_id = ${deployment_id} and source = ${source} order by number desc limit ${count}`;
      return rows.map((row) => row.message).reverse();
    },
    removeAll: (deployment_ids: string[]) => sql`delete from log_lines where deployment_id = any(${deployment_ids})`,
    forgetInstance: (instance_id: string) => sql`delete from log_offsets where instance_id = ${instance_id}`,
    /** What a crash left between the removal of an instance and `forgetInstance`: its log would never be complete. */
    forgetRemoved: (node: string, present: string[]) => sql`
      delete from log_offsets o using deployments d where d.id = o.deployment_id and d.node = ${node}
      and (o.instance_id is distinct from d.instance_id or d.status in ('failed', 'stopped', 'completed')) and o.instance_id <> all(${present})`,

    /**
     * True once nothing more can come: the deployment is final and its instances' output is stored. What a dead node still held of it is
     * not waited for longer than a while.
     */
    async isComplete(deployment_id: string): Promise<boolean> {
      const [row] = await sql<{ complete: boolean }[]>`
        select status in ('failed', 'stopped', 'completed')
          and (ended_at < now() - interval '5 minutes' or not exists (select 1 from log_offsets o where o.deployment_id = d.id)) as complete
        from deployments d where id = ${deployment_id}`;
      return row?.complete ?? true;
    },

    saveTicket: (ticket: { token_hash: Buffer; team_id: string; session_id: string; deployment_id: string; lifetime_s: number }) => sql<
      { expires_at: string }[]
    >`
      insert into log_tickets (token_hash, team_id, session_id, deployment_id, expires_at)
      values (${ticket.token_hash}, ${ticket.team_id}, ${ticket.session_id}, ${ticket.deployment_id}, now() + ${`${ticket.lifetime_s} seconds`}::interval) returning expires_at`,
    /** A ticket works once. */
    async takeTicket(
      token_hash: Buffer,
      deployment_id: string,
    ): Promise<{ team_id: string; session_id: string; user_id: string } | undefined> {
      const [row] = await sql<{ team_id: string; session_id: string; user_id: string }[]>`
        delete from log_tickets t using sessions s where t.token_hash = ${token_hash} and t.deployment_id = ${deployment_id} and t.expires_at > now()
        and s.id = t.session_id returning t.team_id, t.session_id, s.user_id`;
      return row;
    },
    removeExpiredTickets: () => sql`delete from log_tickets where expires_at < now()`,
  };
};

// A few lines are one round trip as an insert; many cost PostgreSQL less as a copy.
const copiedFrom = 50;
const special = /[\\\t\n\r]/;
const escapes: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };
const copied = (text: string) => (special.test(text) ? text.replace(/[\\\t\n\r]/g, (character) => escapes[character]!) : text);

class Overtaken extends Error {}

/** The next numbers go out, the readers hear of it when the transaction commits, and the lines are there. False when the deployment is gone. */
async function write(tx: Tx, team_id: string, deployment_id: string, lines: NewLine[]): Promise<boolean> {
  const head = tx`
    insert into log_heads (deployment_id, team_id, last_number)
    select id, ${team_id}, ${lines.length} from deployments where id = ${deployment_id}
    on conflict (deployment_id) do update set last_number = log_heads.last_number + ${lines.length} returning last_number`;
  if (lines.length < copiedFrom) {
    const [stored] = await tx`
      with head as (${head}), lines as (
        insert into log_lines (deployment_id, team_id, number, level, source, message, created_at)
        select ${deployment_id}, ${team_id}, last_number - ${lines.length} + n, level, source, message, created_at
        from head, unnest(${lines.map((l) => l.level)}::text[], ${lines.map((l) => l.source)}::text[], ${lines.map((l) => l.message)}::text[], ${lines.map((l) => l.created_at)}::timestamptz[])
        with ordinality as t (level, source, message, created_at, n))
      select pg_notify('log_lines', ${deployment_id}) from head`;
    return stored !== undefined;
  }
  const [next] = await tx<{ last_number: number }[]>`
    with head as (${head}) select last_number, pg_notify('log_lines', ${deployment_id}) from head`;
  if (!next) return false;
  const first = next.last_number - lines.length + 1;
  const rows = lines.map(
    (l, n) => `${deployment_id}\t${team_id}\t${first + n}\t${l.level}\t${l.source}\t${copied(l.message)}\t${l.created_at}\n`,
  );
  const copy = tx`copy log_lines (deployment_id, team_id, number, level, source, message, created_at) from stdin`;
  const into = await copy.writable();
  // The driver tells nobody of a copy that fails after its last byte was sent: the stream would wait for ever. Its own way to
  // reject the query, which is settled already, still gets the error.
  void Object.assign(copy, { reject: (error: Error) => into.destroy(error) });
  await pipeline([rows.join('')], into);
  return true;
}
