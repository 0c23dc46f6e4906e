import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartRefused } from '../process/start-refused.ts';
import type { Sql } from './connect.ts';

const folder = join(import.meta.dirname, 'migrations');
// Key of the advisory lock: an arbitrary number, the same in every replica.
const lock = 4_000_401;

/** The oldest major release with which the stores were tested. */
const oldestMajor = 15;

/** Throws for a PostgreSQL that is too old. `number` is `server_version_num`, e.g. 150010 for 15.10. */
export function refuseOlder({ number, name }: { number: number; name: string }): void {
  if (number < oldestMajor * 10_000)
    throw new StartRefused(`The PostgreSQL at PADDOCK_DATABASE_URL is ${name}. Paddock needs ${oldestMajor} or later.`);
}

/** Migrates the database to this release. Replicas that start together wait for each other; a failed step is rolled back. */
export async function migrate(sql: Sql): Promise<string[]> {
  const steps = readdirSync(folder)
    .filter((name) => /^\d{4}-.*\.sql$/.test(name))
    .sort();
  const connection = await sql.reserve();
  try {
    const [version] = await connection<[{ number: number; name: string }]>`
      select current_setting('server_version_num')::int as number, current_setting('server_version') as name`;
    refuseOlder(version);
    await connection`set statement_timeout = 0`;
    await connection`select pg_advisory_lock(${lock})`;
    await connection`create table if not exists migrations (name text primary key, applied_at timestamptz not null default now())`;
    const applied = new Set((await connection<{ name: string }[]>`select name from migrations`).map((row) => row.name));
    const unknown = [...applied].filter((name) => !steps.includes(name));
    if (unknown.length)
      throw new StartRefused(
        `The database was made by a newer release of Paddock (it has ${unknown.join(', ')}). Start that release, or restore a backup.`,
      );
    const missing = steps.filter((name) => !applied.has(name));
    for (const name of missing) {
      // A simple query is one transaction: the step and its entry in `migrations` commit together.
      const text = readFileSync(join(folder, name), 'utf8');
      await connection
        .unsafe(`begin;\n${text}\n;insert into migrations (name) values ('${name}');\ncommit;`)
        .simple()
        .catch(async (error: unknown) => {
          await connection`rollback`.simple();
          throw new Error(`Migration ${name} failed; nothing of it was kept.`, { cause: error });
        });
      // failpoint: step-migrated
    }
    return missing;
  } finally {
    await connection`select pg_advisory_unlock(${lock})`.catch(() => 'the connection is gone and the lock with it');
    await connection`reset statement_timeout`.catch(() => 'as above');
    connection.release();
  }
}
