import postgres from 'postgres';
import type { DatabaseSpec } from '../../driver.ts';

/** The platform's user in every server. */
export const ADMIN = 'paddock_admin';
const CONNECT_SECONDS = 5;
const STATEMENT_MS = 30_000;
/** Limit for a server that freezes in the middle of a response, when its own time limits do not work. */
const ALL_MS = 60_000;

export interface Target {
  port: number;
  /** Time limit of one statement. */
  statementMs?: number;
  /** Closes the connection when aborted. If absent, `work` may take a minute. */
  signal?: AbortSignal;
}

/**
 * Runs `work` on one connection of the platform's user and closes it. Errors keep the server's message and code (`code`), but no part of
 * the statement, which may contain a password hash.
 */
export async function asAdmin<T>(
  spec: Pick<DatabaseSpec, 'admin_password'>,
  target: Target,
  work: (sql: postgres.Sql) => Promise<T>,
): Promise<T> {
  const sql = postgres({
    host: '127.0.0.1',
    port: target.port,
    user: ADMIN,
    password: spec.admin_password,
    database: 'postgres', // never a database of the user, whose settings, functions and locks belong to the user
    ssl: false,
    max: 1,
    prepare: false,
    fetch_types: false,
    connect_timeout: CONNECT_SECONDS,
    idle_timeout: 0,
    max_lifetime: null,
    onnotice: () => undefined,
    connection: {
      application_name: 'paddock',
      statement_timeout: target.statementMs ?? STATEMENT_MS,
      lock_timeout: 10_000,
      // Lets the platform write even if the database is read-only.
      default_transaction_read_only: 'off' as unknown as boolean, // the driver omits a plain false
      search_path: 'pg_catalog',
    },
  });
  const ending = target.signal ?? AbortSignal.timeout(ALL_MS);
  const called = Promise.withResolvers<never>();
  const callOff = () => {
    called.reject(ending.reason);
    void sql.end({ timeout: 0 });
  };
  try {
    ending.throwIfAborted();
    ending.addEventListener('abort', callOff, { once: true });
    return await Promise.race([work(sql), called.promise]);
  } catch (error) {
    throw withoutStatement(error);
  } finally {
    ending.removeEventListener('abort', callOff);
    await sql.end({ timeout: 1 });
  }
}

function withoutStatement(error: unknown): unknown {
  if (!(error instanceof postgres.PostgresError)) return error;
  return Object.assign(new Error(`PostgreSQL: ${error.message}`), { code: error.code });
}
