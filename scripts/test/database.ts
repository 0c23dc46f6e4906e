import { join } from 'node:path';
import postgres from 'postgres';
import { startPostgres } from '../../apps/server/src/db/postgres/start-postgres.ts';

/** The PostgreSQL that all tests share, each with a database of its own in it. Nobody minds if it does not survive a power cut. */
export async function startTestDatabase(folder: string, signal: AbortSignal) {
  const quiet = () => undefined;
  const loud = (fields: object, message: string) => console.error(message, fields);
  const server = await startPostgres({ dataDir: join(folder, 'database'), log: { info: quiet, warn: loud, error: loud }, signal });
  const sql = postgres(server.url, { max: 1 });
  for (const setting of ['fsync', 'synchronous_commit', 'full_page_writes']) await sql`ALTER SYSTEM SET ${sql(setting)} = off`;
  await sql`SELECT pg_reload_conf()`;
  await sql.end({ timeout: 5 });
  return server;
}
