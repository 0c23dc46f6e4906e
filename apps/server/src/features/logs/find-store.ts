import { type LogLine, logLevels } from '@paddock/contract';
import type { Sql, Tx } from '../../db/connect.ts';
import { type Filter, type Level, type LineRow, lineSql, withIds } from './line-sql.ts';
import { looks } from './looks.ts';

/** One request looks at lines for about so long, and then says how far it came. */
const lookMs = 1_500;

export interface Found {
  lines: LogLine[];
  /** All lines down to this number (or up to it, going upwards) were looked at. Null: the page is full, or there are no more. */
  searched_to: number | null;
}
export interface Counts {
  total: number;
  levels: Record<Level, number>;
  /** Up to this line all is counted. */
  last_number: number;
  /** False: older lines were not looked at. */
  is_complete: boolean;
}
interface Bounds {
  first: number;
  last: number;
}
/** Lines of a log, both ends included. */
interface Stretch {
  deployment_id: string;
  from: number;
  to: number;
}

/** Finding and counting in logs of any length: stretch by stretch, from the end that is asked for, for a bounded time. */
export const findStore = (sql: Sql, budgetMs = lookMs) => {
  const { columns, matching, within } = lineSql(sql);

  /** The numbers of the oldest line that is still stored, or of the next one that will be, and of the newest. */
  async function bounds(deployment_id: string): Promise<Bounds> {
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
  }

  /** The lines from one number to another, both included, that match. */
  const stretch = (tx: Tx, { deployment_id, from, to }: Stretch, limit: number, filter: Filter, order: 'asc' | 'desc') => tx<LineRow[]>`
    select l.*
    from (select ${deployment_id}::text as id, ${from}::bigint as first, ${to}::bigint as last offset 0) asked
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
    order by l.number`;

  const countStretch = (tx: Tx, { deployment_id, from, to }: Stretch, filter: Filter) => tx<{ level: Level; lines: number }[]>`
    select l.level, count(*)::int as lines
    from (select ${deployment_id}::text as id, ${from}::bigint as first, ${to}::bigint as last offset 0) asked
    left join log_heads h on h.deployment_id = asked.id
    join log_lines l on ${within(deployment_id, sql`asked.first - 1`)} and l.number between asked.first and asked.last
    where true
      ${matching(filter)}
    group by l.level`;

  /** Adds up the levels of the matching lines up to a number, from the newest on; false if the time was too short for all of them. */
  async function countBack(deployment_id: string, { first, last }: Bounds, filter: Filter, levels: Record<Level, number>) {
    const look = looks(sql, budgetMs, filter.search);
    for (let to = last; to >= first; ) {
      const size = look.size();
      const from = Math.max(first, to - size + 1);
      const counted = await look.at((tx) => countStretch(tx, { deployment_id, from, to }, filter));
      if (!counted) return false;
      for (const { level, lines } of counted) levels[level] += lines;
      to -= size;
    }
    return true;
  }

  return {
    /** The last matching lines before a number. */
    async findBefore(deployment_id: string, before: number, limit: number, filter: Filter): Promise<Found> {
      const { first, last } = await bounds(deployment_id);
      const look = looks(sql, budgetMs, filter.search);
      let found: LineRow[] = [];
      let to = Math.min(before - 1, last);
      while (to >= first && found.length < limit) {
        const from = Math.max(first, to - look.size() + 1);
        const lines = await look.at((tx) => stretch(tx, { deployment_id, from, to }, limit - found.length, filter, 'desc'));
        if (!lines) return { lines: withIds(deployment_id, found), searched_to: to + 1 };
        found = [...lines, ...found];
        to = from - 1;
      }
      return { lines: withIds(deployment_id, found), searched_to: null };
    },

    /** The first matching lines after a number. */
    async findAfter(deployment_id: string, after: number, limit: number, filter: Filter): Promise<Found> {
      const { first, last } = await bounds(deployment_id);
      const look = looks(sql, budgetMs, filter.search);
      const found: LineRow[] = [];
      let from = Math.max(after + 1, first);
      while (from <= last && found.length < limit) {
        const to = Math.min(last, from + look.size() - 1);
        const lines = await look.at((tx) => stretch(tx, { deployment_id, from, to }, limit - found.length, filter, 'asc'));
        if (!lines) return { lines: withIds(deployment_id, found), searched_to: from - 1 };
        found.push(...lines);
        from = to + 1;
      }
      return { lines: withIds(deployment_id, found), searched_to: null };
    },

    /** How many lines of each level there are, or how many of them hold the words. */
    async counts(deployment_id: string, search?: string): Promise<Counts> {
      const [head] = await sql<HeadRow[]>`
        select last_number, debug_lines, info_lines, warning_lines, error_lines, counted_since
        from log_heads
        where deployment_id = ${deployment_id}`;
      const levels = { debug: 0, info: 0, warning: 0, error: 0 };
      const last_number = head?.last_number ?? 0;
      const done = (is_complete: boolean): Counts => ({
        total: levels.debug + levels.info + levels.warning + levels.error,
        levels,
        last_number,
        is_complete,
      });
      if (!head) return done(true);
      const { first } = await bounds(deployment_id);
      if (search) return done(await countBack(deployment_id, { first, last: last_number }, { search }, levels));

      // Numbers have no gaps: counts that are higher than that have missed that a day was dropped, and are made anew.
      const isWrong = sumOf(head) > Math.max(0, last_number - Math.max(first - 1, head.counted_since));
      const uncounted = isWrong ? last_number : head.counted_since;
      const isComplete = uncounted < first || (await countBack(deployment_id, { first, last: uncounted }, {}, levels));
      if (!isWrong) for (const level of logLevels) levels[level] += head[`${level}_lines`];
      if (isComplete && uncounted >= first) await keepCounts(deployment_id, first, head, levels);
      return done(isComplete);
    },
  };

  /** Keeps what was counted, together with what was written since; not if a day was dropped or others counted meanwhile. */
  async function keepCounts(deployment_id: string, first: number, head: HeadRow, levels: Record<Level, number>) {
    await sql.begin(async (tx) => {
      // Whoever drops lines holds it too; then the next one who asks counts again.
      const [lock] = await tx<{ free: boolean }[]>`select pg_try_advisory_xact_lock(${countsLock}) as free`;
      if (!lock?.free) return;
      const [oldest] = await tx<{ first: number | null }[]>`
        select min(number) as first
        from log_lines
        where deployment_id = ${deployment_id}`;
      if (oldest?.first !== first) return;
      // A line that is written meanwhile leaves the difference of number and counts as it is; whoever mends the counts, or drops lines, does not.
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

/** Held by whoever changes counts and drops lines. Any number will do, as long as every replica takes the same. */
export const countsLock = 4_000_403;
