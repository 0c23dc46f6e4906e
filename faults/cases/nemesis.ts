import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { deploy, until } from '../../apps/server/test/platform.ts';
import { counterAgent } from '../agents.ts';
import type { Fault } from '../fault.ts';
import { checkInvariants } from '../invariants/check.ts';
import { newProject, startWorld, type World } from '../world.ts';

const seconds = 120;
const projects = 4;

/** Kills and suspends the server at random moments, while people deploy, stop and delete and agents crash. */
const nemesis: Fault = {
  id: 'nemesis',
  fault: `${seconds} s of kill -9 and SIGSTOP of the server at random moments, among random deployments, stops, deletions and crashes`,
  expected: 'every deployment ends where it should, every invariant holds, the steady agent never stops answering',
  limit_s: 420,
  async run(seed, scope) {
    const random = randomOf(seed);
    const world = await startWorld(scope);
    const done = new Map<string, number>();
    const ours: string[] = [];
    for (let n = 0; n < projects; n++) ours.push((await newProject(world, `p${n}`)).id);
    const refused = new Set<string>();
    // Requests fail while the server is down. The acknowledged ones are in `acknowledged`.
    const people = (async () => {
      for (const end = Date.now() + seconds * 1000; Date.now() < end; await sleep(random() * 1500)) {
        const what = acts[Math.floor(random() * acts.length)]!;
        await what(world, ours, random).then(
          () => done.set(what.name, (done.get(what.name) ?? 0) + 1),
          (error: Error & { code?: string }) => refused.add(error.code ?? error.message),
        );
      }
    })();
    let deaths = 0;
    let sleeps = 0;
    for (const end = Date.now() + seconds * 1000; Date.now() < end; await sleep(random() * 4000)) {
      if (random() < 0.7) {
        await world.paddock.kill();
        await sleep(random() * 500);
        await world.paddock.boot();
        deaths += 1;
      } else {
        world.paddock.signal('SIGSTOP');
        await sleep(random() * 2000);
        world.paddock.signal('SIGCONT');
        sleeps += 1;
      }
    }
    await people;
    assert.ok(!refused.has('internal'), 'nothing was answered with an internal error');
    await until(
      'every deployment is at its end',
      async () => (await world.sql`select 1 from deployments where status in ('queued', 'building', 'deploying')`).length === 0,
      120,
    );
    const states = await world.sql<{ status: string; n: number; why: string | null }[]>`
      select status, count(*)::int as n, min(left(error_message, 100)) as why from deployments group by 1 order by 1`;
    const failed = await world.sql<{ error_message: string }[]>`select error_message from deployments where status = 'failed'`;
    for (const { error_message } of failed) assert.match(error_message, /crashed 5 times|broke off 3 times|ended or hung 2 times/);
    const steady = await checkInvariants(world);
    return `${deaths} deaths, ${sleeps} sleeps; ${[...done].map(([name, n]) => `${n} × ${name}`).join(', ')}; ended ${states.map(({ status, n }) => `${n} ${status}`).join(', ')}; ${steady}`;
  },
};

type Act = (world: World, projects: string[], random: () => number) => Promise<unknown>;
const one = <T>(list: T[], random: () => number) => list[Math.floor(random() * list.length)];

const acts: Act[] = [
  async function deployed(world, projects, random) {
    const { id } = await deploy(world.api, one(projects, random)!, counterAgent(`n${random()}`));
    world.acknowledged.push({ what: id, read: (api) => api.deployments.get({ id }) });
  },
  async function redeployed(world, _projects, random) {
    const { deployments } = await world.api.deployments.list({ limit: 20 });
    const chosen = one(
      deployments.filter(({ id }) => id !== world.steady.id),
      random,
    );
    if (chosen) await world.api.deployments.redeploy({ id: chosen.id });
  },
  async function stopped(world, _projects, random) {
    const { deployments } = await world.api.deployments.list({ status: 'active' });
    const chosen = one(
      deployments.filter(({ id }) => id !== world.steady.id),
      random,
    );
    if (chosen) await world.api.deployments.stop({ id: chosen.id });
  },
  async function crashed(world, _projects, random) {
    await world.paddock.visit(`p${Math.floor(random() * projects)}.localhost`, '/crash');
  },
  async function deleted(world, _projects, random) {
    const name = `gone-${Math.floor(random() * 1e9)}`;
    const { id } = await world.api.projects.create({ name });
    await deploy(world.api, id, counterAgent(name));
    await sleep(random() * 1500);
    await world.api.projects.delete({ id });
  },
];

/** The same numbers for the same seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export const faults: Fault[] = [nemesis];
