import type { Sql } from '../../db/connect.ts';
import { lineSql } from './line-sql.ts';

export type DownloadFormat = 'text' | 'jsonl';

/** Part of a log download. */
interface DownloadPart {
  text: string;
  /** The number of its last line; the next part starts after it. */
  last_number: number;
}

/** Reads logs as text. The database formats the text, so the server passes parts on without handling single lines. */
export const downloadStore = (sql: Sql) => {
  const { columns, within } = lineSql(sql);
  const created = sql`to_char(l.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
  // An agent's line cannot start a new record: line ends within it ended lines before.
  const texts = {
    text: sql`${created} || ' ' || rpad(upper(l.level), 7) || ' ' || l.message || E'\n'`,
    jsonl: sql`
      '{"id":' || to_json(asked.id || ':' || l.number) || ',"number":' || l.number || ',"level":' || to_json(l.level)
      || ',"source":' || to_json(l.source) || ',"message":' || to_json(l.message) || ',"created_at":"' || ${created} || E'"}\n'`,
  };

  /** Null when there are no lines after the number. */
  return async function textAfter(
    deployment_id: string,
    { after, lines, format }: { after: number; lines: number; format: DownloadFormat },
  ): Promise<DownloadPart | null> {
    const [{ text, last_number }] = await sql<[{ text: string | null; last_number: number | null }]>`
      select string_agg(${texts[format]}, '' order by l.number) as text, max(l.number) as last_number
      from (
        select ${deployment_id}::text as id, ${after}::bigint as number
        offset 0
      ) asked
      left join log_heads h on h.deployment_id = asked.id
      cross join lateral (
        select ${columns}
        from log_lines l
        where ${within(deployment_id, sql`asked.number`)}
          and l.number > asked.number
        order by l.number
        limit ${lines}
      ) l`;
    return text === null || last_number === null ? null : { text, last_number };
  };
};
