import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { connect } from '../src/db/connect.ts';
import { migrate } from '../src/db/migrate.ts';
import { startPostgres } from '../src/db/postgres/start-postgres.ts';

const quiet = { info: () => undefined, warn: () => undefined, error: console.error };
let template: Promise<{ admin: string; name: string }> | undefined;
const cleanups: (() => Promise<unknown>)[] = [];
/** Runs at the end of the test file, the latest first: what was started last is ended first. */
export const atEnd = (clean: () => Promise<unknown>) => cleanups.push(clean);
/** For programs that are no test file: they have to call it themselves. */
export async function endAll() {
  for (const clean of cleanups.splice(0).reverse()) await clean();
}
// At the top level: inside a test it would run when that test ends.
if (process.argv[1]?.endsWith('.test.ts')) after(endAll);

/** An own database with nothing in it, as at a first start. */
export async function emptyDatabase(): Promise<{ url: string; drop: () => Promise<void> }> {
  template ??= makeTemplate();
  return make((await template).admin, 'template0');
}

/** An own, migrated database, copied from a template: the test command's, else one that each process makes once. */
export async function testDatabase(): Promise<{ url: string; drop: () => Promise<void> }> {
  template ??= makeTemplate();
  const { admin, name } = await template;
  return make(admin, name);
}

async function make(admin: string, name: string) {
  const copy = `t_${randomBytes(6).toString('hex')}`;
  const sql = connect(admin, { max: 1 });
  await sql.unsafe(`create database ${copy} template ${name}`);
  await sql.end();
  const drop = async () => {
    const sql = connect(admin, { max: 1 });
    await sql.unsafe(`drop database ${copy} with (force)`);
    await sql.end();
  };
  return { url: withName(admin, copy), drop };
}

async function makeTemplate() {
  const { PADDOCK_TEST_DATABASE_URL: shared, PADDOCK_TEST_TEMPLATE: made } = process.env;
  if (shared && made) return { admin: shared, name: made };
  const admin = shared ?? (await ownServer());
  return { admin, name: await ownTemplate(admin) };
}

async function ownTemplate(admin: string) {
  const name = `template_${randomBytes(6).toString('hex')}`;
  const sql = connect(admin, { max: 1 });
  await sql.unsafe(`create database ${name}`);
  const made = connect(withName(admin, name), { max: 1 });
  await migrate(made);
  await made.end();
  cleanups.push(async () => {
    await sql.unsafe(`drop database ${name} with (force)`);
    await sql.end();
  });
  return name;
}

/** Without a server from the test command one is started for this process alone. */
async function ownServer() {
  const folder = await mkdtemp(join(tmpdir(), 'paddock-test-pg-'));
  const server = await startPostgres({ dataDir: folder, log: quiet, signal: AbortSignal.timeout(60_000) });
  cleanups.push(async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  });
  return server.url;
}

function withName(url: string, name: string) {
  const copy = new URL(url);
  copy.pathname = `/${name}`;
  return copy.href;
}
