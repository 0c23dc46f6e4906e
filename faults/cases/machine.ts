import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { zip } from '../../apps/server/test/archives.ts';
import { reaches, type Scope, until } from '../../apps/server/test/platform.ts';
import { counterAgent } from '../agents.ts';
import type { Fault } from '../fault.ts';
import { checkInvariants } from '../invariants/check.ts';
import { smallDisk } from '../small-disk.ts';
import { onlyThese } from '../store-checks.ts';
import { call, callAll, uploadForm } from '../store-world.ts';
import { tcpProxy } from '../tcp-proxy.ts';
import { startWorld } from '../world.ts';
import { archivesOf } from './upload.ts';

async function onSmallDisk(scope: Scope, megabytes: number) {
  const dataDir = await mkdtemp(join(tmpdir(), 'paddock-disk-'));
  scope.after(() => rm(dataDir, { recursive: true, force: true }));
  const disk = await smallDisk(dataDir, megabytes);
  scope.after(() => disk.unmount());
  return { disk, world: await startWorld(scope, {}, { dataDir }) };
}

async function diskFull(scope: Scope) {
  const { disk, world } = await onSmallDisk(scope, 64);
  const { api, paddock, token } = world;
  const { id: project_id } = await api.projects.create({ name: 'large' });
  await disk.fill(200);
  const big = zip({ ...counterAgent('up'), 'noise.txt': randomBytes(600_000).toString('base64') });
  const refused = await call(paddock, token, { method: 'POST', path: '/deployments', form: uploadForm(project_id, big) });
  assert.deepEqual([refused.status, refused.code], [507, 'disk_full']);
  const named = async () => (await api.deployments.list({ limit: 100 })).total;
  assert.equal(archivesOf(paddock).length, await named(), 'nothing is left of the upload');

  await disk.free();
  await disk.fill(2000);
  const lines = Array.from({ length: 100_000 }, (_, n) => `${'x'.repeat(190)} ${n}`);
  const inflating = zip({ ...counterAgent('up'), 'lines.txt': lines.join('\n') });
  const made = await call(paddock, token, { method: 'POST', path: '/deployments', form: uploadForm(project_id, inflating) });
  assert.equal(made.status, 201);
  const id = String(made.body.id);
  const failed = await reaches(api, id, ['failed']);
  assert.match(failed.error_message ?? '', /disk is full/);
  await disk.free();
  const again = await api.deployments.redeploy({ id });
  await reaches(api, again.id, ['active']);
  return `upload 507, build: "${failed.error_message}"; with space again the same archive is active; ${await checkInvariants(world)}`;
}

async function outputLost(scope: Scope) {
  const { disk, world } = await onSmallDisk(scope, 64);
  const { api, paddock, token } = world;
  const { id: project_id } = await api.projects.create({ name: 'loud' });
  const loud = `const line = 'x'.repeat(1000); setInterval(() => { for (let n = 0; n < 20; n++) console.log(line); }, 50);
require('http').createServer((q, r) => r.end('up')).listen(process.env.PORT);`;
  const made = await api.deployments.create({ project_id, file: zip({ 'server.js': loud }), file_name: 'agent.zip' });
  await reaches(api, made.id, ['active']);
  const calls = callAll(() => call(paddock, token, { path: '/projects' }));
  for (let n = 0; n < 20; n++) {
    await disk.fill();
    await sleep(250);
    assert.equal((await paddock.visit('loud.localhost')).body, 'up');
  }
  onlyThese(await calls.stop(), [200], 5_000);
  await disk.free();
  const notices = async () =>
    (await world.sql`select 1 from log_lines where deployment_id = ${made.id} and message like '%lines were lost here%'`).length;
  await until('the log says that lines were lost', async () => (await notices()) > 0);
  const { restarts, status } = await api.deployments.get({ id: made.id });
  assert.deepEqual([status, restarts], ['active', 0]);
  world.steady.visitor.check();
  return `the agent answered throughout, ${await notices()} notice in its log, no restart, the API always 200`;
}

/** More client connections than the server has file descriptors. */
async function noDescriptors(scope: Scope) {
  const world = await startWorld(scope, {}, { prepare: 'ulimit -n 400' });
  const { paddock, token, sql } = world;
  const sockets: Socket[] = [];
  scope.after(() => sockets.forEach((socket) => socket.destroy()));
  const { hostname, port } = new URL(paddock.origin);
  for (let n = 0; n < 700; n++) sockets.push(connect(Number(port), hostname).on('error', () => undefined));
  const calls = callAll(() => call(paddock, token, { path: '/projects', waitSeconds: 2 }));
  await sleep(4000);
  const during = calls.answers.length;
  for (const socket of sockets) socket.destroy();
  const closed = performance.now();
  await until(
    'the API answers',
    async () => (await call(paddock, token, { path: '/projects' }).catch(() => undefined))?.status === 200,
    15,
  );
  const healedMs = Math.round(performance.now() - closed);
  const answers = await calls.stop();
  // A connection that is not accepted waits; none is cut off or refused. The client's own timeout of 2 s ends the wait.
  const waited = answers.filter(({ status, code }) => status === 0 && /aborted due to timeout/.test(code));
  onlyThese(
    answers.filter((one) => !waited.includes(one)),
    [200, 503],
    5_000,
  );
  const [row] = await sql<
    { restarts: number }[]
  >`select cardinality(restart_times) as restarts from deployments where id = ${world.steady.id}`;
  assert.equal(row?.restarts, 0);
  return `${during} calls meanwhile, ${waited.length} waited in vain for 2 s, none was cut off; healed ${healedMs} ms after they were closed; ${await checkInvariants(world)}`;
}

/** A reader of live logs whose network disappears silently. */
async function readerGone(scope: Scope) {
  const world = await startWorld(scope);
  const { api, paddock, steady } = world;
  const { hostname, port } = new URL(paddock.origin);
  const proxy = await tcpProxy({ host: hostname, port: Number(port) }, { isPostgres: false });
  scope.after(() => proxy.close());
  const { ticket } = await api.logs.ticket({ id: steady.id });
  const socket = new WebSocket(`ws://127.0.0.1:${proxy.port}/ws/logs/${steady.id}?token=${ticket}`);
  let frames = 0;
  socket.addEventListener('message', () => (frames += 1));
  await until('lines come', async () => frames > 0);
  proxy.freeze();
  const begun = performance.now();
  await until('the server ends it', async () => proxy.connections() === 0);
  const endedMs = performance.now() - begun;
  return `ended after ${Math.round(endedMs / 1000)} s; ${await checkInvariants(world)}`;
}

export const faults: Fault[] = [
  {
    id: 'disk-full',
    fault: 'F46: the disk is full while an archive arrives and while one is unpacked',
    expected: '507 and a failed build that says so, nothing is left behind, and it works when there is space',
    run: (_seed, scope) => diskFull(scope),
  },
  {
    id: 'output-disk-full',
    fault: "F47: the disk of agents' output is full for 5 s",
    expected: 'the agent and the API go on, and the log says that lines were lost',
    run: (_seed, scope) => outputLost(scope),
  },
  {
    id: 'descriptors-used-up',
    fault: 'F48: 700 connections to a server that may have 400 descriptors',
    expected: 'it accepts no more for a while, ends nothing, and heals when they are closed',
    run: (_seed, scope) => noDescriptors(scope),
  },
  {
    id: 'reader-half-open',
    fault: 'F42: the network of a reader of live logs goes away without a word',
    expected: 'the server ends its connection within 60 s',
    run: (_seed, scope) => readerGone(scope),
  },
];
