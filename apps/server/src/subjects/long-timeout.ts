import type { Sql, Tx } from '../db/connect.ts';

/** A day of an installation's rows is looked through in one statement. */
const longest = '15min';

/** Runs the work in a transaction whose statements may take as long as looking through a whole partition takes. */
export const withLongTimeout = <T>(sql: Sql, work: (tx: Tx) => PromiseLike<T>): Promise<T> =>
  sql.begin(async (tx) => {
    await tx`select set_config('statement_timeout', ${longest}, true)`;
    return await work(tx);
  }) as Promise<T>;
