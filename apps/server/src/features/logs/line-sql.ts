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

/** What all queries of log lines have in common. They call log_lines `l` and the deployment's head `h`. */
export const lineSql = (sql: Sql) => ({
  columns: sql`l.number, l.level, l.source, l.message, l.created_at`,

  /** Ignores case, and finds what the log shows; the time is linear in the line, since the search has at most 200 letters. */
  matching: ({ levels, search }: Filter) => sql`
    ${levels?.length ? sql`and l.level = any(${[...levels]})` : sql``}
    ${search ? sql`and strpos(lower(${shown(sql)}), lower(${search})) > 0` : sql``}`,

  /**
   * The days from `from` on, the number before the first line that is wanted, to the last day with lines. PostgreSQL opens no other
   * partition then; without a head, or for older lines, it looks into all of them.
   */
  within: (deployment_id: string, from: Fragment) => sql`
    l.deployment_id = ${deployment_id}
    and l.created_at <= coalesce(h.last_at, 'infinity')
    and l.created_at >= case when ${from} >= h.older_number then h.older_at else '-infinity' end`,
});

/**
 * The message as a reader sees it: of a progress bar the last state, without terminal escapes (CSI, and OSC strings that are closed). Most lines have
 * neither, and cost no pattern.
 */
const shown = (sql: Sql) => sql`
  case
    when strpos(l.message, chr(27)) = 0 and strpos(l.message, chr(13)) = 0 then l.message
    else regexp_replace(split_part(rtrim(l.message,chr(13)),chr(13),-1), '\\x1b\\[[0-?]*[ -/]*[@-~]|\\x1b\\][^\\x07\\x1b]*(?:\\x07|\\x1b\\\\)', '', 'g')
  end`;

export const withIds = (deployment_id: string, rows: LineRow[]): LogLine[] =>
  rows.map((row) => ({ id: `${deployment_id}:${row.number}`, ...row }));
