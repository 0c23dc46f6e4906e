import type { Sql, Tx } from '../../db/connect.ts';
import { type BatchBounds, nextBatchSize } from './batch-bounds.ts';

/** Searches read the text of lines, up to 16 KiB each, and start with small batches. Level filters start with large ones. */
const searching: BatchBounds = { least: 200, most: 5_000, wishedMs: 250 };
const filtering: BatchBounds = { least: 5_000, most: 50_000, wishedMs: 250 };

/**
 * Scans a log for one request in stretches of `size()` lines. The scan stops when its time budget is used up, even within a stretch. The
 * first stretch, the smallest, always completes, so that repeated requests get to the end of the log.
 */
export function createBoundedScan(sql: Sql, budgetMs: number, search: string | undefined) {
  const pace = search ? searching : filtering;
  const until = performance.now() + budgetMs;
  let looked = 0;
  let size = pace.least;
  return {
    /** How many lines the next stretch may have. */
    size: () => size,
    /** The statement's result; undefined when the time is up. None of this stretch then counts as scanned. */
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
