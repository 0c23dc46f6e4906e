import { existsSync } from 'node:fs';
import { type Artifact, type AskedVariable, BuildError, type Plan } from '@paddock/builder';
import { isConnectionError } from '../../../db/connect.ts';
import { retryOutages } from '../../../db/retry-outages.ts';
import { type Claimed, LeaseLost } from '../leases.ts';
import { buildErrorMessage, buildFailure, infrastructureMessage, serverDiedMessage } from './failure-messages.ts';
import { failOlder, insteadText } from './older.ts';
import { startAgent } from './start-agent.ts';
import { failDeployment, type RunContext, type Variables, type WorkerDeps } from './worker-deps.ts';

/** Maximum attempts that fail for reasons outside the archive. */
const maxAttempts = 3;
/** A deployment fails after this many servers died or hung during its work, before it ends another one. */
const maxServerDeaths = 2;
interface RunOptions {
  signal: AbortSignal;
  /** Called when the build is over: from now on the deployment needs no more of the machine than any agent. */
  onBuilt: () => void;
}

/** Runs a claimed deployment from its current state to its end. Throws LeaseLost when it is no longer ours. */
export async function runDeployment(given: WorkerDeps, d: Claimed, { signal, onBuilt }: RunOptions) {
  // A build must not be lost because the database is away for a while. Each change checks the fence, so it may be repeated.
  const transitions = retryOutages(given.transitions, signal);
  const parts = { ...given, transitions };
  const out = parts.openLog(d);
  const run: RunContext = { parts, d, out, signal };
  let release = async () => undefined as void;
  const buildNow = async (variables: Variables) => {
    const result = await build(run, variables);
    if (result) ({ release } = result);
    return result?.artifact;
  };
  try {
    const isWornOut = d.status !== 'active' && (d.cut_short > maxServerDeaths || d.attempts > maxAttempts);
    if (isWornOut) {
      const step = d.status === 'deploying' ? 'Start' : 'Build';
      const message = d.cut_short > maxServerDeaths ? serverDiedMessage(step, maxServerDeaths) : infrastructureMessage(step, maxAttempts);
      return await failDeployment(run, d.status as 'building', message);
    }
    if (d.database_mode === 'managed') await parts.databases.take(d);
    const variables = await parts.openVariables(d);
    let built: Artifact | undefined;
    let artifact = d.artifact && isPresent(d.artifact) ? d.artifact : null;
    if (d.status === 'active' && !artifact) {
      out.write('platform', 'warning', 'What was built is no longer on this machine: building it again');
      built = await buildNow(variables);
      if (!built) return;
      artifact = built;
      await transitions.rebuilt(d, artifact);
    }
    if (d.status === 'queued' || d.status === 'building' || !artifact) {
      if (d.newest_failed !== null) out.write('platform', 'warning', `Building with ${insteadText(d.newest_failed)}.`);
      else if (d.status === 'building')
        out.write('platform', 'warning', 'The build was interrupted by a restart of the server and begins again.');
      if (d.status === 'deploying') out.write('platform', 'warning', 'What was built is not on this machine: building it again');
      await transitions.building(d);
      // failpoint: building-noted
      built = await buildNow(variables);
      if (!built) return;
      const refusal = await parts.planRefusal(d, built.plan);
      if (refusal !== undefined) return await failDeployment(run, 'building', refusal);
      artifact = built;
      await out.flush();
      // failpoint: built
      await transitions.deploying(d, artifact);
      // failpoint: deploying-noted
    }
    onBuilt();
    await Promise.all([startAgent(run, { artifact, variables }), built && parts.notePackages(d.id, built, signal)]);
  } finally {
    await Promise.all([out.flush(), release()]);
  }
}

/** False after a move of the data directory, or if its builds were removed by hand. */
const isPresent = ({ app_dir, mounts }: Artifact) => [app_dir, ...mounts.map((mount) => mount.from)].every((path) => existsSync(path));

/** The builder itself ends a step at the time limit, and knows which one. This much later, whatever hangs between the steps is ended. */
const hungSeconds = 30;

/** Undefined when the build has failed; the deployment has then failed too. */
async function build(run: RunContext, variables: Variables): Promise<Awaited<ReturnType<WorkerDeps['build']>> | undefined> {
  const { parts, d, out, signal } = run;
  const env = Object.fromEntries(variables.filter((one) => one.available_at_build).map(({ key, value }) => [key, value]));
  const budget = AbortSignal.timeout((parts.buildSeconds + hungSeconds) * 1000);
  let asked: AskedVariable[] = [];
  try {
    return await parts.build({
      d,
      env,
      out,
      onPlan: async (plan) => {
        asked = (plan as Plan).asked_variables ?? [];
        await parts.transitions.planned(d, plan);
      },
      signal: AbortSignal.any([signal, budget]),
    });
  } catch (error) {
    if (signal.aborted || error instanceof LeaseLost || isConnectionError(error)) throw error;
    if (budget.aborted) {
      await failDeployment(
        run,
        'building',
        `Build failed: it took longer than the ${parts.buildSeconds} s that a build may take. Look at the log for the step that hangs, or have the operator raise PADDOCK_BUILD_TIMEOUT_S.`,
      );
      return undefined;
    }
    if (!(error instanceof BuildError)) parts.log.error({ err: error, deployment: d.id }, 'build failed unexpectedly');
    const message = error instanceof BuildError ? buildFailure(error, { set: Object.keys(env), asked }) : buildErrorMessage(error);
    await failOlder(run, 'building', { message, choices: error instanceof BuildError ? error.choices : [] });
    return undefined;
  }
}
