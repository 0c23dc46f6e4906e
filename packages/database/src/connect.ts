import postgres from 'postgres';
import { reconnectingClient } from './reconnecting.ts';
import { parseEncryption } from './secure.ts';
import { databaseSocket } from './socket.ts';
import type { Sql } from './sql.ts';

export { singleRow } from './single-row.ts';
export type { Sql, Tx } from './sql.ts';

// Without the patch the rows of one query can reach the caller of another one (porsager/postgres, issue 1181).
if (!('resetsRows' in postgres))
  throw new Error('The PostgreSQL driver lacks the patch in patches/. Install the dependencies with `npm start`.');

export interface ConnectOptions {
  /** Size of the connection pool. */
  max?: number;
  /** The `application_name`, which PostgreSQL shows in `pg_stat_activity` and in its log. */
  name?: string;
  /** For statements that may take any time: sets no timeouts, ignores `statementMs`, and allows a silent connection. */
  patient?: boolean;
  /** The `statement_timeout` in milliseconds, unless `patient`. */
  statementMs?: number;
}

/** Object ids (OIDs) of built-in types in the catalog of PostgreSQL (`pg_type`). */
const typeIds = { int8: 20, date: 1082, timestamp: 1114, timestamptz: 1184 } as const;

const timeouts = { lock_timeout: 5_000, idle_in_transaction_session_timeout: 60_000 };

/** Rows have the wire format: snake_case, ISO timestamps with milliseconds, bigints as numbers. A lost connection is replaced. */
export const connect = (url: string, { max = 10, name = 'paddock', patient = false, statementMs = 30_000 }: ConnectOptions = {}): Sql =>
  reconnectingClient((onBroken) =>
    postgres(url, {
      ssl: false, // the socket encrypts the connection
      max,
      connect_timeout: 10,
      idle_timeout: 300,
      backoff: (tries) => Math.min(1, 0.05 * 2 ** Math.min(tries, 10)),
      onnotice: () => undefined,
      transform: { undefined: null },
      connection: { application_name: name, ...(patient ? {} : { ...timeouts, statement_timeout: statementMs }) },
      // The driver's types lack this option.
      ...({
        socket: (address: Parameters<typeof databaseSocket>[0]) =>
          databaseSocket(address, { onBroken, mayBeSilent: patient, encryption: parseEncryption(url) }),
      } as object),
      types: {
        bigint: { to: typeIds.int8, from: [typeIds.int8], serialize: String, parse: Number },
        timestamp: {
          to: typeIds.timestamptz,
          from: [typeIds.date, typeIds.timestamp, typeIds.timestamptz],
          serialize: String,
          parse: (text: string) => new Date(text).toISOString(),
        },
      },
    }),
  );

/**
 * The database could not be reached, lost the connection, is starting, or has no free connection: the call may return 503 and be retried.
 */
export function isConnectionError(error: unknown): boolean {
  return /^(CONNECTION_|CONNECT_TIMEOUT|ECONN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOENT|EPIPE|57P0[1235]|53300|08)/.test(codeOf(error));
}

/** The database is available, but could not run the statement now: no lock, no time, no memory, or it was aborted in favour of others. */
export const isOverload = (error: unknown): boolean => /^(57014|55P03|40001|40P01|25P0[34]|53[0234]00)/.test(codeOf(error));

/** No space left, for the database or for files. */
export const isDiskFull = (error: unknown): boolean => /^(53100|ENOSPC|EDQUOT)$/.test(codeOf(error));

const codeOf = (error: unknown) => String((error as { code?: unknown } | null)?.code ?? '');
