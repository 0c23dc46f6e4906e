import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zip } from '../../apps/server/test/archives.ts';
import { reaches, type Scope, until } from '../../apps/server/test/platform.ts';
import { defaultDataProtection } from '../../packages/contract/src/data-protection.ts';
import { counterAgent } from '../agents.ts';
import { deployManaged, listenersOn, query, serverOf, settled, urlOf } from '../databases/managed.ts';
import type { Fault } from '../fault.ts';
import { brokenInvariants } from '../invariants/check.ts';
import { linesAreLost, NOTICE } from '../lost-lines.ts';
import { smallDisk } from '../small-disk.ts';
import { call, embeddedUrl, uploadForm } from '../store-world.ts';
import { startWorld, type World } from '../world.ts';

const MiB = 1024 * 1024;

/** Data, logs and the outputs of server and gateway share one small disk; with `embedded` the platform's database does, too. */
async function onOneDisk(scope: Scope, megabytes: number, databaseUrl?: 'embedded') {
  const dataDir = await mkdtemp(join(tmpdir(), 'paddock-full-'));
  scope.after(() => rm(dataDir, { recursive: true, force: true }));
  const disk = await smallDisk(dataDir, megabytes);
  scope.after(() => disk.unmount());
  scope.after(() => disk.free()); // the platform ends before, and may need space for it
  const output_file = join(dataDir, 'server.out');
  const around = { dataDir, output_file, ...(databaseUrl ? { databaseUrl } : {}) };
  const world = await startWorld(scope, { PADDOCK_LOG_LEVEL: 'info' }, { ...around, ...(databaseUrl ? { direct: embeddedUrl } : {}) });
  await serveOn(world, world.steady.project_id);
  const freeBytes = async () => {
    const { bavail, bsize } = await statfs(dataDir);
    return bavail * bsize;
  };
  return {
    world,
    disk,
    freeBytes,
    output: () => readFileSync(output_file, 'utf8'),
    gatewayLog: () => readFileSync(join(dataDir, 'gateway.log'), 'utf8'),
  };
}

/** A full disk takes no records. The projects of these agents are set to answer anyway. */
const serveOn = ({ api }: World, id: string) =>
  api.governance.setDataProtection({ ...defaultDataProtection, id, when_unrecorded: 'serve' });

/** The gateway processes of this platform, recognised by their port. */
function gatewaysOf({ paddock }: World): number[] {
  const isOurs = (pid: string) => {
    try {
      const isGateway = readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('gateway/src/main.');
      return isGateway && readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(`PADDOCK_GATEWAY_PORT=${paddock.gatewayPort}`);
    } catch {
      return false; // it exited meanwhile
    }
  };
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && isOurs(name))
    .map(Number);
}

/** An agent that fills the disk on command, reports how much it wrote, and from then on takes all space that becomes free. */
const filling = {
  'server.js': `const fs = require('fs'); let taken = 0;
const take = () => { for (const size of [1 << 20, 1 << 16, 1 << 12]) try { for (;;) { fs.appendFileSync('/tmp/filler', Buffer.alloc(size, 1)); taken += size; } } catch (error) { if (error.code !== 'ENOSPC') throw error; } };
require('http').createServer((q, r) => {
  if (q.url === '/fill') { take(); setInterval(take, 100); return r.end('ENOSPC after ' + taken); }
  r.end('up');
}).listen(process.env.PORT);`,
};

async function gatewayComesBack(world: World) {
  const [before] = gatewaysOf(world);
  assert.ok(before);
  process.kill(before, 'SIGKILL');
  const begun = performance.now();
  await until('the gateway is back', async () => (await world.paddock.visit(world.steady.host).catch(() => undefined))?.body === 'up');
  await until('one gateway runs', async () => gatewaysOf(world).length === 1);
  return Math.round(performance.now() - begun);
}

const reserveOf = (dataDir: string) => statSync(join(dataDir, 'reserve'), { throwIfNoEntry: false })?.size ?? 0;

/** Waits until the reserve has its full size. */
async function wholeReserve(dataDir: string): Promise<number> {
  let before = -1;
  await until('the reserve is taken', async () => {
    const same = before > 0 && before === reserveOf(dataDir);
    before = reserveOf(dataDir);
    return same;
  });
  return before;
}

/** All invariants but I5: agents' lines may be lost, since they go to the same disk. */
async function invariants(world: World) {
  const broken = (await brokenInvariants(world)).filter((one) => !one.startsWith('I5'));
  assert.deepEqual(broken, []);
}

async function emptied(scope: Scope) {
  const { world, disk, freeBytes, output, gatewayLog } = await onOneDisk(scope, 96);
  const { api, paddock, token } = world;
  await world.steady.visitor.stop(); // the gateway is killed below
  const { id: project_id } = await api.projects.create({ name: 'large' });
  await serveOn(world, project_id);
  const made = await api.deployments.create({ project_id, file: zip({ ...counterAgent('crashing'), noise: 'x' }), file_name: 'agent.zip' });
  await reaches(api, made.id, ['active']);
  const folder = join(paddock.dataDir, 'runtime', 'instances');
  const blobs = () => readdirSync(join(paddock.dataDir, 'blobs')).length;
  const [instances, archives] = [readdirSync(folder).length, blobs()];
  await wholeReserve(paddock.dataDir);
  await disk.fill();
  await bellRings(world, disk);

  const spools = () => readdirSync(join(paddock.dataDir, 'audit-spool'));
  let killed: string[] = [];
  let away = 0;
  await disk.filledDuring(() =>
    linesAreLost(join(paddock.dataDir, 'gateway.log'), async () => {
      killed = spools();
      away = await gatewayComesBack(world);
    }),
  );
  await disk.free();
  await until('what the gateway could not write is told', async () => NOTICE.test(gatewayLog()));
  await until('the records of the gateway that was killed are handed in', async () => !spools().some((one) => killed.includes(one)));
  await disk.filledDuring(async () => {
    assert.equal((await call(paddock, token, { path: '/projects' })).status, 200);
    const form = uploadForm(project_id, zip(counterAgent('more')));
    const refused = await call(paddock, token, { method: 'POST', path: '/deployments', form });
    assert.deepEqual([refused.status, refused.code], [507, 'disk_full']);
  });
  await paddock.kill();
  await paddock.boot();
  await until('one gateway runs', async () => gatewaysOf(world).length === 1);
  // Takes the space of the reserve that the start released, too.
  await disk.filledDuring(() =>
    linesAreLost(join(paddock.dataDir, 'server.out'), async () => {
      for (let n = 0; n < 2; n++) await call(paddock, token, { path: '/projects' });
    }),
  );
  await paddock.visit('large.localhost', '/crash');
  await disk.fill(); // the space that the gateway had reserved to record requests in progress
  await until('the crash is told', async () => isToldAsCrashed(world, made.id));
  await disk.fill();
  assert.equal((await call(paddock, token, { method: 'POST', path: `/deployments/${made.id}/stop` })).status, 200);
  await disk.fill();
  assert.equal((await call(paddock, token, { method: 'DELETE', path: `/projects/${project_id}` })).status, 204);
  await until('its agent and its archive are gone', async () => readdirSync(folder).length === instances - 1 && blobs() < archives);
  const free = await freeBytes();

  await disk.free();
  await until('what the server could not write is told', async () => NOTICE.test(output()));
  await invariants(world);
  return `the gateway was back after ${away} ms; deleting freed ${Math.round(free / 1024)} KiB; lines that were lost are told in both outputs`;
}

/** Waits for the alert that opens when requests are recorded without bodies, or not at all. */
const bellRings = ({ api, paddock, steady }: World, disk: Awaited<ReturnType<typeof smallDisk>>) =>
  until(
    'the bell says that the disk is full',
    async () => {
      await disk.fill();
      await paddock.visit(steady.host);
      const { alerts } = await api.alerts.list({});
      return alerts.some(({ message, resolved }) => !resolved && message.startsWith("A gateway's disk is full since"));
    },
    30,
  );

async function isToldAsCrashed({ api }: World, id: string) {
  const { restarts, restart_at, status } = await api.deployments.get({ id });
  return restarts > 0 || restart_at !== null || status === 'failed';
}

async function filledByAnAgent(scope: Scope) {
  const { world, freeBytes, output } = await onOneDisk(scope, 400, 'embedded');
  const { api, paddock, token } = world;
  await world.steady.visitor.stop();
  const managed = await deployManaged(api, { name: 'keeper', files: counterAgent('crashing') });
  await serveOn(world, managed.project_id);
  const { id: greedy } = await api.projects.create({ name: 'greedy' });
  const made = await api.deployments.create({ project_id: greedy, file: zip(filling), file_name: 'agent.zip' });
  await reaches(api, made.id, ['active']);
  const reserve = await wholeReserve(paddock.dataDir);
  const { body: filled } = await paddock.visit('greedy.localhost', '/fill');
  assert.match(filled, /^ENOSPC/);

  const away = await gatewayComesBack(world);
  assert.equal((await call(paddock, token, { path: '/databases' })).status, 200);
  const noise = zip({ ...counterAgent('more'), 'noise.txt': filled.repeat(100_000) });
  const refused = await call(paddock, token, { method: 'POST', path: '/deployments', form: uploadForm(greedy, noise) });
  assert.ok([507, 503].includes(refused.status), `an upload is refused, with ${refused.status}`);
  process.kill(serverOf(await api.databases.get({ id: managed.redis })), 'SIGKILL');
  await until(
    'Redis is not told to be there any more, or is there again',
    async () => {
      const database = await api.databases.get({ id: managed.redis });
      return database.status !== 'available' || listenersOn(database.port ?? 0).length > 0;
    },
    30,
  );
  await paddock.visit(managed.host, '/crash');
  await until('the crash is told', async () => isToldAsCrashed(world, managed.deployment_id));
  assert.equal((await call(paddock, token, { method: 'DELETE', path: `/databases/${managed.redis}` })).status, 204);
  assert.equal((await call(paddock, token, { method: 'POST', path: `/deployments/${made.id}/stop` })).status, 200);
  assert.equal((await call(paddock, token, { method: 'DELETE', path: `/projects/${greedy}` })).status, 204);
  await until('what the greedy agent took is free again', async () => (await freeBytes()) > 50 * MiB);
  await until('the files of Redis are gone', async () => !existsSync(join(paddock.dataDir, 'databases', managed.redis)));

  const again = await api.deployments.redeploy({ id: managed.deployment_id });
  await reaches(api, again.id, ['active']);
  await until('the reserve is whole again', async () => reserveOf(paddock.dataDir) === reserve);
  await invariants(world);
  return `the agent took ${filled}; the gateway was back after ${away} ms; deleted and free again: ${Math.round((await freeBytes()) / MiB)} MiB; ${output().match(/not written/g)?.length ?? 0} notices of lost lines`;
}

async function filledByADatabase(scope: Scope) {
  const { world, freeBytes } = await onOneDisk(scope, 400, 'embedded');
  const { api, paddock, token } = world;
  const { postgresql, redis, deployment_id, project_id } = await deployManaged(api, { name: 'hoarder', files: counterAgent('up') });
  const other = await deployManaged(api, { name: 'other', files: counterAgent('up') });
  await wholeReserve(paddock.dataDir);
  const url = await urlOf(api, postgresql);
  await query(url, 'create table hoard as select 1 as n, repeat(md5(random()::text), 40) as text');
  const refusal = await hoard(url);
  const left = await freeBytes();

  assert.equal((await call(paddock, token, { path: '/databases' })).status, 200);
  for (const id of [redis, other.redis]) process.kill(serverOf(await api.databases.get({ id })), 'SIGKILL');
  await until('no database that is down is told to be available', async () => {
    const { databases } = await api.databases.list({});
    return databases.every(({ status, port }) => status !== 'available' || listenersOn(port ?? 0).length > 0);
  });
  assert.equal((await call(paddock, token, { method: 'POST', path: `/databases/${postgresql}/stop` })).status, 200);
  assert.equal((await call(paddock, token, { method: 'POST', path: `/deployments/${deployment_id}/stop` })).status, 200);
  assert.equal((await call(paddock, token, { method: 'DELETE', path: `/databases/${postgresql}` })).status, 204);
  await until('its space is free', async () => (await freeBytes()) > left + 50 * MiB);
  assert.equal((await call(paddock, token, { method: 'DELETE', path: `/projects/${project_id}` })).status, 204);
  await until("all files of the project's databases are gone", async () => !existsSync(join(paddock.dataDir, 'databases', redis)));
  await settled(api, other.redis);
  const again = await api.deployments.redeploy({ id: other.deployment_id });
  await reaches(api, again.id, ['active']);
  await invariants(world);
  return `"${refusal}" with ${Math.round(left / 1024)} KiB left; after the deletion ${Math.round((await freeBytes()) / MiB)} MiB; the other team's databases are back`;
}

/** Doubles the rows until the server refuses, and returns the error. */
async function hoard(url: string): Promise<string> {
  for (let n = 0; n < 40; n++) {
    const refusal = await query(url, 'insert into hoard select * from hoard limit 20000').then(
      () => undefined,
      (error: Error) => error.message,
    );
    if (refusal !== undefined) return refusal;
  }
  throw new Error('the disk was never full');
}

export const faults: Fault[] = [
  {
    id: 'disk-full-emptied',
    fault: 'the disk of data and outputs is full: gateway and server are killed, an agent crashes, a project is deleted',
    expected:
      'the bell says so; both come back, one gateway; reads answer, writes say 507; the crash is shown; deleting frees space; lost lines are told',
    short: true,
    run: (_seed, scope) => emptied(scope),
  },
  {
    id: 'disk-full-by-agent',
    fault:
      'an agent fills the disk of everything, the platform’s own database too; then the gateway and Redis are killed, an agent crashes',
    expected: 'all states are true, stop and delete work and free space, and it heals by itself; one gateway',
    limit_s: 420,
    run: (_seed, scope) => filledByAnAgent(scope),
  },
  {
    id: 'disk-full-by-database',
    fault: 'a managed PostgreSQL fills the disk of everything; then two Redis are killed',
    expected: 'no database that is down is told to be available; stop and delete work and free its space; the others heal by themselves',
    limit_s: 420,
    run: (_seed, scope) => filledByADatabase(scope),
  },
];
