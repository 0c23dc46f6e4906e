import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { deploy, type Platform } from '../../apps/server/test/platform.ts';
import type { Api } from '../../apps/server/test/server.ts';
import { hostileAgents, hostileArchives } from './hostile-archives.ts';
import type { Chance } from './random.ts';

/** Timeout of a hostile deployment to end in any way. Honest deployments wait in the same queue. */
const endSeconds = 300;
const pauseMs = 2000;
const nuisanceMs = 60_000;
const visitMs = 10_000;
const visitsPerSecond = 10;
const rememberedMost = 30;
/** Numbers of names in `Connection`: nearly the gateway's limit, and more, which it refuses before it asks the agent. */
const connectionNames = [60, 300];
/** Source address of the visitors of hostile agents. The gateway limits by address, and honest visitors must not pay. */
const address = '127.0.0.9';

/**
 * Hostile teams attack the platform with archives, agents and visitors until the signal. `teams` has one signed-in API each. A failure is a
 * hostile deployment that never ended, or a call without a response.
 */
export function startHostile(platform: Platform, teams: Api[], { chance: { pick }, signal }: { chance: Chance; signal: AbortSignal }) {
  const total: Record<string, number> = {};
  const failures: string[] = [];
  const hosts = new Set<string>();

  function count(what: string) {
    total[what] = (total[what] ?? 0) + 1;
  }
  function fail(what: string, error: unknown) {
    if (failures.length < rememberedMost) failures.push(`${new Date().toISOString()} ${what}: ${String(error)}`);
  }

  async function ended(api: Api, id: string, wanted: string[]) {
    for (const until = Date.now() + endSeconds * 1000; Date.now() < until; await sleep(250)) {
      const { status } = await api.deployments.get({ id });
      if (wanted.includes(status)) return status;
    }
    throw new Error(`${id} did not end within ${endSeconds} s`);
  }

  /** Deploys archives that are costly to read or to build, one after the other. */
  async function archives(api: Api, project_id: string) {
    while (!signal.aborted) {
      const name = pick(Object.keys(hostileArchives));
      try {
        const { id } = await deploy(api, project_id, hostileArchives[name]!);
        count(`${name}: ${await ended(api, id, ['active', 'completed', 'failed', 'stopped'])}`);
      } catch (error) {
        fail(name, error);
      }
      await sleep(pauseMs);
    }
  }

  /** An agent that runs for a minute, is stopped, and comes again in another form. */
  async function agents(api: Api, project: { id: string; url: string }) {
    while (!signal.aborted) {
      const name = pick(Object.keys(hostileAgents));
      try {
        const { id } = await deploy(api, project.id, hostileAgents[name]!);
        count(`${name}: ${await ended(api, id, ['active', 'failed'])}`);
        hosts.add(new URL(project.url).host);
        await sleep(nuisanceMs, undefined, { signal }).catch(() => 'the run ends');
        // Many end by themselves: at a limit, or in their first minute.
        if ((await api.deployments.get({ id })).status === 'active') await api.deployments.stop({ id });
        await ended(api, id, ['stopped', 'failed']);
      } catch (error) {
        fail(name, error);
      }
    }
  }

  async function visitors() {
    while (!signal.aborted) {
      for (const host of hosts) for (const names of connectionNames) void visitBadly(platform.gatewayPort, host, names).then(count);
      await sleep((1000 * connectionNames.length) / visitsPerSecond);
    }
  }

  const done = Promise.all([
    visitors(),
    ...teams.map(async (api, index) => {
      const project = await api.projects.create({ name: `hostile-${index}` });
      await (index % 2 ? agents(api, project) : archives(api, project.id));
    }),
  ]);
  return { total, failures, done };
}

/** A visit with a legal head that is as costly as possible; returns the kind of response. */
function visitBadly(port: number, host: string, names: number): Promise<string> {
  return new Promise((resolve) => {
    const headers = { host, connection: Array.from({ length: names }, (_, n) => `x-${n}`).join(','), cookie: `${' ='.repeat(3000)};a` };
    const path = `/${'%2f..;'.repeat(500)}?${'%74oken=x&'.repeat(100)}`;
    const call = get({ host: '127.0.0.1', localAddress: address, port, path, headers, agent: false, timeout: visitMs }, (answer) => {
      answer.resume();
      answer.on('close', () => resolve(`a hostile visit: ${answer.statusCode}`));
    });
    call.on('timeout', () => call.destroy(new Error('time-out')));
    call.on('error', (error: NodeJS.ErrnoException) => resolve(`a hostile visit: ${error.code ?? error.message}`));
  });
}

/** Deletes the projects of the hostile teams, as an operator would. */
export async function endHostile(teams: Api[]) {
  for (const api of teams) for (const { id } of (await api.projects.list({})).projects) await api.projects.delete({ id });
}
