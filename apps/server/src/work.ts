import { BuildError, build, collectArtifacts, collectCaches, collectLayers, findToolchains } from '@paddock/builder';
import { deploymentBudgets } from '@paddock/contract/limits';
import type { Probe, RuntimeDriver, StepRunner } from '@paddock/runtime';
import { blobsOf } from './app.ts';
import type { Config } from './config.ts';
import type { Changes } from './db/changes.ts';
import type { Sql } from './db/connect.ts';
import { accountStore } from './features/accounts/store.ts';
import type { RunParts } from './features/deployments/run.ts';
import { startSupervisor } from './features/deployments/supervise.ts';
import { transitions as deploymentTransitions } from './features/deployments/transitions.ts';
import { startWorker } from './features/deployments/worker.ts';
import { collectOutput } from './features/logs/collector.ts';
import { dropOldPartitions, makePartitions } from './features/logs/retention.ts';
import { logStore } from './features/logs/store.ts';
import { logWriter } from './features/logs/writer.ts';
import { projectStore } from './features/projects/store.ts';
import { variableStore } from './features/variables/store.ts';
import { type PeriodicJob, startPeriodicJobs } from './jobs/periodic.ts';
import type { Log } from './log.ts';
import { isGone, processIdentity } from './process-identity.ts';
import type { Seal } from './secrets/seal.ts';

interface Parts {
  config: Config;
  sql: Sql;
  changes: Changes;
  seal: Seal;
  driver: RuntimeDriver;
  steps: StepRunner;
  probed: Probe;
  /** This installation's label. */
  node: string;
  log: Log;
}

const quotedLines = 20;
/** Of one team's package caches together. */
const cacheMostMb = 4096;
const week = 7 * 86_400_000;

/** The composition root of the background work: builds, starts, supervision, collection of logs and the sweeps. */
export async function startWork({ config, sql, changes, seal, driver, steps, probed, node, log }: Parts) {
  const transitions = deploymentTransitions(sql, processIdentity(), node);
  const logs = logStore(sql);
  const variables = variableStore(sql, seal);
  const toolchains = await findToolchains(AbortSignal.timeout(60_000));
  const parts: RunParts = {
    transitions,
    driver,
    async build({ d, env, out, onPlan, signal }) {
      if (!probed.ok)
        throw new BuildError('unpack', 'no_runtime', `Agents cannot run on this machine: ${probed.reason}`, {
          hint: `To mend it: ${probed.remedy}`,
        });
      return build({
        zipPath: blobsOf(config.data_dir).path(d.source_blob),
        settings: d.settings,
        team_id: d.team_id,
        dataDir: config.data_dir,
        run: steps,
        onLine: (stream, text) => (stream === 'system' ? out.write('build', 'info', text) : out.build(stream, text)),
        onPlan,
        signal,
        buildEnv: env,
        limits: config.build_limits,
        egressAllow: config.egress_allow,
        toolchains,
      });
    },
    openVariables: (d) => variables.open(d.team_id, d.project_id, d.environment),
    openLog: (d) => logWriter(logs, d, log),
    async lastLines(instance) {
      await supervisor.collected(instance.id);
      return logs.lastOf(instance.deployment_id, 'agent', quotedLines);
    },
    seal,
    agentUrl: config.agent_url,
    limits: config.agent_limits,
    egress_allow: config.egress_allow,
    log,
  };
  // What a killed server of this machine was doing need not wait for the end of its leases.
  await transitions.releaseLeases((await transitions.leaseOwners()).filter(isGone));
  const supervisor = startSupervisor(parts, {
    collect: (instance, hasExited, signal) => collectOutput({ driver, store: logs, log }, instance, hasExited, signal),
    forgetInstance: logs.forgetInstance,
    forgetRemoved: (present) => logs.forgetRemoved(node, present),
  });
  const worker = startWorker(parts, changes, config.builds_at_once, log);
  const periodic = startPeriodicJobs(sql, jobs({ config, sql, transitions, logs }), log);
  return {
    async close() {
      await worker.close();
      await periodic.close();
      if (config.agents_on_exit === 'stop') await supervisor.endAll(deploymentBudgets.stop_grace_s * 1000);
      await supervisor.close();
      await driver.close();
    },
    running: async () => (await driver.list()).filter((one) => one.state === 'running').length,
  };
}

function jobs({
  config,
  sql,
  transitions,
  logs,
}: Pick<Parts, 'config' | 'sql'> & {
  transitions: ReturnType<typeof deploymentTransitions>;
  logs: ReturnType<typeof logStore>;
}): PeriodicJob[] {
  const blobs = blobsOf(config.data_dir);
  const projects = projectStore(sql);
  const accounts = accountStore(sql);
  return [
    { name: 'project.delete', every_s: 2, run: () => deleteProjects() },
    { name: 'session.sweep', every_s: 600, run: () => accounts.removeExpiredSessions() },
    { name: 'log-ticket.sweep', every_s: 600, run: () => logs.removeExpiredTickets() },
    { name: 'rate-limit.sweep', every_s: 600, run: async () => sql`delete from rate_limits where window_start < now() - interval '1 day'` },
    {
      name: 'idempotency-key.sweep',
      every_s: 600,
      run: async () => sql`delete from idempotency_keys where created_at < now() - interval '1 day'`,
    },
    { name: 'log.partition', every_s: 3600, run: () => makePartitions(sql) },
    { name: 'log.retain', every_s: 3600, run: () => dropOldPartitions(sql, config.log_retention_days) },
    { name: 'traffic.retain', every_s: 3600, run: async () => sql`delete from traffic_minutes where minute < now() - interval '30 days'` },
    { name: 'blob.sweep', every_s: 120, run: () => blobs.sweep(transitions.blobsInUse, 450_000) },
    { name: 'artifact.sweep', every_s: 3600, run: (signal) => sweepArtifacts(signal) },
  ];

  /** Agents end first, then code and logs go, then the row: a crash on the way only means that the next turn goes on. */
  async function deleteProjects() {
    await transitions.endDeleted();
    // failpoint: project-ended
    for (const { id, team_id } of await projects.deleting()) {
      const { ending, ids, blobs: sources } = await transitions.remains(id);
      if (ending) continue;
      await logs.removeAll(ids);
      // failpoint: project-logs-removed
      await projects.removeForGood(team_id, id);
      // failpoint: project-row-removed
      for (const blob of sources) if (!(await transitions.blobsInUse([blob])).has(blob)) await blobs.remove(blob);
    }
  }

  async function sweepArtifacts(signal: AbortSignal) {
    const used = (await transitions.artifactsInUse()).map((row) => row.artifact);
    const before = new Date(Date.now() - week);
    await collectArtifacts(
      config.data_dir,
      used.map((one) => one.key),
      before,
    );
    await collectCaches(config.data_dir, before, cacheMostMb, signal);
    await collectLayers(
      config.data_dir,
      used.flatMap((one) => one.layer_keys),
      before,
    );
  }
}
