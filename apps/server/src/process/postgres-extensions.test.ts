import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { addPgvector } from '@paddock/builder';
import { connectionString, processDatabaseDriver } from '@paddock/database-driver';
import postgres from 'postgres';
import { linkRunTools } from '../../../../scripts/test/run-tools.ts';
import { postgresExtensions } from './postgres-extensions.ts';

const say = (fields: object, message: string) => void process.stderr.write(`${message} ${JSON.stringify(fields)}\n`);
const log = { info: () => undefined, warn: say, error: say };
const limits = { memory_mb: 256, cpus: 1, connections: 10 };
const spec = { id: 'vectors', type: 'postgresql' as const, password: 'made-up', admin_password: 'made-up-admin', limits };

test('a managed PostgreSQL has pgvector, which its user creates', async (t) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'paddock-vector-'));
  linkRunTools(dataDir);
  const extensions = postgresExtensions(dataDir, log);
  await extensions.prepare();
  // A busy machine takes longer than a database waits for.
  if (!existsSync(join(extensions.folder, extensions.vector))) await addPgvector(dataDir, AbortSignal.timeout(120_000));
  const driver = processDatabaseDriver({ dataDir, installation: 'vector', log, path: process.env.PATH ?? '', extensions });
  t.after(async () => {
    await driver.remove(spec.id);
    await driver.close();
    rmSync(dataDir, { recursive: true, force: true });
  });
  const address = await driver.start(spec, AbortSignal.timeout(60_000));
  const sql = postgres(connectionString('postgresql', address, spec.password), { max: 1 });
  await sql`create extension vector`;
  await sql`create table notes (place vector(3))`;
  await sql`insert into notes values ('[1,2,3]'), ('[9,9,9]')`;
  await sql`create index on notes using hnsw (place vector_l2_ops)`;
  const [nearest] = await sql<{ place: string }[]>`select place::text from notes order by place <-> '[1,2,4]' limit 1`;
  assert.equal(nearest?.place, '[1,2,3]');
  await sql.end();
});
