import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '../../apps/server/src/db/postgres/start-postgres.ts';
import { atEnd } from '../../apps/server/test/postgres.ts';

/** A PostgreSQL for this run alone, started as the product starts its own. The platform of the tests creates its database in it. */
export async function startOwnPostgres() {
  const folder = await mkdtemp(join(tmpdir(), 'paddock-soak-pg-'));
  const quiet = () => undefined;
  const server = await startPostgres({
    dataDir: folder,
    log: { info: quiet, warn: quiet, error: console.error },
    signal: AbortSignal.timeout(120_000),
  });
  atEnd(async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  });
  process.env.PADDOCK_TEST_DATABASE_URL = server.url;
  return { postmaster: async () => Number((await readFile(join(folder, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0]) };
}
