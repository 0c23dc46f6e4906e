import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { connect } from '../apps/server/src/db/connect.ts';
import { createLog } from '../apps/server/src/log.ts';
import { nodeName } from '../apps/server/src/nodes/node-name.ts';
import { deploy, type Platform, reaches, startPlatform, until, visit } from '../apps/server/test/platform.ts';
import { thisHost } from '../packages/runtime/src/process/host/host.ts';
import { programOf } from '../scripts/test/product.ts';
import { sized } from '../scripts/test/size.ts';

const main = programOf('server');
const secret = Buffer.alloc(32, 7).toString('base64');
type Env = Record<string, string>;

/** The running server of both tests. It ends with the file. */
let running: Promise<Platform> | undefined;
const runningServer = () => (running ??= startPlatform(undefined, { PADDOCK_SECRET_KEY: secret, PADDOCK_NODE_TIMEOUT_S: '3' }));

interface Refusal {
  what: string;
  env: Env;
  says: RegExp;
  code?: number;
}

test('a server that cannot work beside the running one says why and ends', async (t) => {
  const paddock = await runningServer();
  const other = await folder(t);
  const copy = await folder(t);
  await cp(join(paddock.dataDir, 'installation'), join(copy, 'installation'));
  const beside: Env = { ...paddock.env(), PADDOCK_PORT: '0', PADDOCK_GATEWAY_PORT: '0', PADDOCK_ROLE: 'worker' };
  const kinds: Refusal[] = [
    { what: 'its data directory', env: beside, says: /Process \d+ already runs Paddock on .*set PADDOCK_DATA_DIR/ },
    {
      what: 'a copy of its data directory',
      env: { ...beside, PADDOCK_DATA_DIR: copy, PADDOCK_BLOB_URL: `file://${paddock.dataDir}/blobs` },
      says: /Another server, on .*, runs with a copy of/,
    },
    {
      what: 'another key',
      env: { ...beside, PADDOCK_DATA_DIR: other, PADDOCK_SECRET_KEY: Buffer.alloc(32, 8).toString('base64') },
      says: /sealed with another key.*PADDOCK_SECRET_KEY/,
    },
    {
      what: 'archives of its own',
      env: { ...beside, PADDOCK_DATA_DIR: other },
      says: /another folder than this one .*PADDOCK_BLOB_URL=file/,
    },
  ];
  // Other reasons for the same refusal. config.test.ts has the addresses of archives as well, without a process.
  const others: Refusal[] = [
    { what: 'a key file of its own', env: { ...beside, PADDOCK_DATA_DIR: other, PADDOCK_SECRET_KEY: '' }, says: /sealed with another key/ },
    {
      what: 'archives elsewhere',
      env: { ...beside, PADDOCK_BLOB_URL: 's3://bucket/x' },
      says: /PADDOCK_BLOB_URL: must be a folder/,
      code: 2,
    },
    {
      what: 'a folder of another machine',
      env: { ...beside, PADDOCK_BLOB_URL: 'file://host/x' },
      says: /PADDOCK_BLOB_URL: must be/,
      code: 2,
    },
  ];
  for (const { what, env, says, code = 1 } of sized({ short: kinds, long: [...kinds, ...others] }))
    await t.test(what, async () => {
      const seen = await runToEnd(env);
      assert.match(seen.output, says);
      assert.doesNotMatch(seen.output, /\n\s+at /, 'a sentence, no stack');
      assert.equal(seen.code, code);
    });

  await t.test('and the networks that it made ahead of need are gone', { skip: process.getuid?.() !== 0 }, () => {
    const { tag } = thisHost({ dataDir: join(copy, 'runtime'), installation: nodeName(copy), log: createLog('silent') });
    assert.deepEqual(
      readdirSync('/run/netns').filter((name) => name.startsWith(`paddock-${tag}-`)),
      [],
    );
  });

  await t.test('a database of a newer release', async () => {
    const sql = connect(paddock.databaseUrl, { max: 1 });
    await sql`insert into migrations (name) values ('9999-of-tomorrow.sql')`;
    const seen = await runToEnd({ ...beside, PADDOCK_DATA_DIR: other });
    await sql`delete from migrations where name = '9999-of-tomorrow.sql'`;
    await sql.end();
    assert.match(seen.output, /made by a newer release of Paddock \(it has 9999-of-tomorrow\.sql\)/);
    assert.equal(seen.code, 1);
  });

  await t.test('but one that only answers the API may share the directory, and a successor follows a kill at once', async () => {
    const api = start({ ...beside, PADDOCK_ROLE: 'api' });
    await api.says(/is ready/);
    api.child.kill('SIGTERM');
    await once(api.child, 'exit');
    await paddock.kill();
    await paddock.boot();
    assert.match((await (await fetch(`${paddock.origin}/healthz`)).text()) ?? '', /true/);
  });
});

test('a gateway alone serves the agents, counts its visits, and says what it needs', async (t) => {
  const paddock = await runningServer();
  const { api } = await paddock.person();
  const { id } = await api.projects.create({ name: 'alone' });
  const made = await deploy(api, id, { 'server.js': `require('http').createServer((q, r) => r.end('up')).listen(process.env.PORT)` });
  await reaches(api, made.id, ['active']);
  const sql = connect(paddock.databaseUrl, { max: 1 });
  t.after(() => sql.end());
  const gateway = start({ ...paddock.env(), PADDOCK_GATEWAY_PORT: '0', PADDOCK_LOG_LEVEL: 'info' }, ['--role', 'gateway']);
  t.after(() => gateway.child.kill('SIGKILL'));
  const { port } = JSON.parse((await gateway.says(/\{.*"gateway ready".*\}/))[0]) as { port: number };
  const counted = async () =>
    (await sql<{ n: number }[]>`select coalesce(sum(requests), 0)::int as n from traffic_minutes where deployment_id = ${made.id}`)[0]!.n;
  const before = await counted();
  for (let n = 0; n < 20; n++) assert.equal((await visit(port, 'alone.localhost', '/', {})).body, 'up');

  // The same address on another machine may belong to another agent.
  await sql`update routes set target_machine = 'another' where deployment_id = ${made.id}`;
  await until('it sends nobody to an address of another machine', async () => {
    const { status, body } = await visit(port, 'alone.localhost', '/', {});
    return status === 503 && body.includes('agent_elsewhere');
  });
  gateway.child.kill('SIGTERM');
  assert.deepEqual(await once(gateway.child, 'exit'), [0, null]);
  assert.ok((await counted()) - before >= 20);

  const without = await runToEnd({ ...paddock.env(), PADDOCK_DATABASE_URL: '' }, ['--role', 'gateway']);
  assert.match(without.output, /^PADDOCK_DATABASE_URL must be the address of a PostgreSQL database\.\n$/);
  assert.equal(without.code, 2);
});

function start(env: Env, args: string[] = []) {
  const child: ChildProcess = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', main, ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return {
    child,
    output: () => output,
    async says(pattern: RegExp) {
      await until(`it says ${pattern}: ${output}`, async () => pattern.test(output) || child.exitCode !== null);
      return pattern.exec(output) ?? assert.fail(output);
    },
  };
}

async function runToEnd(env: Env, args: string[] = []) {
  const { child, output } = start(env, args);
  const giveUp = setTimeout(() => child.kill('SIGKILL'), 60_000);
  await once(child, 'close');
  clearTimeout(giveUp);
  return { code: child.exitCode, output: output() };
}

async function folder(t: TestContext) {
  const path = await mkdtemp(join(tmpdir(), 'paddock-beside-'));
  t.after(() => rm(path, { recursive: true, force: true }));
  return path;
}
