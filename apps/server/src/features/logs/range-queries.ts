import type { Sql, Tx } from '../../db/connect.ts';
import { type Filter, type Level, type LineRow, lineSql } from './line-sql.ts';

/** Numbers of the oldest stored line (or of the next one to be stored) and of the newest. */
export interface Bounds {
  first: number;
  last: number;
}
/** A range of lines, both ends included. */
interface LineRange {
  deployment_id: string;
  from: number;
  to: number;
}
interface Wanted {
  filter: Filter;
  limit: number;
  order: 'asc' | 'desc';
}

/** The statements that read one stretch of a log. */
export const rangeQueries = (sql: Sql) => {
  const { columns, matching, within } = lineSql(sql);
  return {
    async bounds(deployment_id: string): Promise<Bounds> {
      const [row] = await sql<{ first: number | null; last: number | null }[]>`
        select
          (
            select min(number)
            from log_lines
            where deployment_id = ${deployment_id}
          ) as first,
          (
            select last_number
            from log_heads
            where deployment_id = ${deployment_id}
          ) as last`;
      const last = row?.last ?? 0;
      return { first: row?.first ?? last + 1, last };
    },

    /**
     * The matching lines of a stretch, in ascending number. If there are more than the limit, `order` decides whether its first or its last
     * ones are taken.
     */
    lines: (tx: Tx, { deployment_id, from, to }: LineRange, { filter, limit, order }: Wanted) => tx<LineRow[]>`
      select l.*
      from (
        select ${deployment_id}::text as id, ${from}::bigint as first, ${to}::bigint as last
        offset 0
      ) asked
      left join log_heads h on h.deployment_id = asked.id
      cross join lateral (
        select ${columns}
        from log_lines l
        where ${within(deployment_id, sql`asked.first - 1`)}
          and l.number between asked.first and asked.last
          ${matching(filter)}
        order by l.number ${order === 'asc' ? sql`asc` : sql`desc`}
        limit ${limit}
      ) l
      order by l.number`,

    counts: (tx: Tx, { deployment_id, from, to }: LineRange, filter: Filter) => tx<{ level: Level; lines: number }[]>`
      select l.level, count(*)::int as lines
      from (
        select ${deployment_id}::text as id, ${from}::bigint as first, ${to}::bigint as last
        offset 0
      ) asked
      left join log_heads h on h.deployment_id = asked.id
      join log_lines l on ${within(deployment_id, sql`asked.first - 1`)} and l.number between asked.first and asked.last
      where true
        ${matching(filter)}
      group by l.level`,
  };
};
