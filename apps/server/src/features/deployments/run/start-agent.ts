import type { Artifact, Plan } from '@paddock/builder';
import { deploymentBudgets } from '@paddock/contract/limits';
import { environmentLabel } from '../../../labels/host-labels.ts';
import { sealedSecrets } from '../../../protection/agent-secrets/secret-store.ts';
import { deploymentDatabasesContext } from '../../../secrets/contexts.ts';
import type { DatabaseUrls, ReadyDatabases } from '../databases.ts';
import { type Claimed, LeaseLost } from '../leases.ts';
import { predecessorGraceSeconds } from '../predecessor.ts';
import { agentEnvironment, type Telemetry } from './agent-environment.ts';
import { expectedKind } from './agent-kind.ts';
import { absentPackages, brokenPackage, installedFor } from './broken-package.ts';
import { withCredentialFiles } from './credential-file.ts';
import { lackedPackages } from './diagnose-output.ts';
import { jobNotRepeated } from './failover.ts';
import {
  databasesMissing,
  doubtfulEnd,
  type NotReady,
  notListeningMessage,
  restartErrorMessage,
  startErrorMessage,
  startFailure,
} from './failure-messages.ts';
import { findFirstVisit } from './first-visit/first-visit.ts';
import type { Page } from './first-visit/page.ts';
import { buildOlder, failOlder, olderThan } from './older.ts';
import { ownModule } from './own-module.ts';
import { type Readiness, type Wait, waitUntilReady } from './readiness.ts';
import { suggestAlternative } from './suggest-alternative.ts';
import { failDeployment, type RunContext, type Variables, type WorkerDeps } from './worker-deps.ts';

/** Retry delay after the machine refused to restart an agent: it may be repaired meanwhile. */
const refusedRetrySeconds = 30;

interface Built {
  artifact: Artifact;
  variables: Variables;
}
interface Prepared {
  artifact: Artifact;
  databases: ReadyDatabases;
  telemetry: Telemetry | undefined;
  env: Record<string, string>;
  url: string;
  variables_at: string | null;
  /** The last change of each variable, by name. */
  variable_times: Record<string, string>;
}

/** Starts the agent, or adopts the one that an earlier worker left, waits until it is ready, and moves the deployment accordingly. */
export async function startAgent(run: RunContext, { artifact, variables }: Built): Promise<void> {
  const { parts, d } = run;
  const databases = await waitForDatabases(run);
  if (!databases) return;
  const url = parts.agentUrl(environmentLabel(d.subdomain, d.environment));
  const telemetry = parts.toTelemetry?.(d.id);
  const env = buildEnvironment(run, { artifact, variables, databases, telemetry, url });
  const variable_times = Object.fromEntries(variables.map(({ key, updated_at }) => [key, updated_at]));
  const prepared = { artifact, databases, telemetry, url, env, variables_at: findNewestChange(variables), variable_times };
  if (artifact.plan.type === 'job' && d.status === 'deploying' && d.instance_id && d.last_host !== null)
    return await failDeployment(run, 'deploying', jobNotRepeated(d.last_host));
  const instance_id = await startInstance(run, prepared);
  if (instance_id === undefined) return;
  // failpoint: agent-started
  const readiness = await becomesReady(run, instance_id, { plan: artifact.plan, url });
  if (readiness.kind === 'exited' || readiness.kind === 'timeout') return await notReady(run, readiness, { instance_id, prepared });
  if (readiness.kind === 'completed') return await completed(run, instance_id, prepared);
  if (readiness.kind === 'web' && d.status !== 'active') {
    const raised = await visitOnce(run, artifact.plan, { ...readiness, url });
    if (raised !== undefined) return await notReady(run, raised, { instance_id, prepared });
  }
  await serve(run, readiness, prepared);
}

/** Undefined if the visit raised nothing, or this kind of agent is not visited. */
async function visitOnce({ out, signal }: RunContext, plan: Plan, page: Page): Promise<NotReady | undefined> {
  const first = findFirstVisit(plan);
  if (!first) return undefined;
  out.write('platform', 'info', first.announcement);
  const error = await first.visit(page, signal);
  signal.throwIfAborted();
  return error === undefined ? undefined : { kind: 'raised', failure: first.failure, error };
}

/** Times in ISO 8601 sort as texts. */
const findNewestChange = (variables: Variables): string | null =>
  variables.reduce<string | null>((newest, { updated_at }) => (newest === null || updated_at > newest ? updated_at : newest), null);

/** Undefined if they are missing: the deployment has then failed, or its restart is due later. */
async function waitForDatabases(run: RunContext): Promise<ReadyDatabases | undefined> {
  const { parts, d, out, signal } = run;
  const { transitions } = parts;
  const databases = await parts.databases.give(d, signal);
  if (databases.kind === 'elsewhere') {
    await transitions.handBack(d); // a node on the databases' machine claims it
    throw new LeaseLost();
  }
  if (databases.kind === 'ready') return databases;
  if (d.status !== 'active') {
    await failDeployment(run, 'deploying', databasesMissing(databases.message));
    return undefined;
  }
  out.write('platform', 'warning', `${databasesMissing(databases.message, 'Restart')} It is tried again in ${refusedRetrySeconds} s.`);
  await transitions.startRefused(d, refusedRetrySeconds);
  return undefined;
}

/** The agent's environment; surprises about it are written to its log. */
function buildEnvironment(
  { parts, d, out }: RunContext,
  { artifact, variables, databases, telemetry, url }: Built & Pick<Prepared, 'databases' | 'telemetry' | 'url'>,
) {
  for (const warning of databases.warnings) out.write('platform', 'warning', warning);
  const urls = resolveDatabaseUrls(parts, d, databases);
  if (d.database_mode === 'byo' && !urls.postgres_url && !urls.redis_url)
    out.write('platform', 'warning', 'No address of a database is stored for this environment: give one under Databases, then redeploy');
  const { env, clashes, hidden } = agentEnvironment({
    plan: artifact.env,
    variables,
    databases: urls,
    asked: artifact.plan.asked_variables,
    deployment: { id: d.id, project_name: d.subdomain, environment: d.environment, url },
    memory_mb: parts.limits.memory_mb,
    telemetry,
  });
  if (clashes.length) out.write('platform', 'warning', `Set by Paddock, so your own value is not used: ${clashes.join(', ')}`);
  if (hidden.length)
    out.write(
      'platform',
      'warning',
      `Set under Variables, so that of the database is not used: ${hidden.join(', ')}. If the agent cannot sign in to its database, remove them there and redeploy`,
    );
  return env;
}

/** Undefined if the machine refused to start the agent: the deployment has then failed, or its restart is due later. */
async function startInstance(
  run: RunContext,
  { artifact, databases, telemetry, env, variables_at, variable_times }: Prepared,
): Promise<string | undefined> {
  const { parts, d, out, signal } = run;
  const { driver, transitions, limits } = parts;
  const { plan } = artifact;
  // The instance may be left by a worker that died. A job that has ended meanwhile is not run again: its result counts.
  const left = d.instance_id ? await driver.find(d.instance_id) : undefined;
  if (left && (left.state === 'running' || plan.type === 'job')) return left.id;
  const instance_id = instanceId(d);
  await transitions.starting(d, { instance_id, given: sealedSecrets(parts.seal, d.id, env), variables_at, variable_times });
  // failpoint: instance-noted
  out.write('platform', 'info', d.status === 'active' ? 'Restarting the agent' : `Starting the agent: ${plan.start.join(' ')}`);
  await out.flush();
  try {
    const hosts = await parts.hosts.rules(d.team_id);
    await driver.start(
      {
        id: instance_id,
        deployment_id: d.id,
        owner: d.team_id,
        generation: d.fence,
        app_dir: artifact.app_dir,
        mounts: artifact.mounts,
        cwd: artifact.cwd,
        command: withCredentialFiles(artifact.command, env),
        env,
        limits,
        egress: { allow: parts.egressAllow },
        hosts,
        services: telemetry ? [...databases.services, { port: telemetry.port }] : databases.services,
      },
      signal,
    );
    return instance_id;
  } catch (error) {
    if (signal.aborted) throw error;
    await refused(run, error);
    return undefined;
  }
}

async function refused(run: RunContext, error: unknown): Promise<void> {
  const { parts, d, out } = run;
  parts.log.error({ err: error, deployment: d.id }, 'agent start failed');
  if (d.status !== 'active') return await failDeployment(run, 'deploying', startErrorMessage(error));
  out.write('platform', 'error', restartErrorMessage(error, refusedRetrySeconds));
  await parts.transitions.startRefused(d, refusedRetrySeconds);
}

async function becomesReady(
  { parts, d, out, signal }: RunContext,
  instance_id: string,
  { plan, url }: Pick<Artifact, 'plan'> & Pick<Prepared, 'url'>,
): Promise<Readiness> {
  const wanted = {
    instance_id,
    expected: expectedKind(plan, d, await parts.seenBefore(d)),
    mayEnd: ((d.status === 'active' && d.agent_type) || plan.type) !== 'web',
    cpus: parts.limits.cpus,
    port: plan.port,
    health: plan.health,
    url,
    budgetSeconds: plan.start_budget_s,
    onWait: (wait: Wait) => out.write('platform', 'info', notListeningMessage(wait, plan.start_budget_s)),
  };
  return await waitUntilReady(parts.driver, wanted, signal);
}

async function notReady(
  run: RunContext,
  readiness: NotReady,
  { instance_id, prepared: { artifact, env } }: { instance_id: string; prepared: Prepared },
): Promise<void> {
  const { parts, d } = run;
  const { plan } = artifact;
  if (readiness.kind !== 'exited') await parts.driver.stop(instance_id, deploymentBudgets.stopGraceSeconds * 1000);
  const tail = await parts.lastLines({ id: instance_id, deployment_id: d.id });
  if (d.status === 'active') {
    // The agent served before: the supervisor counts the crash and plans the next restart.
    await parts.transitions.restartFailed(d);
    return;
  }
  const about = {
    limits: parts.limits,
    budgetSeconds: plan.start_budget_s,
    tail,
    set: Object.keys(env),
    asked: plan.asked_variables ?? [],
    examples: startsWithArguments(plan),
    lacks: plan.lacks,
    unfetched: plan.unfetched,
    installed: installedFor(tail, artifact),
    own: ownModule(tail, artifact),
    others: absentPackages(artifact),
    language: plan.language,
    instead: suggestAlternative(tail, artifact),
  };
  const message = startFailure(readiness, about);
  const lacks = lackedPackages(tail, about);
  const choices = lacks.length === 0 ? [] : [{ packages: lacks.join(' '), because: 'the start misses it' }];
  const error = readiness.kind === 'timeout' ? undefined : brokenPackage(tail, artifact, about.set);
  if (error === undefined) return await failDeployment(run, 'deploying', { message, choices });
  const older = olderThan(tail, artifact);
  if (d.newest_failed !== null || older === undefined) return await failOlder(run, 'deploying', { message, choices });
  await buildOlder(run, { error, message, ...older });
}

const maxExamples = 2;
/** Commands of the archive's documents that run the start with arguments. */
const startsWithArguments = ({ choices = [], start }: Artifact['plan']): string[] =>
  choices.flatMap(({ start: line = '' }) => (line.startsWith(`${start.join(' ')} `) ? line : [])).slice(0, maxExamples);

async function completed({ parts, d, out }: RunContext, instance_id: string, { artifact, env }: Prepared): Promise<void> {
  out.write('platform', 'info', 'The agent ran to its end with exit code 0');
  const tail = await parts.lastLines({ id: instance_id, deployment_id: d.id });
  const { asked_variables: asked = [], lacks = [] } = artifact.plan;
  const doubt = doubtfulEnd({ tail, set: Object.keys(env), asked, lacks });
  if (doubt) out.write('platform', 'warning', doubt.split('\n\nLast lines:')[0]!);
  await out.flush();
  await parts.transitions.completed(d, doubt && (await out.masked(doubt)));
}

async function serve(
  { parts, d, out }: RunContext,
  readiness: Extract<Readiness, { kind: 'web' | 'worker' }>,
  { databases, url }: Prepared,
): Promise<void> {
  const target = readiness.kind === 'web' ? readiness : undefined;
  // failpoint: ready
  const outcome = await parts.transitions.active(d, {
    agent_type: readiness.kind,
    target,
    drainSeconds: deploymentBudgets.drainSeconds,
    keptSeconds: predecessorGraceSeconds(deploymentBudgets.drainSeconds, parts.trialSeconds),
  });
  // failpoint: swapped
  if (outcome === 'superseded') {
    out.write('platform', 'info', 'A newer deployment serves already; this one is stopped');
    return;
  }
  out.write('platform', 'info', target ? `Ready on port ${target.instance_port}: ${url}` : 'Running');
  if (!(await databases.isCurrent())) await parts.renew(d);
}

/** An older deployment's own addresses apply, separately per type, until its environment has that type. */
function resolveDatabaseUrls({ seal }: WorkerDeps, d: Claimed, { urls }: ReadyDatabases): DatabaseUrls {
  const own: DatabaseUrls =
    d.databases_sealed && d.databases_key_id
      ? JSON.parse(seal.open({ sealed: d.databases_sealed, key_id: d.databases_key_id }, deploymentDatabasesContext(d.id)))
      : {};
  return { redis_url: urls.redis ?? own.redis_url, postgres_url: urls.postgresql ?? own.postgres_url };
}

/** A new id per attempt, so that a repeated start never meets its own leftovers. */
const instanceId = (d: Claimed) => `ins-${d.id.slice(4)}-${d.fence}`;
