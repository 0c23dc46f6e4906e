import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { reaches, startPlatform, until } from '../../apps/server/test/platform.ts';
import { counterAgent } from '../databases/agent.ts';
import { deployManaged, listenersOn, type Managed, serverOf, settled } from '../databases/managed.ts';
import type { Fault } from '../fault.ts';

const examples = join(import.meta.dirname, '../../examples');
const filesOf = (name: string) =>
  Object.fromEntries(readdirSync(join(examples, name)).map((file) => [file, readFileSync(join(examples, name, file), 'utf8')]));

type Counter = { name: string; files: Record<string, string> };
const example = (name: string): Counter => ({ name, files: filesOf(name) });

const kept = (id: string, counters: Counter[]): Fault => ({
  id,
  fault: `redeploy, kill -9 of the server, an end of everything, and kill -9 of the databases, with ${counters.map(({ name }) => name).join(' and ')}`,
  expected: 'it is counted on, in PostgreSQL and in Redis, without a gap',
  limit_s: 240,
  async run(_seed, scope) {
    const paddock = await startPlatform(scope);
    const { api } = await paddock.person();
    const agents = await Promise.all(counters.map((counter) => deployManaged(api, counter)));
    const counts = new Map<string, Counts>();
    const seen: string[] = [];
    let since = performance.now();
    const step = async (what: string) => {
      for (const { host } of agents) counts.set(host, await countsOn(paddock, host, counts.get(host) ?? { postgresql: 0, redis: 0 }));
      // The time includes the operation that led to this step.
      seen.push(`${what} ${Math.round(performance.now() - since)} ms`);
      since = performance.now();
    };
    await step('deployed');
    await step('visited again');
    for (const { deployment_id } of agents) await reaches(api, (await api.deployments.redeploy({ id: deployment_id })).id, ['active']);
    await step('redeployed');
    await paddock.kill();
    await paddock.boot();
    await step('server killed');
    const ports = await portsOf(api, agents);
    assert.equal(await paddock.stop(), 0);
    for (const port of ports) assert.deepEqual(listenersOn(port), [], 'databases end with the server that ends its agents');
    await paddock.boot();
    await step('all ended and started');
    for (const one of agents.flatMap(({ postgresql, redis }) => [postgresql, redis])) {
      const database = await settled(api, one);
      process.kill(serverOf(database), 'SIGKILL');
    }
    await sleep(200);
    await step('databases killed');
    return `${seen.join(', ')}; counted to ${JSON.stringify([...counts.values()])}`;
  },
});

type Platform = Awaited<ReturnType<typeof startPlatform>>;

async function portsOf(api: Awaited<ReturnType<Platform['person']>>['api'], agents: Managed[]): Promise<number[]> {
  const all = await Promise.all(agents.flatMap(({ postgresql, redis }) => [postgresql, redis]).map((id) => api.databases.get({ id })));
  return all.map(({ port }) => port ?? 0);
}

interface Counts {
  postgresql: number;
  redis: number;
}

/**
 * Visits until both counters answer. Each counter must be higher than before by 1 up to the number of visits: a failed visit may have been
 * counted by neither database, one or both.
 */
async function countsOn({ visit }: Platform, host: string, before: Counts): Promise<Counts> {
  let last = '';
  let visits = 0;
  await until(
    `${host} answers`,
    async () => {
      visits++;
      const { status, body } = await visit(host);
      last = body;
      return status === 200;
    },
    60,
  ).catch((error: Error) => {
    throw new Error(`${error.message}; last answer: ${last}`);
  });
  const now = JSON.parse(last) as Counts;
  for (const name of ['postgresql', 'redis'] as const)
    assert.ok(
      now[name] > before[name] && now[name] <= before[name] + visits,
      `${name} of ${host} says ${now[name]} after ${before[name]} and ${visits} visits`,
    );
  return now;
}

export const faults: Fault[] = [
  kept('databases-kept', [{ name: 'counter', files: counterAgent() }]),
  // These agents use the common client libraries, which have to be installed.
  kept('databases-kept-examples', [example('counter-node'), example('counter-python')]),
];
