import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atEnd, endAll } from '../../../scripts/test/at-end.ts';
import { connect } from '../src/db/connect.ts';
import { migrate } from '../src/db/migrate.ts';
import { startPostgres } from '../src/db/postgres/start-postgres.ts';

export { atEnd, endAll };

const quiet = { info: () => undefined, warn: () => undefined, error: console.error };
let template: Promise<Template> | undefined;
type Template = { admin: string; name: string; isShared?: boolean };
/** A new empty database, as at a first start. */
export async function emptyDatabase(): Promise<{ url: string; drop: () => Promise<void> }> {
  template ??= makeTemplate();
  return make({ ...(await template), name: 'template0' });
}

/** A new migrated database, copied from a template: the test command's, else one that each process creates once. */
export async function testDatabase(): Promise<{ url: string; drop: () => Promise<void> }> {
  template ??= makeTemplate();
  return make(await template);
}

async function make({ admin, name, isShared }: Template) {
  const copy = `t_${randomBytes(6).toString('hex')}`;
  const sql = connect(admin, { max: 1 });
  await sql.unsafe(`create database ${copy} template ${name} ${isShared ? 'strategy file_copy' : ''}`);
  await sql.end();
  const drop = async () => {
    const sql = connect(admin, { max: 1 });
    await sql.unsafe(`drop database ${copy} with (force)`);
    await sql.end();
  };
  return { url: withName(admin, copy), drop };
}

async function makeTemplate(): Promise<Template> {
  const { PADDOCK_TEST_DATABASE_URL: shared, PADDOCK_TEST_TEMPLATE: made } = process.env;
  if (shared && made) return { admin: shared, name: made, isShared: true };
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
  atEnd(async () => {
    template = undefined;
    await sql.unsafe(`drop database ${name} with (force)`);
    await sql.end();
  });
  return name;
}

/** Without a server from the test command one is started only for this process. */
async function ownServer() {
  const folder = await mkdtemp(join(tmpdir(), 'paddock-test-pg-'));
  const server = await startPostgres({ dataDir: folder, log: quiet, signal: AbortSignal.timeout(300_000) });
  atEnd(async () => {
    template = undefined;
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
