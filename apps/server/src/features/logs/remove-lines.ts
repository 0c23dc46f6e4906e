import type { Sql } from '../../db/connect.ts';
import { nextBatchSize } from './batch-bounds.ts';

/** Lines per delete statement. A small batch needs little space in the write-ahead log, which a full disk may still have. */
const pieces = { least: 1_000, most: 20_000, wishedMs: 250 };
/** Logs per query. One long log may use up the call's time; logs that were not started are queried again by the next call. */
const logsAtOnce = 100;

/**
 * Deletes the lines of deployments in batches for about `budgetMs`. False if some may be left for the next call. Each call deletes at least
 * one batch. Batches go by number, which is how the lines are indexed in each day.
 */
export async function removeLines(sql: Sql, deployment_ids: string[], budgetMs: number): Promise<boolean> {
  const until = performance.now() + budgetMs;
  let removed = 0;
  for (;;) {
    const logs = await remaining(sql, deployment_ids);
    if (logs.length === 0) return true;
    for (const { deployment_id, first, last } of logs) {
      let size = pieces.least;
      for (let from = first; from <= last; removed++) {
        if (removed > 0 && performance.now() >= until) return false;
        const begun = performance.now();
        await removePiece(sql, { deployment_id, from, to: from + size - 1 });
        from += size;
        size = nextBatchSize(size, performance.now() - begun, pieces);
      }
    }
  }
}

interface Remaining {
  deployment_id: string;
  first: number;
  last: number;
}

const remaining = (sql: Sql, deployment_ids: string[]) => sql<Remaining[]>`
  select asked.deployment_id, stored.first, stored.last
  from unnest(${deployment_ids}::text[]) as asked (deployment_id)
  cross join lateral (
    select
      (
        select min(l.number)
        from log_lines l
        where l.deployment_id = asked.deployment_id
      ) as first,
      (
        select max(l.number)
        from log_lines l
        where l.deployment_id = asked.deployment_id
      ) as last
    offset 0
  ) stored
  where stored.first is not null
  limit ${logsAtOnce}`;

const removePiece = (sql: Sql, { deployment_id, from, to }: { deployment_id: string; from: number; to: number }) => sql`
  delete from log_lines
  where deployment_id = ${deployment_id}
    and number between ${from} and ${to}`;
