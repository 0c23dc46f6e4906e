import type { Sql, Tx } from '../../db/connect.ts';
import { type BatchBounds, nextBatchSize } from './batch-bounds.ts';

/** A statement that reads the text of lines, up to 16 KiB each, begins with few; one that reads their levels with many. */
const searching: BatchBounds = { least: 200, most: 5_000, wishedMs: 250 };
const filtering: BatchBounds = { least: 5_000, most: 50_000, wishedMs: 250 };

/**
 * The looks of one request at stretches of a log, as long as these as `size` tells. They end when the time is over, also in the middle of a stretch,
 * but the first, which is the smallest, is always looked at to its end: who goes on from where a request came to comes to the end of the log.
 */
export function createBoundedScan(sql: Sql, budgetMs: number, search: string | undefined) {
  const pace = search ? searching : filtering;
  const until = performance.now() + budgetMs;
  let looked = 0;
  let size = pace.least;
  return {
    /** How many lines the next look may take. */
    size: () => size,
    /** What the statement finds; undefined once the time is over: then nothing of this stretch counts as looked at. */
    async at<T>(statement: (tx: Tx) => PromiseLike<T>): Promise<T | undefined> {
      const begun = performance.now();
      if (looked > 0 && begun >= until) return undefined;
      const found = looked === 0 ? await statement(sql) : await withStatementTimeout(until - begun, statement);
      looked += 1;
      size = nextBatchSize(size, performance.now() - begun, pace);
      return found;
    },
  };

  async function withStatementTimeout<T>(leftMs: number, statement: (tx: Tx) => PromiseLike<T>): Promise<T | undefined> {
    try {
      return (await sql.begin(async (tx) => {
        await tx.unsafe(`set local statement_timeout = ${Math.ceil(leftMs)}`);
        return await statement(tx);
      })) as T;
    } catch (error) {
      if ((error as { code?: string }).code === cancelled) return undefined;
      throw error;
    }
  }
}

const cancelled = '57014';
