import { hostRulesDigest, type Instance, type RefusedHost } from '@paddock/runtime';
import type { SupervisedDeployment } from '../supervised.ts';
import type { WorkerDeps } from './worker-deps.ts';

/** Changed rules take effect on running agents within this time. */
const everyMs = 2_000;
/** Maximum age of the recorded enforcement state. */
const noteMs = 60_000;
const maxPendingReports = 100;

interface EnforcedState {
  text: string;
  atMs: number;
}
type Deps = Pick<WorkerDeps, 'driver' | 'hosts' | 'holds' | 'openLog' | 'log'>;

/** Enforces the host rules of policies on this node's agents, and reports refused hosts to developers and the audit trail. */
export function createHostRuleEnforcer({ driver, hosts, holds, openLog, log }: Deps) {
  const noted = new Map<string, EnforcedState>();
  let live: readonly SupervisedDeployment[] = [];
  let working: Promise<void> | undefined;
  let nextMs = 0;
  let early: RefusedHost[] = [];
  const tellOf = (refused: RefusedHost): void =>
    void reportRefused(refused).catch((error: unknown) => log.warn({ err: error }, 'refused host could not be reported'));
  driver.onRefusedHost(tellOf);

  async function reportRefused(refused: RefusedHost): Promise<void> {
    const { deployment_id, host } = refused;
    const d = live.find(({ id }) => id === deployment_id);
    // The supervisor does not know a deployment that was just started; it is reported later.
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
        log.warn({ err: error, deployment: d.id }, 'host rule enforcement failed; retrying'),
      );
  }

  async function enforce({ id, team_id }: SupervisedDeployment, instance_id: string): Promise<void> {
    const rules = await hosts.rules(team_id);
    const error = await driver.holdToHosts(instance_id, rules).then(
      () => undefined,
      (cause: unknown) => cause,
    );
    if (error !== undefined && (await driver.find(instance_id))?.state !== 'running') return; // the instance has ended meanwhile
    const problem = error === undefined ? null : describeProblem(driver);
    if (rules.length === 0 && problem === null) {
      if (noted.get(id)?.text !== '') await holds.forget(team_id, id);
      noted.set(id, { text: '', atMs: 0 });
      return;
    }
    const text = JSON.stringify([hostRulesDigest(rules), problem]);
    const before = noted.get(id);
    if (before?.text === text && performance.now() - before.atMs < noteMs) return;
    if (problem !== null && before?.text !== text) log.warn({ err: error, deployment: id }, 'host rules are not in force for an agent');
    await holds.note({ deployment_id: id, team_id, rules, problem });
    noted.set(id, { text, atMs: performance.now() });
  }

  return {
    /** Applies the rules to running agents, without blocking the caller. */
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

/** The message for the team; the cause is in the server's log. */
const describeProblem = ({ isolated }: WorkerDeps['driver']) =>
  isolated
    ? 'the rules could not be enforced where it runs; the log of that server has the cause.'
    : 'it runs without a sandbox (PADDOCK_UNSANDBOXED), and host rules cannot be enforced without one.';
