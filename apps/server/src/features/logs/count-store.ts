import { logLevels } from '@paddock/contract';
import type { Sql } from '../../db/connect.ts';
import { createBoundedScan } from './bounded-scan.ts';
import type { Filter, Level } from './line-sql.ts';
import { type Bounds, rangeQueries } from './range-queries.ts';

type Levels = Record<Level, number>;

export interface Counts {
  total: number;
  levels: Levels;
  /** Lines up to this one are counted. */
  last_number: number;
  /** False: older lines were not counted. */
  is_complete: boolean;
  /** The oldest counted line, if older ones were not counted. */
  counted_from: number | null;
}

interface Wanted {
  search?: string | undefined;
  /** Only lines before this one, to go on where an earlier count ran out of time. */
  before?: number | undefined;
}

/** Counts the lines of a log: the counts in its head, plus the rest in stretches from the newest line on, for a bounded time. */
export const countStore = (sql: Sql, budgetMs: number) => {
  const stretch = rangeQueries(sql);

  return {
    /** Number of lines per level, or of those that contain the search text. */
    async counts(deployment_id: string, { search, before }: Wanted = {}): Promise<Counts> {
      const [head] = await sql<HeadRow[]>`
        select last_number, debug_lines, info_lines, warning_lines, error_lines, counted_since
        from log_heads
        where deployment_id = ${deployment_id}`;
      const levels = { debug: 0, info: 0, warning: 0, error: 0 };
      const last_number = Math.min(head?.last_number ?? 0, before === undefined ? Number.POSITIVE_INFINITY : before - 1);
      const done = (counted_from: number | null): Counts => ({
        total: levels.debug + levels.info + levels.warning + levels.error,
        levels,
        last_number,
        is_complete: counted_from === null,
        counted_from,
      });
      if (!head) return done(null);
      const { first } = await stretch.bounds(deployment_id);
      if (search || before !== undefined)
        return done(await countBack(deployment_id, { first, last: last_number }, { filter: { search }, levels }));

      // Numbers have no gaps. Counts above this limit include a day that was dropped, and are recomputed.
      const isWrong = sumOf(head) > Math.max(0, last_number - Math.max(first - 1, head.counted_since));
      const uncounted = isWrong ? last_number : head.counted_since;
      const countedFrom = uncounted < first ? null : await countBack(deployment_id, { first, last: uncounted }, { filter: {}, levels });
      if (!isWrong) for (const level of logLevels) levels[level] += head[`${level}_lines`];
      if (countedFrom === null && uncounted >= first) await keepCounts(deployment_id, { first, head, levels });
      return done(countedFrom);
    },
  };

  /** Counts the matching lines per level up to a number, from the newest on. The oldest counted line if the time ran out first. */
  async function countBack(deployment_id: string, { first, last }: Bounds, { filter, levels }: { filter: Filter; levels: Levels }) {
    const look = createBoundedScan(sql, budgetMs, filter.search);
    for (let to = last; to >= first; ) {
      const size = look.size();
      const from = Math.max(first, to - size + 1);
      const counted = await look.at((tx) => stretch.counts(tx, { deployment_id, from, to }, filter));
      if (!counted) return to + 1;
      for (const { level, lines } of counted) levels[level] += lines;
      to = from - 1;
    }
    return null;
  }

  /** Stores the counts together with what was written since. Skipped if a day was dropped or another request stored counts meanwhile. */
  async function keepCounts(deployment_id: string, { first, head, levels }: { first: number; head: HeadRow; levels: Levels }) {
    await sql.begin(async (tx) => {
      // Deleting lines takes this lock too. If it is taken, nothing is stored and the next request counts again.
      const [lock] = await tx<{ free: boolean }[]>`select pg_try_advisory_xact_lock(${countsLock}) as free`;
      if (!lock?.free) return;
      const [oldest] = await tx<{ first: number | null }[]>`
        select min(number) as first
        from log_lines
        where deployment_id = ${deployment_id}`;
      if (oldest?.first !== first) return;
      // A line written meanwhile does not change the difference between the last number and the counts. Repaired counts and dropped lines
      // change it.
      await tx`
        update log_heads
        set
          debug_lines = debug_lines + ${levels.debug - head.debug_lines},
          info_lines = info_lines + ${levels.info - head.info_lines},
          warning_lines = warning_lines + ${levels.warning - head.warning_lines},
          error_lines = error_lines + ${levels.error - head.error_lines},
          counted_since = 0
        where deployment_id = ${deployment_id}
          and counted_since = ${head.counted_since}
          and last_number - (debug_lines + info_lines + warning_lines + error_lines) = ${head.last_number - sumOf(head)}`;
    });
  }
};

const sumOf = (head: HeadRow) => logLevels.reduce((sum, level) => sum + head[`${level}_lines`], 0);

interface HeadRow extends Record<`${Level}_lines`, number> {
  last_number: number;
  counted_since: number;
}

/** Lock for changing counts and dropping lines. The number is arbitrary, but must be the same in every replica. */
export const countsLock = 4_000_403;
