import type { Sql } from '../../../../db/connect.ts';

/** The clock of PostgreSQL. */
export const clockStore = (sql: Sql) => ({
  async nowMs(): Promise<number> {
    const [row] = await sql<[{ ms: number }]>`select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`;
    return row.ms;
  },
});
