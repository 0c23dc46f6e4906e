import type { LogLine } from '@paddock/contract';
import type { Fragment } from 'postgres';
import type { Sql } from '../../db/connect.ts';

export type Level = LogLine['level'];
export interface Filter {
  levels?: readonly Level[] | undefined;
  search?: string | undefined;
}
export type LineRow = Omit<LogLine, 'id'>;

export const isFiltering = ({ levels, search }: Filter) => Boolean(levels?.length || search);

/** SQL fragments shared by all queries of log lines. The queries call log_lines `l` and the deployment's head `h`. */
export const lineSql = (sql: Sql) => ({
  columns: sql`l.number, l.level, l.source, l.message, l.created_at`,

  /** Case-insensitive match on the text that the log shows. Its time is linear in the line, since the search has at most 200 letters. */
  matching: ({ levels, search }: Filter) => sql`
    ${levels?.length ? sql`and l.level = any(${[...levels]})` : sql``}
    ${search ? sql`and strpos(lower(${shown(sql)}), lower(${search})) > 0` : sql``}`,

  /**
   * Restricts the days, so that PostgreSQL opens no other partition: from the line after number `from` to the last day with lines. Without
   * a head, or for older lines, it reads all partitions.
   */
  within: (deployment_id: string, from: Fragment) => sql`
    l.deployment_id = ${deployment_id}
    and l.created_at <= coalesce(h.last_at, 'infinity')
    and l.created_at >= case when ${from} >= h.older_number then h.older_at else '-infinity' end`,
});

/**
 * The message as a reader sees it: the last state of a progress bar, without terminal escapes (CSI, and closed OSC strings). Most lines
 * contain neither and skip the patterns.
 */
const shown = (sql: Sql) => sql`
  case
    when strpos(l.message, chr(27)) = 0 and strpos(l.message, chr(13)) = 0 then l.message
    else regexp_replace(split_part(rtrim(l.message,chr(13)),chr(13),-1), '\\x1b\\[[0-?]*[ -/]*[@-~]|\\x1b\\][^\\x07\\x1b]*(?:\\x07|\\x1b\\\\)', '', 'g')
  end`;

export const withIds = (deployment_id: string, rows: LineRow[]): LogLine[] =>
  rows.map((row) => ({ id: `${deployment_id}:${row.number}`, ...row }));
