import type { AuditFilter, governance, Received } from '@paddock/contract';
import { governanceLimits } from '@paddock/contract/limits';
import type { Sql } from '../../../db/connect.ts';
import { type Position, paginate, readCursor } from '../../../http/cursor.ts';
import { type RecordRow, recordColumns, withPayload } from './record-sql.ts';

export type AuditStore = ReturnType<typeof auditStore>;

interface RecordKey {
  seq: number;
  timestamp: string;
  recorded_at: string;
}
type LogsInput = Received<typeof governance.auditLogs>;

/** Maximum number of records that one page of a text search reads. */
const looked = 50_000;

/** All SQL that reads the audit trail for people. */
export const auditStore = (sql: Sql) => ({
  async list(team_id: string, asked: LogsInput) {
    const { limit, cursor, search: text, ...given } = asked;
    const isRequest = text !== undefined && (await hasRequest(sql, team_id, text));
    const words = isRequest ? undefined : text?.trim().toLowerCase() || undefined;
    const filter = { ...given, ...(isRequest ? { request_id: text } : {}) };
    const where = whereSql(sql, team_id, filter);
    const at = readPosition(readCursor(cursor));
    const from = at ? sql`and (timestamp, seq) < (${at.timestamp}::timestamptz, ${at.seq})` : sql``;
    const found =
      words === undefined
        ? await listKeys(sql, sql`${where} ${from}`, limit + 1)
        : await search(sql, sql`${where} ${from}`, { words, limit });
    const page = paginate(found.places.map(positioned), limit);
    return {
      rows: await records(sql, team_id, page.rows),
      next_cursor: page.next_cursor ?? found.further,
      match_count: at ? null : await count(sql, where, words),
    };
  },

  async get(team_id: string, id: string): Promise<RecordRow | undefined> {
    const [row] = await sql<RecordRow[]>`
      select ${recordColumns(sql)}
      from audit_records r
      ${withPayload(sql)}
      where r.id = ${id}
        and r.team_id = ${team_id}`;
    return row;
  },

  /** The records of a trace, in the order of the chain. */
  ofTrace: (team_id: string, trace_id: string, limit: number) => sql<RecordRow[]>`
    select ${recordColumns(sql)}
    from audit_records r
    ${withPayload(sql)}
    where r.trace_id = ${trace_id}
      and r.team_id = ${team_id}
    order by r.seq
    limit ${limit}`,

  /** A page of filtered records, newest first, for exports. */
  async page(
    team_id: string,
    filter: AuditFilter,
    { after, limit }: { after: RecordKey | undefined; limit: number },
  ): Promise<RecordRow[]> {
    const { search: text, ...given } = filter;
    const where = whereSql(sql, team_id, given);
    const from = after ? sql`and (timestamp, seq) < (${after.timestamp}::timestamptz, ${after.seq})` : sql``;
    const words = text?.trim().toLowerCase();
    const matching = words ? sql`and (strpos(lower(action), ${words}) > 0 or request_id = ${text!})` : sql``;
    return records(sql, team_id, (await listKeys(sql, sql`${where} ${from} ${matching}`, limit)).places);
  },

  /** A range of the chain. */
  stretch: (team_id: string, { from_seq, to_seq }: { from_seq: number; to_seq: number }) => sql<RecordRow[]>`
    select ${recordColumns(sql)}
    from audit_records r
    ${withPayload(sql)}
    where r.team_id = ${team_id}
      and r.seq >= ${from_seq}
      and r.seq <= ${to_seq}
    order by r.seq`,

  async head(team_id: string): Promise<{ seq: number; hash: Buffer | null; checkpoint_seq: number }> {
    const [head] = await sql<{ seq: number; hash: Buffer; checkpoint_seq: number }[]>`
      select seq, hash, checkpoint_seq
      from audit_heads
      where team_id = ${team_id}`;
    return head ?? { seq: 0, hash: null, checkpoint_seq: 0 };
  },

  /** All projects that the team's records name. */
  async recordedProjects(team_id: string): Promise<string[]> {
    const rows = await sql<{ agent_id: string }[]>`
      select agent_id
      from audit_agents
      where team_id = ${team_id}`;
    return rows.map(({ agent_id }) => agent_id);
  },

  agents: (team_id: string) => sql<{ agent_id: string; agent_name: string }[]>`
    select agent_id, agent_name
    from audit_agents
    where team_id = ${team_id}
    order by agent_name, agent_id
    limit 1000`,
});

interface Filter extends Omit<AuditFilter, 'search'> {
  request_id?: string | undefined;
}

function whereSql(sql: Sql, team_id: string, { agent, action_type, status, date_from, date_to, trace_id, user, request_id }: Filter) {
  return sql`
    team_id = ${team_id}
    ${agent === undefined ? sql`` : sql`and agent_id = ${agent}`}
    ${actionSql(sql, action_type)}
    ${statusSql(sql, status)}
    ${date_from === undefined ? sql`` : sql`and timestamp >= ${date_from}`}
    ${date_to === undefined ? sql`` : sql`and timestamp <= ${date_to}`}
    ${trace_id === undefined ? sql`` : sql`and trace_id = ${trace_id}`}
    ${user === undefined ? sql`` : sql`and actor_id = ${user}`}
    ${request_id === undefined ? sql`` : sql`and request_id = ${request_id}`}`;
}

/** Written so that the planner matches the condition of the partial index on rare actions. */
function actionSql(sql: Sql, action_type: AuditFilter['action_type']) {
  if (action_type === undefined) return sql``;
  const isCommon = action_type === 'request' || action_type === 'response';
  return isCommon
    ? sql`and action_type = ${action_type}`
    : sql`and action_type = ${action_type} and action_type not in ('request', 'response')`;
}
function statusSql(sql: Sql, status: AuditFilter['status']) {
  if (status === undefined) return sql``;
  return status === 'success' ? sql`and status = 'success'` : sql`and status = ${status} and status <> 'success'`;
}

type Fragment = ReturnType<typeof whereSql>;

async function hasRequest(sql: Sql, team_id: string, request_id: string): Promise<boolean> {
  const [found] = await sql`
    select 1
    from audit_records
    where request_id = ${request_id}
      and team_id = ${team_id}
    limit 1`;
  return found !== undefined;
}

async function listKeys(sql: Sql, where: Fragment, limit: number): Promise<{ places: RecordKey[]; further: null }> {
  const found = await sql<RecordKey[]>`
    select seq, timestamp, recorded_at
    from audit_records
    where ${where}
    order by timestamp desc, seq desc
    limit ${limit}`;
  return { places: found, further: null };
}

/** Reads a bounded number of records; `further` is where the next page continues. */
async function search(sql: Sql, where: Fragment, { words, limit }: { words: string; limit: number }) {
  const found = await sql<(RecordKey & { looked_at: number })[]>`
    select seq, timestamp, recorded_at
    from (
      select seq, timestamp, recorded_at, action
      from audit_records
      where ${where}
      order by timestamp desc, seq desc
      limit ${looked}
    ) newest
    where strpos(lower(action), ${words}) > 0
    order by timestamp desc, seq desc
    limit ${limit + 1}`;
  if (found.length > limit) return { places: found as RecordKey[], further: null };
  const [last] = await sql<RecordKey[]>`
    select seq, timestamp, recorded_at
    from audit_records
    where ${where}
    order by timestamp desc, seq desc
    offset ${looked - 1}
    limit 1`;
  const next = last ? paginate([positioned(last), positioned(last)], 1).next_cursor : null;
  return { places: found as RecordKey[], further: next };
}

async function count(sql: Sql, where: Fragment, words: string | undefined): Promise<number | null> {
  if (words === undefined) {
    const [row] = await sql<[{ matches: number }]>`
      select count(*)::int as matches
      from (
        select 1
        from audit_records
        where ${where}
        limit ${governanceLimits.counted}
      ) counted`;
    return row.matches;
  }
  const [row] = await sql<[{ looked_at: number; matches: number }]>`
    select count(*)::int as looked_at, count(*) filter (where strpos(lower(action), ${words}) > 0)::int as matches
    from (
      select action
      from audit_records
      where ${where}
      order by timestamp desc, seq desc
      limit ${looked}
    ) newest`;
  if (row.matches >= governanceLimits.counted) return governanceLimits.counted;
  return row.looked_at < looked ? row.matches : null;
}

async function records(sql: Sql, team_id: string, found: readonly RecordKey[]): Promise<RecordRow[]> {
  if (found.length === 0) return [];
  return sql<RecordRow[]>`
    select ${recordColumns(sql)}
    from unnest(${found.map(({ seq }) => String(seq))}::bigint[], ${found.map(({ recorded_at }) => recorded_at)}::timestamptz[]) as place (seq, recorded_at)
    join audit_records r on r.team_id = ${team_id} and r.seq = place.seq and r.recorded_at = place.recorded_at
    ${withPayload(sql)}
    order by r.timestamp desc, r.seq desc`;
}

const positioned = (place: RecordKey): RecordKey & Position => ({ ...place, created_at: place.timestamp, id: `seq_${place.seq}` });
const readPosition = (at: Position | undefined) =>
  at ? { timestamp: at.created_at, seq: Number(at.id.slice('seq_'.length)) || 0 } : undefined;
