import { hostRulesDigest, type Instance, type RefusedHost } from '@paddock/runtime';
import type { SupervisedDeployment } from '../supervised.ts';
import type { WorkerDeps } from './worker-deps.ts';

/** Rules that change take effect on agents that run within this time. */
const everyMs = 2_000;
/** How old what is known of a hold may become. */
const noteMs = 60_000;
const maxPendingReports = 100;

interface EnforcedState {
  text: string;
  atMs: number;
}
type Deps = Pick<WorkerDeps, 'driver' | 'hosts' | 'holds' | 'openLog' | 'log'>;

/** Holds the agents of this node to what policies say of hosts, and tells developers and the trail which hosts were refused. */
export function createHostRuleEnforcer({ driver, hosts, holds, openLog, log }: Deps) {
  const noted = new Map<string, EnforcedState>();
  let live: readonly SupervisedDeployment[] = [];
  let working: Promise<void> | undefined;
  let nextMs = 0;
  let early: RefusedHost[] = [];
  const tellOf = (refused: RefusedHost): void =>
    void reportRefused(refused).catch((error: unknown) => log.warn({ err: error }, 'a refused host could not be told of'));
  driver.onRefusedHost(tellOf);

  async function reportRefused(refused: RefusedHost): Promise<void> {
    const { deployment_id, host } = refused;
    const d = live.find(({ id }) => id === deployment_id);
    // Of one that was just started the supervisor does not know yet.
    if (!d && early.length < maxPendingReports) early.push(refused);
    const sentence = d && (await hosts.refused(d, host));
    if (!sentence) return;
    const out = openLog(d);
    out.write('platform', 'warning', sentence);
    await out.flush();
  }

  async function enforceAll(seen: ReadonlyMap<string, Instance>): Promise<void> {
    const running = live.filter(({ instance_id }) => instance_id && seen.get(instance_id)?.state === 'running');
    const ids = new Set(running.map(({ id }) => id));
    for (const id of noted.keys()) if (!ids.has(id)) noted.delete(id);
    for (const d of running)
      await enforce(d, d.instance_id!).catch((error: unknown) =>
        log.warn({ err: error, deployment: d.id }, 'an agent could not be held to hosts'),
      );
  }

  async function enforce({ id, team_id }: SupervisedDeployment, instance_id: string): Promise<void> {
    const rules = await hosts.rules(team_id);
    const error = await driver.holdToHosts(instance_id, rules).then(
      () => undefined,
      (cause: unknown) => cause,
    );
    if (error !== undefined && (await driver.find(instance_id))?.state !== 'running') return; // it ended meanwhile
    const problem = error === undefined ? null : problemOf(driver);
    if (rules.length === 0 && problem === null) {
      if (noted.get(id)?.text !== '') await holds.forget(team_id, id);
      noted.set(id, { text: '', atMs: 0 });
      return;
    }
    const text = JSON.stringify([hostRulesDigest(rules), problem]);
    const before = noted.get(id);
    if (before?.text === text && performance.now() - before.atMs < noteMs) return;
    if (problem !== null && before?.text !== text)
      log.warn({ err: error, deployment: id }, 'an agent is not held to the hosts that policies allow');
    await holds.note({ deployment_id: id, team_id, rules, problem });
    noted.set(id, { text, atMs: performance.now() });
  }

  return {
    /** Brings what runs in line with the rules, beside the work of the caller. */
    look(deployments: readonly SupervisedDeployment[], seen: ReadonlyMap<string, Instance>): void {
      live = deployments;
      const known = early.filter(({ deployment_id }) => live.some(({ id }) => id === deployment_id));
      early = [];
      for (const refused of known) tellOf(refused);
      if (working || performance.now() < nextMs) return;
      nextMs = performance.now() + everyMs;
      working = enforceAll(seen).finally(() => (working = undefined));
    },
    over: async (): Promise<void> => working,
  };
}

/** What a team is told; the cause is in the server's log. */
const problemOf = ({ isolated }: WorkerDeps['driver']) =>
  isolated
    ? 'the rules could not be put in force where it runs; the log of that server says why.'
    : 'it runs without a sandbox (PADDOCK_UNSANDBOXED), where nothing can hold an agent to hosts.';
