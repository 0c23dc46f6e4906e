import type { Sql, Tx } from '../db/connect.ts';

/** A statement may scan a day of an installation's rows. */
const longest = '15min';

/** Runs the work in a transaction whose statement timeout allows a scan of a whole partition. */
export const withLongTimeout = <T>(sql: Sql, work: (tx: Tx) => PromiseLike<T>): Promise<T> =>
  sql.begin(async (tx) => {
    await tx`select set_config('statement_timeout', ${longest}, true)`;
    return await work(tx);
  }) as Promise<T>;
