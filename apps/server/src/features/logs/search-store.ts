import type { LogLine } from '@paddock/contract';
import type { Sql } from '../../db/connect.ts';
import { createBoundedScan } from './bounded-scan.ts';
import { countStore } from './count-store.ts';
import { type Filter, type LineRow, withIds } from './line-sql.ts';
import { rangeQueries } from './range-queries.ts';

/** Time budget of one request, which then reports how far it got. */
const searchBudgetMs = 1_500;

export interface SearchPage {
  lines: LogLine[];
  /** All lines down to this number (or up to it, going upwards) were searched. Null: the page is full, or there are no more lines. */
  searched_to: number | null;
}

interface Wanted extends Filter {
  limit: number;
}

/** Searches and counts in logs of any length: in stretches from the requested end, for a bounded time. */
export const searchStore = (sql: Sql, budgetMs = searchBudgetMs) => {
  const stretch = rangeQueries(sql);

  return {
    ...countStore(sql, budgetMs),

    /** The last matching lines before a number. */
    async findBefore(deployment_id: string, before: number, { limit, ...filter }: Wanted): Promise<SearchPage> {
      const { first, last } = await stretch.bounds(deployment_id);
      const look = createBoundedScan(sql, budgetMs, filter.search);
      let found: LineRow[] = [];
      let to = Math.min(before - 1, last);
      while (to >= first && found.length < limit) {
        const from = Math.max(first, to - look.size() + 1);
        const lines = await look.at((tx) =>
          stretch.lines(tx, { deployment_id, from, to }, { filter, limit: limit - found.length, order: 'desc' }),
        );
        if (!lines) return { lines: withIds(deployment_id, found), searched_to: to + 1 };
        found = [...lines, ...found];
        to = from - 1;
      }
      return { lines: withIds(deployment_id, found), searched_to: null };
    },

    /** The first matching lines after a number. */
    async findAfter(deployment_id: string, after: number, { limit, ...filter }: Wanted): Promise<SearchPage> {
      const { first, last } = await stretch.bounds(deployment_id);
      const look = createBoundedScan(sql, budgetMs, filter.search);
      const found: LineRow[] = [];
      let from = Math.max(after + 1, first);
      while (from <= last && found.length < limit) {
        const to = Math.min(last, from + look.size() - 1);
        const lines = await look.at((tx) =>
          stretch.lines(tx, { deployment_id, from, to }, { filter, limit: limit - found.length, order: 'asc' }),
        );
        if (!lines) return { lines: withIds(deployment_id, found), searched_to: from - 1 };
        found.push(...lines);
        from = to + 1;
      }
      return { lines: withIds(deployment_id, found), searched_to: null };
    },
  };
};
