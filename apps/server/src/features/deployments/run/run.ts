import { existsSync } from 'node:fs';
import { type Artifact, BuildError } from '@paddock/builder';
import { deploymentBudgets } from '@paddock/contract/limits';
import type { InstanceSpec, Limits, RuntimeDriver } from '@paddock/runtime';
import type { AgentUrl } from '../../../config.ts';
import { isConnectionError } from '../../../db/connect.ts';
import { patiently } from '../../../db/patiently.ts';
import type { Reserve } from '../../../disk/reserve.ts';
import { environmentLabel } from '../../../labels/host-labels.ts';
import type { Log } from '../../../log.ts';
import type { Seal } from '../../../secrets/seal.ts';
import { type DatabasesOfAgents, type DatabaseUrls, databaseContext, type Given } from '../databases.ts';
import { type Claimed, LeaseLost } from '../leases.ts';
import type { Transitions } from '../transitions.ts';
import { keptSeconds } from '../trial.ts';
import { agentEnvironment } from './agent-environment.ts';
import { expectedKind, type Seen } from './kinds.ts';
import {
  brokenBuild,
  brokeOff,
  buildFailure,
  cutShort,
  databasesMissing,
  notRestarted,
  notStarted,
  startFailure,
  stillSilent,
} from './messages.ts';
import { waitUntilReady } from './ready.ts';
import { jobNotRepeated, type Whereabouts } from './takeover.ts';

/** Writes to the deployment's log; `tail` gives the last lines of an instance once its output is stored. */
export interface DeploymentLog {
  write(source: 'build' | 'platform', level: 'info' | 'warning' | 'error', message: string): void;
  build(stream: 'stdout' | 'stderr', line: string): void;
  flush(): Promise<void>;
}

export interface RunParts {
  transitions: Transitions;
  driver: RuntimeDriver;
  /** ZIP → artifact, with the project's build variables. */
  build: (input: {
    d: Claimed;
    env: Record<string, string>;
    out: DeploymentLog;
    onPlan: (plan: unknown) => Promise<void>;
    signal: AbortSignal;
  }) => Promise<Artifact>;
  /** Where a deployment went whose row names none of this node's instances. */
  whereabouts: (id: string) => Promise<Whereabouts>;
  /** The kinds that agents of this project were seen to be before. */
  seenBefore: (d: Claimed) => Promise<Seen>;
  openVariables: (d: Claimed) => Promise<{ key: string; value: string; available_at_build: boolean }[]>;
  openLog: (d: Pick<Claimed, 'id' | 'team_id'>) => DeploymentLog;
  /** The last lines of an instance, once its output is stored. */
  lastLines: (instance: { id: string; deployment_id: string }) => Promise<string[]>;
  databases: DatabasesOfAgents;
  /** Has it start anew, with what its databases are by now. */
  renew: (d: Claimed) => Promise<unknown>;
  seal: Seal;
  agentUrl: AgentUrl;
  limits: Limits;
  /** A crash within so many seconds after an agent became active is a failed start; 0: never. */
  trial_s: number;
  egress_allow: string[];
  /** For what must be noted although the disk is full. */
  reserve: Reserve;
  log: Log;
}

/** Tries that broke off for other faults than the archive's. */
const attemptsMost = 3;
/** A deployment during whose work so many servers died or hung is given up before it ends another one. */
const cutShortMost = 2;
/** A machine that cannot start an agent that served before is asked again this often: it may be mended meanwhile. */
const refusedRetrySeconds = 30;

/** Takes a claimed deployment from where it stands to where it ends; `onBuilt` hears that it needs the machine no more than any agent. Throws LeaseLost when it is no longer ours. */
export async function runDeployment(given: RunParts, d: Claimed, signal: AbortSignal, onBuilt: () => void) {
  // What was built must not be lost to a database that is away for a while. Each change asks for the fence, so it may be made twice.
  const transitions = patiently(given.transitions, signal);
  const parts = { ...given, transitions };
  const out = parts.openLog(d);
  try {
    const isWornOut = d.status !== 'active' && (d.cut_short > cutShortMost || d.attempts > attemptsMost);
    if (isWornOut) {
      const step = d.status === 'deploying' ? 'Start' : 'Build';
      const message = d.cut_short > cutShortMost ? cutShort(step, cutShortMost) : brokeOff(step, attemptsMost);
      return await fail(parts, d, out, d.status as 'building', message);
    }
    if (d.database_mode === 'managed') await parts.databases.take(d);
    const variables = await parts.openVariables(d);
    let artifact = d.artifact && isPresent(d.artifact) ? d.artifact : null;
    if (d.status === 'active' && !artifact) {
      out.write('platform', 'warning', 'What was built is no longer on this machine: building it again');
      const built = await build(parts, d, variables, out, signal);
      if (!built) return;
      artifact = built;
      await transitions.rebuilt(d, artifact);
    }
    if (d.status === 'queued' || d.status === 'building' || !artifact) {
      if (d.status === 'building')
        out.write('platform', 'warning', 'The build was interrupted by a restart of the server and begins again.');
      if (d.status === 'deploying') out.write('platform', 'warning', 'What was built is not on this machine: building it again');
      await transitions.building(d);
      // failpoint: building-noted
      const built = await build(parts, d, variables, out, signal);
      if (!built) return;
      artifact = built;
      await out.flush();
      // failpoint: built
      await transitions.deploying(d, artifact);
      // failpoint: deploying-noted
    }
    onBuilt();
    await start(parts, d, artifact, variables, out, signal);
  } finally {
    await out.flush();
  }
}

/** False after a move of the data directory, or when its builds were removed by hand. */
const isPresent = ({ app_dir, mounts }: Artifact) => [app_dir, ...mounts.map((mount) => mount.from)].every((path) => existsSync(path));

type Variables = Awaited<ReturnType<RunParts['openVariables']>>;

async function build(
  parts: RunParts,
  d: Claimed,
  variables: Variables,
  out: DeploymentLog,
  signal: AbortSignal,
): Promise<Artifact | undefined> {
  const env = Object.fromEntries(variables.filter((one) => one.available_at_build).map(({ key, value }) => [key, value]));
  const budget = AbortSignal.timeout(deploymentBudgets.build_s * 1000);
  try {
    return await parts.build({
      d,
      env,
      out,
      onPlan: (plan) => parts.transitions.planned(d, plan),
      signal: AbortSignal.any([signal, budget]),
    });
  } catch (error) {
    if (signal.aborted || error instanceof LeaseLost || isConnectionError(error)) throw error;
    if (budget.aborted) {
      await fail(
        parts,
        d,
        out,
        'building',
        `Build failed: it took longer than ${deploymentBudgets.build_s / 60} minutes. Look at the log for the step that hangs.`,
      );
      return undefined;
    }
    if (!(error instanceof BuildError)) parts.log.error({ err: error, deployment: d.id }, 'a build broke off unexpectedly');
    await fail(parts, d, out, 'building', error instanceof BuildError ? buildFailure(error, Object.keys(env)) : brokenBuild(error));
    return undefined;
  }
}

async function start(parts: RunParts, d: Claimed, artifact: Artifact, variables: Variables, out: DeploymentLog, signal: AbortSignal) {
  const { driver, transitions, limits } = parts;
  const { plan } = artifact;
  const databases = await parts.databases.give(d, signal);
  if (databases.kind === 'elsewhere') {
    await transitions.handBack(d); // a node of the machine that has them claims it
    throw new LeaseLost();
  }
  if (databases.kind === 'missing') {
    if (d.status !== 'active') return await fail(parts, d, out, 'deploying', databasesMissing(databases.message));
    out.write('platform', 'warning', `${databasesMissing(databases.message, 'Restart')} It is tried again in ${refusedRetrySeconds} s.`);
    return void (await transitions.startRefused(d, refusedRetrySeconds));
  }
  for (const warning of databases.warnings) out.write('platform', 'warning', warning);
  const urls = urlsOf(parts, d, databases);
  if (d.database_mode === 'byo' && !urls.postgres_url && !urls.redis_url)
    out.write('platform', 'warning', 'No address of a database is stored for this environment: give one under Databases, then redeploy');
  const url = parts.agentUrl(environmentLabel(d.subdomain, d.environment));
  const { env, clashes } = agentEnvironment({
    plan: artifact.env,
    variables,
    databases: urls,
    deployment: { id: d.id, project_name: d.subdomain, environment: d.environment, url },
    memory_mb: limits.memory_mb,
  });
  if (clashes.length) out.write('platform', 'warning', `Set by Paddock, so your own value is not used: ${clashes.join(', ')}`);

  if (plan.type === 'job' && d.status === 'deploying' && d.instance_id && d.last_host !== null)
    return await fail(parts, d, out, 'deploying', jobNotRepeated(d.last_host));
  // Left by a worker that died. A job is not run again when it has ended meanwhile: how it ended counts.
  const left = d.instance_id ? await driver.find(d.instance_id) : undefined;
  const adopted = left?.state === 'running' || plan.type === 'job' ? left : undefined;
  const instance_id = adopted?.id ?? instanceId(d);
  if (!adopted) {
    await transitions.starting(d, instance_id);
    // failpoint: instance-noted
    out.write('platform', 'info', d.status === 'active' ? 'Restarting the agent' : `Starting the agent: ${plan.start.join(' ')}`);
    await out.flush();
    const spec: InstanceSpec = {
      id: instance_id,
      deployment_id: d.id,
      generation: d.fence,
      app_dir: artifact.app_dir,
      mounts: artifact.mounts,
      cwd: artifact.cwd,
      command: artifact.command,
      env,
      limits,
      egress: { allow: parts.egress_allow },
      services: databases.services,
    };
    const refusal = await driver.start(spec, signal).then(
      () => undefined,
      (error: unknown) => error,
    );
    if (refusal !== undefined) {
      if (signal.aborted) throw refusal;
      parts.log.error({ err: refusal, deployment: d.id }, 'an agent could not be started');
      if (d.status !== 'active') return await fail(parts, d, out, 'deploying', notStarted(refusal));
      out.write('platform', 'error', notRestarted(refusal, refusedRetrySeconds));
      return void (await transitions.startRefused(d, refusedRetrySeconds));
    }
  }
  // failpoint: agent-started
  const expected = expectedKind(plan, d, await parts.seenBefore(d));
  const wanted = {
    expected,
    may_end: ((d.status === 'active' && d.agent_type) || plan.type) !== 'web',
    cpus: limits.cpus,
    port: plan.port,
    health: plan.health,
    budget_s: plan.start_budget_s,
    onSilence: (because: string) => out.write('platform', 'info', stillSilent(because, plan.start_budget_s)),
  };
  const readiness = await waitUntilReady(driver, instance_id, wanted, signal);
  if (readiness.kind === 'exited' || readiness.kind === 'timeout') {
    if (readiness.kind === 'timeout') await driver.stop(instance_id, deploymentBudgets.stop_grace_s * 1000);
    const tail = await parts.lastLines({ id: instance_id, deployment_id: d.id });
    if (d.status === 'active') return void (await transitions.restartFailed(d)); // it served before: the supervisor counts the crash and plans the next restart
    return await fail(
      parts,
      d,
      out,
      'deploying',
      startFailure(readiness, { limits, budget_s: plan.start_budget_s, tail, set: Object.keys(env), asks: plan.asks }),
    );
  }
  if (readiness.kind === 'completed') {
    out.write('platform', 'info', 'The agent ran to its end with exit code 0');
    await parts.lastLines({ id: instance_id, deployment_id: d.id });
    await out.flush();
    return await transitions.completed(d);
  }
  const target = readiness.kind === 'web' ? readiness : undefined;
  // failpoint: ready
  const outcome = await transitions.active(
    d,
    target ? 'web' : 'worker',
    target,
    deploymentBudgets.drain_s,
    keptSeconds(deploymentBudgets.drain_s, parts.trial_s),
  );
  // failpoint: swapped
  if (outcome === 'superseded') out.write('platform', 'info', 'A newer deployment serves already; this one is stopped');
  else out.write('platform', 'info', target ? `Ready on port ${target.instance_port}: ${url}` : 'Running');
  if (outcome === 'active' && !(await databases.isCurrent())) await parts.renew(d);
}

/** What an older deployment keeps of addresses counts, each type by itself, until its environment has it. */
function urlsOf({ seal }: RunParts, d: Claimed, { urls }: Given): DatabaseUrls {
  const own: DatabaseUrls =
    d.databases_sealed && d.databases_key_id
      ? JSON.parse(seal.open({ sealed: d.databases_sealed, key_id: d.databases_key_id }, databaseContext(d.id)))
      : {};
  return { redis_url: urls.redis ?? own.redis_url, postgres_url: urls.postgresql ?? own.postgres_url };
}

/** One id per attempt, so a start that is repeated after a crash never meets its own leftovers. */
const instanceId = (d: Claimed) => `ins-${d.id.slice(4)}-${d.fence}`;

async function fail(parts: RunParts, d: Claimed, out: DeploymentLog, stage: 'queued' | 'building' | 'deploying', message: string) {
  out.write('platform', 'error', message.split('\n\nLast lines:')[0]!);
  await out.flush();
  await parts.transitions.failed(d, stage, message);
}
