import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { zip } from '../../apps/server/test/archives.ts';
import { deploy, reaches, type Scope, until } from '../../apps/server/test/platform.ts';
import { counterAgent } from '../agents.ts';
import type { Fault } from '../fault.ts';
import { checkInvariants } from '../invariants/check.ts';
import { everyLineOnce, onlyThese } from '../store-checks.ts';
import { type Answer, call, callAll, slow, storeWorld, uploadForm } from '../store-world.ts';
import type { Moment } from '../tcp-proxy.ts';

const moments: Moment[] = ['before', 'sent', 'answered'];

/** Cuts the connection at each moment of each kind of statement of a creating request. The request is retried with its key. */
async function cutRequests(scope: Scope) {
  const { world, paddock, proxy } = await storeWorld(scope, { settings: { PADDOCK_BUILDS_AT_ONCE: '1' } });
  const { api, token } = world;
  const { id: project_id } = await api.projects.create({ name: 'uploads' });
  const archive = zip({ 'README.md': 'no agent' });
  const statements = [/^\s*insert into idempotency_keys/, /^\s*insert into (projects|deployments)/, /^\s*update idempotency_keys/];
  let [unknown, made] = [0, 0];
  for (const statement of statements)
    for (const moment of moments) {
      const [name, key] = [`cut-${made}`, randomUUID()];
      const project = await again(
        () => call(paddock, token, { method: 'POST', path: '/projects', key, body: { name } }),
        proxy.cutAt(statement, moment),
      );
      const form = () => uploadForm(project_id, archive);
      const upload = await again(
        () => call(paddock, token, { method: 'POST', path: '/deployments', key: `${key}-upload`, form: form() }),
        proxy.cutAt(statement, moment),
      );
      const projects = (await api.projects.list({ limit: 100 })).projects.filter((one) => one.name === name);
      assert.deepEqual([projects.map(({ id }) => id), project.tries > 1], [[project.body.id], true], `${statement} ${moment}`);
      const { deployments, total } = await api.deployments.list({ project_id, limit: 100 });
      made += 1;
      assert.equal(total, made, `${statement} ${moment}: one deployment for each key`);
      assert.ok(deployments.some(({ id }) => id === upload.body.id));
      unknown += project.tries + upload.tries - 2;
    }
  const steady = await checkInvariants(world);
  return `${made} projects and ${made} uploads, ${unknown} answers 503 or "in progress" on the way, each there exactly once; ${steady}`;
}

/** Retries until success, as a client does that obeys the server's responses. */
async function again(ask: () => Promise<Answer>, happened: Promise<void>) {
  const answers: Answer[] = [];
  for (let tries = 1; tries <= 10; tries++) {
    const answer = await ask();
    answers.push(answer);
    if (answer.status < 400) {
      await Promise.race([happened, sleep(1000).then(() => Promise.reject(new Error('nothing was cut')))]);
      return { ...answer, tries };
    }
    assert.ok(answer.status === 503 || answer.code === 'request_in_progress', `${answer.status} ${answer.code}`);
    await sleep(100);
  }
  throw new Error(`no success: ${answers.map(({ status, code }) => `${status} ${code}`).join(', ')}`);
}

/** Cuts the connection once before and once after the commit of each change of a deployment in progress. */
async function cutDeployment(scope: Scope) {
  const { world, proxy, database } = await storeWorld(scope);
  const { api, paddock } = world;
  const { id: project_id } = await api.projects.create({ name: 'moving' });
  const statements = [
    /^\s*update deployments set status = 'building'/,
    /^\s*update deployments set plan/,
    /insert into log_lines/,
    /^\s*update deployments set status = 'deploying'/,
    /^\s*update deployments set instance_id/,
    /^\s*update deployments set status = 'active'/,
    /^commit$/,
  ];
  const [building, , , , , , commit] = statements;
  const cuts = [...statements.map((statement) => ['sent', statement] as const), ['before', building!], ['answered', commit!]] as const;
  for (const [moment, statement] of cuts) {
    const happened = proxy.cutAt(statement, moment);
    const { id } = await deploy(api, project_id, counterAgent('up')).catch(async (error: Error) => {
      assert.match(error.message, /unavailable/);
      return deploy(api, project_id, counterAgent('up'));
    });
    await reaches(api, id, ['active']);
    await Promise.race([happened, sleep(5000).then(() => Promise.reject(new Error(`nothing was cut at ${statement}`)))]);
    await everyLineOnce(database.url, id);
  }
  await until('it answers', async () => (await paddock.visit('moving.localhost')).body === 'up');
  return `${cuts.length} deployments, each active within 20 s under its id, nothing said twice; ${await checkInvariants(world)}`;
}

/** Cuts every connection at random moments while people work and an agent is deployed. */
async function cutAtRandom(seed: number, scope: Scope) {
  const { world, proxy, paddock } = await storeWorld(scope);
  const calls = [1, 2, 3].map(() => callAll(() => call(paddock, world.token, { path: '/projects' }), 10));
  const { id: project_id } = await world.api.projects.create({ name: 'moving' });
  const { id } = await deploy(world.api, project_id, slow);
  let random = seed;
  for (let n = 0; n < 30; n++) {
    random = (Math.imul(random, 1103515245) + 12345) >>> 0;
    if (random % 3 === 0) proxy.cutAfter(random % 4000);
    else proxy.cutAll();
    await sleep(20 + (random % 200));
  }
  await until('it is active', async () => (await call(paddock, world.token, { path: `/deployments/${id}` })).body.status === 'active');
  const answers = (await Promise.all(calls.map((one) => one.stop()))).flat();
  const slowest = onlyThese(answers, [200, 503], 5_000);
  return `30 cuts: ${answers.length} calls, ${answers.filter(({ status }) => status === 503).length} × 503, the slowest ${Math.round(slowest)} ms; ${await checkInvariants(world)}`;
}

/** A half-open network: nothing passes any more, and neither side gets an error. */
async function halfOpen(scope: Scope) {
  const { world, proxy, paddock } = await storeWorld(scope);
  const { id: project_id } = await world.api.projects.create({ name: 'moving' });
  const calls = [1, 2, 3].map(() => callAll(() => call(paddock, world.token, { path: '/projects' }), 500));
  proxy.freeze();
  await sleep(35_000);
  proxy.thaw();
  const thawed = performance.now();
  await until('the API answers', async () => (await call(paddock, world.token, { path: '/projects' })).status === 200);
  const healedMs = Math.round(performance.now() - thawed);
  const answers = (await Promise.all(calls.map((one) => one.stop()))).flat();
  const slowest = onlyThese(answers, [200, 503], 32_000);
  assert.ok(answers.some(({ status }) => status === 503));
  const { id } = await deploy(world.api, project_id, counterAgent('up'));
  await reaches(world.api, id, ['active']);
  await until('the gateway hears of it', async () => (await paddock.visit('moving.localhost')).body === 'up');
  return `each call answered within ${Math.round(slowest / 1000)} s, healed ${healedMs} ms after the network was back; ${await checkInvariants(world)}`;
}

/** Adds 200 ms of latency to the database in each direction. */
async function slowNetwork(scope: Scope) {
  const { world, proxy, paddock } = await storeWorld(scope);
  const { id: project_id } = await world.api.projects.create({ name: 'moving' });
  proxy.delay(100);
  const calls = callAll(() => call(paddock, world.token, { path: '/projects' }));
  const { id } = await deploy(world.api, project_id, slow);
  await reaches(world.api, id, ['active']);
  const [row] = await world.sql<{ fence: number }[]>`select fence from deployments where id = ${id}`;
  assert.equal(row?.fence, 1, 'nobody else took it over');
  const slowest = onlyThese(await calls.stop(), [200], 10_000);
  proxy.delay(0);
  return `everything works, a list within ${Math.round(slowest)} ms; the deployment kept its lease; ${await checkInvariants(world)}`;
}

const noneTwice = 'the same request with the same key makes the thing exactly once';
export const faults: Fault[] = [
  {
    id: 'connection-cut-requests',
    fault: 'F13: the connection to PostgreSQL is cut before, after sending and after the answer of each write of a request',
    expected: `503 with Retry-After; ${noneTwice}`,
    short: true,
    run: (_seed, scope) => cutRequests(scope),
  },
  {
    id: 'connection-cut-deployment',
    fault: 'F13: the connection is cut at each change of a deployment on its way',
    expected: 'it becomes active under its id as if nothing had been, and nothing is said twice',
    run: (_seed, scope) => cutDeployment(scope),
  },
  {
    id: 'connection-cut-random',
    fault: 'F13: connections are cut 30 times at random bytes and moments',
    expected: 'only 200 and 503, the deployment becomes active, nothing stays stuck',
    run: cutAtRandom,
  },
  {
    id: 'connection-half-open',
    fault: 'F13: the network to PostgreSQL goes silent for 35 s, and its connections never come back',
    expected: 'every call is answered within 30 s; everything heals when the network is back',
    run: (_seed, scope) => halfOpen(scope),
  },
  {
    id: 'connection-slow',
    fault: 'F16: 200 ms per round trip to PostgreSQL',
    expected: 'everything works, no lease is lost',
    run: (_seed, scope) => slowNetwork(scope),
  },
];
