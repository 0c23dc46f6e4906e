import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { deploy, reaches, until } from '../../apps/server/test/platform.ts';
import { built, counterAgent } from '../agents.ts';
import type { Fault } from '../fault.ts';
import { checkInvariants } from '../invariants/check.ts';
import { dieAt, newProject, sharedWorld, type World } from '../world.ts';

/** The server dies during its start (F10). */
const starts: [point: string, when: string, short?: 'short'][] = [
  ['boot-working', 'when its work has begun'],
  ['boot-listening', 'when it listens'],
  ['gateway-answering', 'when its gateway answers and the one before still runs'],
];
const deaths = 3;

const looping = ([point, when, short]: (typeof starts)[number]): Fault => ({
  id: `server-dies-at-start-${point}`,
  fault: `the server dies ${deaths} times at its start, ${when}`,
  expected: 'nothing is done twice: the agent is the same process, no restart is counted, one gateway is left',
  short: short !== undefined,
  failpoints: [point],
  async run() {
    const world = await sharedWorld();
    world.points.arm(point, { do: 'die', always: true });
    await world.paddock.kill();
    for (let n = 0; n < deaths; n++) await assert.rejects(world.paddock.boot(), /ended with SIGKILL/);
    assert.equal(world.points.hits(point), deaths);
    world.points.clear();
    await world.paddock.boot();
    const { restarts } = await world.api.deployments.get({ id: world.steady.id });
    assert.equal(restarts, 0);
    await until('one gateway is left', async () => gatewaysOf(world).length === 1);
    return `same process, 0 restarts, one gateway; ${await checkInvariants(world)}`;
  },
});

/** The gateway processes of this platform, recognised by their database: nothing else on the machine uses it. */
export function gatewaysOf({ paddock }: World): number[] {
  const isOurs = (pid: string) => {
    try {
      const environment = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
      return (
        environment.includes(`PADDOCK_DATABASE_URL=${paddock.databaseUrl}`) &&
        readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('gateway/src/main.')
      );
    } catch {
      return false; // it exited meanwhile, or its environment is not readable
    }
  };
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && isOurs(name))
    .map(Number);
}

const queued: Fault = {
  id: 'server-killed-queued',
  fault: 'kill -9 of the server while deployments wait for their turn',
  expected: 'they are taken up within 10 s of the start and end active under their ids',
  async run() {
    const world = await sharedWorld();
    const { id } = await newProject(world, 'waiting');
    const made = [];
    for (const environment of ['preview', 'production'] as const)
      for (const text of ['one', 'two']) made.push(await deploy(world.api, id, built(`${text} ${environment}`, 3), { environment }));
    await world.paddock.kill();
    const waiting = await world.sql<{ id: string }[]>`select id from deployments where project_id = ${id} and status = 'queued'`;
    assert.ok(waiting.length > 0, 'some were still queued');
    await world.paddock.boot();
    const begun = performance.now();
    await until(
      'one is taken up',
      async () => (await world.sql`select 1 from deployments where project_id = ${id} and status <> 'queued'`).length > 0,
      10,
    );
    const takenMs = Math.round(performance.now() - begun);
    for (const one of made)
      await until(
        `${one.id} has ended`,
        async () => ['active', 'stopped'].includes((await world.api.deployments.get({ id: one.id })).status),
        90,
      );
    for (const one of [made[1]!, made[3]!]) await reaches(world.api, one.id, ['active']);
    return `${waiting.length} were queued, the first taken up after ${takenMs} ms; ${await checkInvariants(world)}`;
  },
};

const crashing: Fault = {
  id: 'server-killed-crash-noted',
  fault: 'kill -9 of the server when the crash of an agent is noted',
  expected: 'the agent is restarted once, and one crash is counted',
  failpoints: ['crash-noted'],
  async run() {
    const world = await sharedWorld();
    const { id: project_id, host } = await newProject(world, 'crashed');
    const { id } = await deploy(world.api, project_id, counterAgent('back'));
    await reaches(world.api, id, ['active']);
    await dieAt(world, 'crash-noted', () => world.paddock.visit(host, '/crash'));
    await until('it answers again', async () => (await world.paddock.visit(host)).body === 'back');
    const { status, restarts } = await world.api.deployments.get({ id });
    assert.deepEqual([status, restarts], ['active', 1]);
    return `answers again, 1 restart counted; ${await checkInvariants(world)}`;
  },
};

const sleeping = (seconds: number, short: boolean): Fault => ({
  id: `server-stopped-${seconds}s`,
  fault: `SIGSTOP of the server for ${seconds} s`,
  expected: 'the gateway serves all the while; afterwards nothing was restarted and a deployment goes through',
  short,
  async run() {
    const world = await sharedWorld();
    world.paddock.signal('SIGSTOP');
    await sleep(seconds * 1000);
    world.paddock.signal('SIGCONT');
    const { id: project_id } = await newProject(world, `awake-${seconds}`);
    const { id } = await deploy(world.api, project_id, counterAgent('awake'));
    await reaches(world.api, id, ['active']);
    assert.equal((await world.api.deployments.get({ id: world.steady.id })).restarts, 0);
    return `a deployment made right afterwards became active; ${await checkInvariants(world)}`;
  },
});

export const faults: Fault[] = [queued, crashing, sleeping(2, true), sleeping(60, false), ...starts.map(looping)];
