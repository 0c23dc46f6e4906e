import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { zip } from '../../../../test/archives.ts';
import { countingAgent } from '../../../../test/database-agent.ts';
import { reaches, startPlatform, until } from '../../../../test/platform.ts';
import { emptyDatabase } from '../../../../test/postgres.ts';
import { apiOf } from '../../../../test/server.ts';
import { connect, type Sql } from '../../../db/connect.ts';
import { newId } from '../../../ids.ts';
import { loadSeal, type Seal } from '../../../secrets/seal.ts';

const migrations = join(import.meta.dirname, '../../../db/migrations');
/** The first migration of the release that stores databases by themselves. */
const firstNew = '0013';

/** The schema of the previous release. */
async function olderSchema(sql: Sql) {
  await sql`create table migrations (name text primary key, applied_at timestamptz not null default now())`;
  for (const name of readdirSync(migrations).sort()) {
    if (name >= firstNew) return;
    await sql.unsafe(readFileSync(join(migrations, name), 'utf8')).simple();
    await sql`insert into migrations (name) values (${name})`;
  }
}

/** A signed-in user with a project whose archive is stored, as the previous release wrote them. */
async function olderPerson(sql: Sql, blobs: string) {
  const [team_id, user_id, project_id, blob, token] = [
    newId('team'),
    newId('usr'),
    newId('prj'),
    newId('blb'),
    `pds_${randomBytes(32).toString('base64url')}`,
  ];
  await sql`insert into teams (id, name) values (${team_id}, 'Ada')`;
  await sql`insert into users (id, email, name) values (${user_id}, 'ada@example.com', 'Ada')`;
  await sql`insert into team_members (team_id, user_id) values (${team_id}, ${user_id})`;
  await sql`
    insert into sessions (id, token_hash, user_id, team_id, expires_at)
    values (${newId('ses')}, ${createHash('sha256').update(token).digest()}, ${user_id}, ${team_id}, now() + interval '1 day')`;
  await sql`
    insert into projects (id, team_id, name, description, subdomain)
    values (${project_id}, ${team_id}, 'older', '', 'older')`;
  const file = zip(countingAgent());
  const bytes = Buffer.from(await new Response(file).arrayBuffer());
  mkdirSync(blobs, { recursive: true, mode: 0o700 });
  writeFileSync(join(blobs, blob), bytes);
  return { team_id, user_id, project_id, blob, token, bytes: bytes.length };
}

type Person = Awaited<ReturnType<typeof olderPerson>>;
interface Older {
  environment: 'production' | 'preview';
  urls: Record<string, string>;
  status?: string;
  seal: Seal;
}

/** A deployment as the previous release wrote it: its addresses are sealed in its own row. */
async function olderDeployment(sql: Sql, of: Person, { environment, urls, status = 'stopped', seal }: Older): Promise<string> {
  const id = newId('dep');
  const { sealed, key_id } = seal.seal(JSON.stringify(urls), `databases:${id}`);
  const deployed_at = status === 'failed' ? null : new Date().toISOString();
  await sql`
    insert into deployments (
      id, team_id, project_id, environment, status, database_mode, databases_sealed, databases_key_id, source_blob, source_name,
      source_bytes, created_by, deployed_at
    )
    values (
      ${id}, ${of.team_id}, ${of.project_id}, ${environment}, ${status}, 'byo', ${sealed}, ${key_id}, ${of.blob}, 'agent.zip',
      ${of.bytes}, ${of.user_id}, ${deployed_at}
    )`;
  return id;
}

const redis_url = 'redis://:CANARY-redis@redis.invalid:6379';
const postgres_url = 'postgres://ada:CANARY-postgres@db.invalid/shop';

test("after an upgrade an older deployment's own databases are shown, given to its agent, and not lost when another is stored", async (t) => {
  const database = await emptyDatabase();
  const sql = connect(database.url, { max: 2 });
  const dataDir = mkdtempSync(join(tmpdir(), 'paddock-older-'));
  const seal = loadSeal(dataDir, undefined);
  await olderSchema(sql);
  const ada = await olderPerson(sql, join(dataDir, 'blobs'));
  const inProduction = await olderDeployment(sql, ada, { environment: 'production', urls: { redis_url }, seal });
  await olderDeployment(sql, ada, {
    environment: 'production',
    urls: { postgres_url: 'postgres://typo.invalid/x' },
    status: 'failed',
    seal,
  });
  const inPreview = await olderDeployment(sql, ada, { environment: 'preview', urls: { redis_url, postgres_url }, seal });

  const paddock = await startPlatform(t, {}, { databaseUrl: database.url, dataDir });
  // Ends after the platform: hooks run in the order of their registration.
  t.after(async () => {
    await sql.end();
    await database.drop();
    rmSync(dataDir, { recursive: true, force: true });
  });
  const api = apiOf(paddock.origin, ada.token);
  const shown = async () => (await api.databases.list({ project_id: ada.project_id })).databases;
  await until('they are databases', async () => (await shown()).length === 3);
  assert.deepEqual((await shown()).map((one) => [one.environment, one.type, one.mode, one.status, one.host, one.port].join()).sort(), [
    'preview,postgresql,byo,unreachable,db.invalid,5432',
    'preview,redis,byo,unreachable,redis.invalid,6379',
    'production,redis,byo,unreachable,redis.invalid,6379',
  ]);

  // A database of the other type is stored beside it.
  await api.databases.create({ project_id: ada.project_id, environment: 'production', type: 'postgresql', url: postgres_url });
  const urls = async (id: string, host: string) => {
    const again = await api.deployments.redeploy({ id });
    await reaches(api, again.id, ['active']);
    return JSON.parse((await paddock.visit(host, '/urls')).body) as Record<string, string>;
  };
  assert.deepEqual(await urls(inProduction, 'older.localhost'), { DATABASE_URL: postgres_url, REDIS_URL: redis_url });
  assert.deepEqual(await urls(inPreview, 'older--preview.localhost'), { DATABASE_URL: postgres_url, REDIS_URL: redis_url });

  // A deleted address stays deleted, even after a restart of the server, which searches for older addresses again.
  const [gone] = (await shown()).filter((one) => one.environment === 'preview' && one.type === 'redis');
  await api.databases.delete({ id: gone!.id });
  await sql`delete from periodic_jobs where name = 'database.carry-over'`;
  await paddock.stop();
  await paddock.boot();
  await until(
    'it has looked',
    async () => (await sql`select from periodic_jobs where name = 'database.carry-over' and last_run_at is not null`).length > 0,
  );
  assert.equal((await shown()).length, 3);
  assert.deepEqual(await urls(inPreview, 'older--preview.localhost'), { DATABASE_URL: postgres_url });
});
