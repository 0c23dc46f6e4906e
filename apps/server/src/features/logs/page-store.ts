import { ApiError, type LogLine } from '@paddock/contract';
import type { Sql } from '../../db/connect.ts';
import { downloadStore } from './download-store.ts';
import { type Filter, isFiltering, type LineRow, lineSql, withIds } from './line-sql.ts';
import { type SearchPage, searchStore } from './search-store.ts';

/** The requested lines of a log: those after or before a number, else the last ones. */
interface Page extends Filter {
  after?: number | undefined;
  before?: number | undefined;
  limit: number;
}

/** Reads logs page by page. */
export const pageStore = (sql: Sql) => {
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
  const find = searchStore(sql);

  // `offset 0` hides the numbers from the planner. With known numbers it would make a new plan over all partitions each time.
  async function after(deployment_id: string, number: number, limit: number): Promise<LogLine[]> {
    const rows = await sql<LineRow[]>`
      select l.*
      from (
        select ${deployment_id}::text as id, ${number}::bigint as number
        offset 0
      ) asked
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

  /** The last lines before a number. Throws deployment_not_found when the deployment is not there for the team. */
  async function before(team_id: string, deployment_id: string, { number, limit }: { number: number; limit: number }) {
    // Numbers have no gaps, so the start of the page can be computed.
    const from = sql`greatest(0, least(h.last_number + 1, asked.number) - ${limit}::bigint - 1)`;
    const rows = await sql<(LineRow | { number: null })[]>`
      select l.*
      from deployments d
      join projects p on p.id = d.project_id
      cross join (
        select ${number}::bigint as number
        offset 0
      ) asked
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
    ...find,

    mustExist,
    after,
    textAfter: downloadStore(sql),

    /** A page in ascending number. With a filter, `searched_to` reports how far the search got. */
    async page(team_id: string, deployment_id: string, page: Page): Promise<SearchPage> {
      const { limit } = page;
      const newest = page.before ?? Number.MAX_SAFE_INTEGER;
      const all = (lines: LogLine[]): SearchPage => ({ lines, searched_to: null });
      if (!isFiltering(page) && page.after === undefined) return all(await before(team_id, deployment_id, { number: newest, limit }));
      await mustExist(team_id, deployment_id);
      if (page.after === undefined) return find.findBefore(deployment_id, newest, page);
      if (isFiltering(page)) return find.findAfter(deployment_id, page.after, page);
      return all(await after(deployment_id, page.after, limit));
    },
  };
};
