import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { zip } from '../../apps/server/test/archives.ts';
import { deploy, reaches, type Scope, until } from '../../apps/server/test/platform.ts';
import { counterAgent } from '../agents.ts';
import type { Fault } from '../fault.ts';
import { checkInvariants } from '../invariants/check.ts';
import { everyLineOnce, everyVisitCounted, onlyThese } from '../store-checks.ts';
import { call, callAll, embeddedUrl, query, slow, storeWorld, uploadForm, visitAll } from '../store-world.ts';
import { startWorld, type World } from '../world.ts';

const healSeconds = 5;

/** An agent serves and another is being deployed while the database stops and starts again. */
async function goneAndBack(world: World, url: string, interrupt: () => Promise<void>) {
  const { paddock, api, token } = world;
  const [counted, moving] = [await api.projects.create({ name: 'counted' }), await api.projects.create({ name: 'moving' })];
  const serving = await deploy(api, counted.id, counterAgent('up'));
  await reaches(api, serving.id, ['active']);
  const under_way = await deploy(api, moving.id, slow);
  await until('it builds', async () => (await api.deployments.get({ id: under_way.id })).status !== 'queued');
  const stopVisiting = visitAll(paddock, 'counted.localhost');
  const calls = callAll(() => call(paddock, token, { path: '/projects' }));
  await interrupt();
  const back = performance.now();
  await until('the API answers', async () => calls.answers.at(-1)?.status === 200);
  const healedMs = Math.round(performance.now() - back);
  await sleep(1000);
  const answers = await calls.stop();
  const slowest = onlyThese(answers, [200, 503], healSeconds * 1000);
  assert.ok(
    answers.some(({ status }) => status === 503),
    'nobody noticed that the database was gone',
  );
  const lastBad = answers.findLastIndex(({ status }) => status === 503);
  assert.ok(healedMs <= healSeconds * 1000, `it took ${healedMs} ms to heal`);
  const done = await reaches(api, under_way.id, ['active']);
  assert.equal((await paddock.visit('moving.localhost')).body, 'up');
  const { wrong, visits } = await stopVisiting();
  assert.deepEqual(wrong, [], `of ${visits} visits`);
  await everyVisitCounted(url, serving.id, visits);
  await everyLineOnce(url, under_way.id);
  assert.equal((await api.deployments.get({ id: serving.id })).restarts, 0);
  const steady = await checkInvariants(world);
  return `${answers.filter(({ status }) => status === 503).length} × 503 of ${answers.length}, healed ${healedMs} ms after it was back (the slowest answer took ${Math.round(slowest)} ms, the last 503 was answer ${lastBad}); ${visits} visits all answered and counted once; the deployment under way is ${done.status}; ${steady}`;
}

async function external(scope: Scope) {
  const { world, database } = await storeWorld(scope);
  return goneAndBack(world, database.url, async () => {
    await database.stop();
    await sleep(3000);
    await database.start();
  });
}

async function embedded(scope: Scope) {
  const world = await startWorld(scope, {}, { databaseUrl: 'embedded', direct: embeddedUrl });
  const { paddock } = world;
  return goneAndBack(world, await embeddedUrl(paddock), async () => {
    const pid = Number(readFileSync(join(paddock.dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0]);
    process.kill(pid, 'SIGKILL');
    await sleep(100);
  });
}

/** Writers that keep track of acknowledged and unacknowledged writes. */
async function killedUnderLoad(scope: Scope) {
  const { world, paddock, database } = await storeWorld(scope, { settings: { PADDOCK_BUILDS_AT_ONCE: '1' } });
  const { api, token } = world;
  const { id: project_id } = await api.projects.create({ name: 'uploads' });
  const [projects, deployments]: [string[], string[]] = [[], []];
  const archive = zip({ 'README.md': 'no agent' });
  let n = 0;
  const writers = [
    ...Array.from({ length: 4 }, () =>
      callAll(async () => {
        const answer = await call(paddock, token, { method: 'POST', path: '/projects', body: { name: `p${n++}` } });
        if (answer.status === 201) projects.push(String(answer.body.id));
        return answer;
      }, 0),
    ),
    ...Array.from({ length: 2 }, () =>
      callAll(async () => {
        const answer = await call(paddock, token, { method: 'POST', path: '/deployments', form: uploadForm(project_id, archive) });
        if (answer.status === 201) deployments.push(String(answer.body.id));
        return answer;
      }, 0),
    ),
  ];
  for (let round = 0; round < 2; round++) {
    const before = projects.length + deployments.length;
    await until('writes are acknowledged', async () => projects.length + deployments.length > before + 40);
    await database.kill();
    await sleep(200);
    await database.start();
  }
  const answers = (await Promise.all(writers.map((writer) => writer.stop()))).flat();
  onlyThese(answers, [201, 503], 10_000);
  const [stored, blobs] = await query(database.url, async (sql) => [
    new Set((await sql<{ id: string }[]>`select id from projects union all select id from deployments`).map(({ id }) => id)),
    (await sql<{ source_blob: string }[]>`select source_blob from deployments`).map(({ source_blob }) => source_blob),
  ]);
  assert.deepEqual(
    [...projects, ...deployments].filter((id) => !stored.has(id)),
    [],
    'acknowledged, and gone',
  );
  assert.deepEqual(
    blobs.filter((blob) => !existsSync(join(paddock.dataDir, 'blobs', blob))),
    [],
    'a deployment without its code',
  );
  await until('all of them have ended', async () => (await api.deployments.list({ project_id, status: 'queued' })).total === 0);
  const steady = await checkInvariants(world);
  const lost = answers.filter(({ status }) => status === 503).length;
  return `2 kills: ${projects.length} projects and ${deployments.length} uploads acknowledged, all there, each with its code; ${lost} × 503; ${steady}`;
}

export const faults: Fault[] = [
  {
    id: 'postgres-restarted',
    fault: 'F11: PostgreSQL is stopped (fast) for 3 s under a deployment and visitors',
    expected: '503 with Retry-After while it is away, at most 5 s to heal, no job, line or visit lost or counted twice',
    run: (_seed, scope) => external(scope),
  },
  {
    id: 'postgres-embedded-killed',
    fault: 'F11: the PostgreSQL that comes along is killed (-9) under a deployment and visitors',
    expected: 'it is started again, 503 with Retry-After for at most 5 s, agents never stop answering, no line lost or there twice',
    run: (_seed, scope) => embedded(scope),
  },
  {
    id: 'postgres-killed-writing',
    fault: 'F12: PostgreSQL is killed (-9) twice under writers',
    expected: 'every acknowledged project and upload is there (I1), the rest is there whole or not at all',
    run: (_seed, scope) => killedUnderLoad(scope),
  },
];
