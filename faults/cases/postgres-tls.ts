import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmod, chown, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { connect } from '../../apps/server/src/db/connect.ts';
import { deploy, reaches, type Scope, until } from '../../apps/server/test/platform.ts';
import { counterAgent } from '../agents.ts';
import type { Fault } from '../fault.ts';
import { checkInvariants } from '../invariants/check.ts';
import { ownPostgres } from '../own-postgres.ts';
import { onlyThese } from '../store-checks.ts';
import { call, callAll, query } from '../store-world.ts';
import { tcpProxy } from '../tcp-proxy.ts';
import { startWorld } from '../world.ts';

/** A PostgreSQL with a self-signed certificate, which only clients accept that are configured to trust it. */
async function encryptedPostgres(scope: Scope) {
  const folder = await mkdtemp(join(tmpdir(), 'paddock-tls-'));
  scope.after(() => rm(folder, { recursive: true, force: true }));
  const database = await ownPostgres(folder);
  scope.after(() => database.end());
  const [key, certificate] = [join(database.folder, 'server.key'), join(database.folder, 'server.crt')];
  const made = ['-keyout', key, '-out', certificate, '-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
  await promisify(execFile)('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...made], {
    signal: AbortSignal.timeout(20_000),
  });
  const { uid, gid } = await stat(database.folder);
  for (const file of [key, certificate]) await chown(file, uid, gid);
  await chmod(key, 0o600);
  return { database, certificate };
}

async function reasonOf(url: string): Promise<string> {
  const sql = connect(url, { max: 1, name: 'faults' });
  try {
    const [row] = await sql<[{ ssl: boolean }]>`select ssl from pg_stat_ssl where pid = pg_backend_pid()`;
    return row.ssl ? 'encrypted' : 'in clear';
  } catch (error) {
    return (error as Error).message;
  } finally {
    await sql.end({ timeout: 1 });
  }
}

async function encrypted(scope: Scope) {
  const { database, certificate } = await encryptedPostgres(scope);
  assert.match(await reasonOf(`${database.url}?sslmode=require`), /does not encrypt/);
  assert.equal(await reasonOf(`${database.url}?sslmode=prefer`), 'in clear');
  await query(database.url, async (sql) => {
    await sql`alter system set ssl = on`;
    await sql`select pg_reload_conf()`;
  });
  await until('it encrypts', async () => (await reasonOf(`${database.url}?sslmode=require`)) === 'encrypted');
  assert.equal(await reasonOf(`${database.url}?sslmode=prefer`), 'encrypted');
  assert.match(await reasonOf(`${database.url}?sslmode=verify-full`), /self-signed/);

  const proxy = await tcpProxy({ host: '127.0.0.1', port: database.port }, { isPostgres: false });
  scope.after(() => proxy.close());
  const around = { databaseUrl: `${proxy.through(database.url)}?sslmode=verify-full`, direct: async () => database.url };
  const world = await startWorld(scope, { NODE_EXTRA_CA_CERTS: certificate }, around);
  const { api, paddock, sql, token } = world;
  const inClear = await sql`
    select application_name from pg_stat_activity join pg_stat_ssl using (pid) where not ssl and application_name like 'paddock%'`;
  assert.deepEqual([...inClear], []);
  const calls = [1, 2].map(() => callAll(() => call(paddock, token, { path: '/projects' }), 100));
  for (let n = 0; n < 5; n++) {
    proxy.cutAll();
    await sleep(200);
  }
  await until('it heals after cuts', async () => (await call(paddock, token, { path: '/projects' })).status === 200);
  proxy.freeze();
  await sleep(45_000); // longer than a connection may be silent
  proxy.thaw();
  const thawed = performance.now();
  await until('it heals after silence', async () => (await call(paddock, token, { path: '/projects' })).status === 200);
  const healedMs = Math.round(performance.now() - thawed);
  const answers = (await Promise.all(calls.map((one) => one.stop()))).flat();
  onlyThese(answers, [200, 503], 45_000);
  const { id: project_id } = await api.projects.create({ name: 'moving' });
  const { id } = await deploy(api, project_id, counterAgent('up'));
  await reaches(api, id, ['active']);
  await until('the gateway hears of it', async () => (await paddock.visit('moving.localhost')).body === 'up');
  return `every connection encrypted and verified; ${answers.filter(({ status }) => status === 503).length} × 503 of ${answers.length}, healed ${healedMs} ms after the silence; ${await checkInvariants(world)}`;
}

export const faults: Fault[] = [
  {
    id: 'postgres-encrypted',
    fault: 'F13: connections to a PostgreSQL that encrypts are cut, and then silent for 45 s',
    expected: 'as in clear: only 200 and 503, and it heals; a certificate that nobody vouches for is refused',
    run: (_seed, scope) => encrypted(scope),
  },
];
