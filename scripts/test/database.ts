import { join } from 'node:path';
import postgres from 'postgres';
import { connect } from '../../apps/server/src/db/connect.ts';
import { migrate } from '../../apps/server/src/db/migrate.ts';
import { startPostgres } from '../../apps/server/src/db/postgres/start-postgres.ts';

const template = 'paddock_template';
/** Several test files run at a time, with up to six servers of 20 connections each. */
const max_connections = 400;

/**
 * The PostgreSQL that all tests share, each with a database of its own in it, and a migrated one to copy. Nobody minds if it does not survive a
 * power cut. Returns what tells the tests of it.
 */
export async function startTestDatabase(folder: string, signal: AbortSignal) {
  const quiet = () => undefined;
  const loud = (fields: object, message: string) => console.error(message, fields);
  const server = await startPostgres({
    dataDir: join(folder, 'database'),
    log: { info: quiet, warn: loud, error: loud },
    signal,
    max_connections,
  });
  const sql = postgres(server.url, { max: 1 });
  for (const setting of ['fsync', 'synchronous_commit', 'full_page_writes']) await sql`ALTER SYSTEM SET ${sql(setting)} = off`;
  await sql`SELECT pg_reload_conf()`;
  await sql`CREATE DATABASE ${sql(template)}`;
  const url = new URL(server.url);
  url.pathname = `/${template}`;
  const inside = connect(url.href, { max: 1 });
  await migrate(inside);
  await inside.end({ timeout: 5 });
  // Nobody may hold up a copy by being in it.
  await sql`ALTER DATABASE ${sql(template)} ALLOW_CONNECTIONS false`;
  await sql.end({ timeout: 5 });
  return { stop: server.stop, env: { PADDOCK_TEST_DATABASE_URL: server.url, PADDOCK_TEST_TEMPLATE: template } };
}
