import type postgres from 'postgres';

export type Sql = postgres.Sql<{ bigint: number; timestamp: string }>;
/** A transaction or the pool; a store's queries accept both. */
export type Tx = postgres.TransactionSql<{ bigint: number; timestamp: string }> | Sql;
