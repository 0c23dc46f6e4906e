import { mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from 'postgres';
import { connect } from '../../apps/server/src/db/connect.ts';
import { migrate } from '../../apps/server/src/db/migrate.ts';
import { startPostgres } from '../../apps/server/src/db/postgres/start-postgres.ts';

const TEMPLATE = 'paddock_template';
/** Ten test files run at a time, with up to six servers of 20 connections each. */
const MAX_CONNECTIONS = 1200;

/** Free memory required for the database. The tests use a tenth of it: 10 MB for each database in use, and the write-ahead log. */
const MIN_FREE_BYTES = 4 * 1024 ** 3;

/**
 * The PostgreSQL that all tests share. Each test has a database of its own, copied from a migrated template. It need not survive a power
 * failure. The tests find it by `env`.
 */
export async function startTestDatabase(signal: AbortSignal) {
  const folder = ownFolder();
  const quiet = () => undefined;
  const loud = (fields: object, message: string) => console.error(message, fields);
  const server = await startPostgres({
    dataDir: folder,
    log: { info: quiet, warn: loud, error: loud },
    signal,
    maxConnections: MAX_CONNECTIONS,
  });
  const sql = postgres(server.url, { max: 1 });
  // Autovacuum visits each database once a minute. There are hundreds of databases, and none lives long enough to need it.
  for (const setting of ['fsync', 'synchronous_commit', 'full_page_writes', 'autovacuum'])
    await sql`ALTER SYSTEM SET ${sql(setting)} = off`;
  await sql`SELECT pg_reload_conf()`;
  // Both ends of a connection hash the password this often, and there are thousands of connections; the default is 4096.
  await sql`SET scram_iterations = 1`;
  await sql.unsafe(`ALTER ROLE CURRENT_USER PASSWORD '${new URL(server.url).password}'`);
  await sql`CREATE DATABASE ${sql(TEMPLATE)}`;
  const url = new URL(server.url);
  url.pathname = `/${TEMPLATE}`;
  const inside = connect(url.href, { max: 1 });
  await migrate(inside);
  await inside.end({ timeout: 5 });
  // A session in the template would block the copies.
  await sql`ALTER DATABASE ${sql(TEMPLATE)} ALLOW_CONNECTIONS false`;
  await sql.end({ timeout: 5 });
  const stop = async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  return { stop, env: { PADDOCK_TEST_DATABASE_URL: server.url, PADDOCK_TEST_TEMPLATE: TEMPLATE } };
}

/** A folder in memory, if there is room. Leftovers of a killed run are removed first, since nothing else would remove them. */
function ownFolder(): string {
  const place = inMemory() ?? tmpdir();
  for (const name of readdirSync(place)) {
    const pid = /^paddock-test-database-(\d+)-/.exec(name)?.[1];
    if (pid && !isAlive(Number(pid))) rmSync(join(place, name), { recursive: true, force: true });
  }
  return mkdtempSync(join(place, `paddock-test-database-${process.pid}-`));
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** The folder in memory, if usable. Copying a database takes 0.04 s in memory and 0.4 s on disk, and hundreds of tests begin with a copy. */
function inMemory(): string | undefined {
  if (process.platform !== 'linux') return undefined;
  try {
    const { bavail, bsize } = statfsSync('/dev/shm');
    return bavail * bsize >= MIN_FREE_BYTES ? '/dev/shm' : undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
