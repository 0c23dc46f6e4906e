import type { Sql, Tx } from '../db/connect.ts';

/** Timeout of a statement that scans one day of rows of the whole installation. */
const scanTimeout = '15min';

/** Runs `work` in a transaction whose statements may take long enough to scan a whole partition. */
export const withLongTimeout = <T>(sql: Sql, work: (tx: Tx) => PromiseLike<T>): Promise<T> =>
  sql.begin(async (tx) => {
    await tx`select set_config('statement_timeout', ${scanTimeout}, true)`;
    return await work(tx);
  }) as Promise<T>;
