import { hostname } from 'node:os';
import { findToolchains, prepareBuilds, toolsFolder } from '@paddock/builder';
import { deploymentBudgets } from '@paddock/contract/limits';
import type { Probe, RuntimeDriver, StepRunner } from '@paddock/runtime';
import type { Blobs } from '../../../blobs/blobs.ts';
import type { Config } from '../../../config/config.ts';
import type { Core } from '../../../core.ts';
import { cacheLimit, sweepArtifacts } from '../../../disk/sweep-artifacts.ts';
import { withReserve } from '../../../disk/with-reserve.ts';
import type { PeriodicJob } from '../../../jobs/periodic.ts';
import type { DeadNode } from '../../../nodes/store.ts';
import { isGone } from '../../../process/process-identity.ts';
import { type AlertsOfAgents, resolveAgentAlerts } from '../agent-alerts.ts';
import type { DatabasesOfAgents } from '../databases.ts';
import { hostRuleStore } from '../host-rule-store.ts';
import { restartAgents } from '../restart-agents.ts';
import { protocolsStore } from '../speaks/protocols-store.ts';
import { transitions as deploymentTransitions } from '../transitions.ts';
import { loadObservedKinds } from './agent-kind.ts';
import { createFailover, jobNotRepeated, waitsForDatabases } from './failover.ts';
import type { CollectLogs } from './log-collectors.ts';
import { createPackageRecorder } from './record-packages.ts';
import { createBuild } from './run-build.ts';
import { startSupervisor } from './supervisor.ts';
import { startWorker } from './worker.ts';
import type { WorkerDeps } from './worker-deps.ts';

export interface Deps extends Pick<Core, 'sql' | 'changes' | 'seal' | 'reserve' | 'log'> {
  config: Config;
  blobs: Blobs;
  driver: RuntimeDriver;
  steps: StepRunner;
  probed: () => Probe;
  /** This node's label, machine and process. */
  node: string;
  machine: string;
  owner: string;
  /** The archive store that this node uses. */
  blobStore: string;
  alerts: { raiseWithin: AlertsOfAgents['raise']; clearOlder: AlertsOfAgents['clearOlder'] } & Parameters<typeof resolveAgentAlerts>[1];
  databases: DatabasesOfAgents;
  toTelemetry?: WorkerDeps['toTelemetry'];
  openVariables: WorkerDeps['openVariables'];
  openLog: WorkerDeps['openLog'];
  planRefusal: WorkerDeps['planRefusal'];
  hosts: WorkerDeps['hosts'];
  noteEnds: WorkerDeps['noteEnds'];
  collecting: CollectLogs;
  /** An agent's last lines. */
  lastOf: (deployment_id: string) => Promise<string[]>;
}

/** Maximum remembered deployments whose log already says that they wait for another node; beyond it they are reported again. */
const maxReported = 10_000;
/** The row of an archive younger than this may not be written yet. */
const blobGraceMs = 450_000;

/** Starts a search at once. Callers wait for its result, and repeat it if it failed. */
function lasting<T>(search: () => Promise<T>): () => Promise<T> {
  let found = search();
  found.catch(() => undefined); // reported to the first caller
  return () => {
    const last = found;
    return last.catch(() => (found === last ? (found = search()) : found));
  };
}

/** Builds, starts and supervises agents on this node. */
export async function startDeployments(given: Deps) {
  const { config, sql, changes, seal, driver, probed, node, machine, owner, blobs, blobStore, reserve, databases, openLog, log } = given;
  const alerts: AlertsOfAgents = { raise: given.alerts.raiseWithin, clearOlder: given.alerts.clearOlder };
  const transitions = withReserve(deploymentTransitions(sql, { owner, node, machine, alerts }), reserve);
  const moves = createFailover(sql, { node, machine, alerts });
  const toolchains = lasting(() => findToolchains(AbortSignal.timeout(60_000), toolsFolder(config.dataDir)));
  const packages = createPackageRecorder({ sql, log, node });
  const onFailure = (error: unknown) => log.warn({ err: error }, 'build cache limit could not be enforced');
  const { dataDir, buildCacheMb: maxMb } = config;
  const cache = cacheLimit({ dataDir, maxMb, artifactsNeeded: transitions.artifactsNeeded, onFailure });
  const parts: WorkerDeps = {
    ...{ transitions, driver, databases, openLog, seal, reserve, log },
    ...createBuild({ config, blobs, steps: given.steps, probed, toolchains, cache }),
    whereabouts: moves.whereabouts,
    seenBefore: (d) => loadObservedKinds(sql, d),
    notePackages: packages.built,
    openVariables: given.openVariables,
    planRefusal: given.planRefusal,
    hosts: given.hosts,
    holds: hostRuleStore(sql),
    protocols: protocolsStore(sql),
    noteEnds: given.noteEnds,
    async lastLines(instance) {
      await supervisor.collected(instance.id);
      return given.lastOf(instance.deployment_id);
    },
    toTelemetry: given.toTelemetry,
    renew: (d) => sql.begin((tx) => restartAgents(tx, d)),
    agentUrl: config.agentUrl,
    limits: config.agentLimits,
    trialSeconds: config.trialSeconds,
    buildSeconds: config.buildSeconds,
    egressAllow: config.egressAllow,
  };
  // Work of a killed server on this machine need not wait for its leases to expire.
  await transitions.releaseLeases((await transitions.leaseOwners()).filter(isGone));
  const supervisor = startSupervisor(parts, given.collecting);
  const told = new Set<string>();
  let worker: ReturnType<typeof startWorker> | undefined;
  let isClosed = false;
  return {
    transitions,
    takeOver,
    jobs: [
      { name: 'agent-alert.calm', everySeconds: 30, run: resolveAgentAlerts(sql, given.alerts) },
      // Disk cleanup runs once per store, and once per node.
      { name: 'blob.sweep', of: blobStore, everySeconds: 120, run: () => blobs.sweep(transitions.blobsInUse, blobGraceMs) },
      { name: 'packages.read', of: node, everySeconds: 3600, run: packages.unread },
      { name: 'artifact.sweep', of: node, everySeconds: 3600, run: sweepArtifacts(dataDir, transitions.artifactsInUse) },
    ] satisfies PeriodicJob[],
    /**
     * Starts building and moving addresses. While the gateway of the previous run still listens beside ours, two consecutive requests could
     * reach the new deployment and then the old one.
     */
    take() {
      if (isClosed) return;
      worker = startWorker(parts, { changes, buildsAtOnce: config.buildsAtOnce });
      if (probed().ok) prepareBuilds(blobs.whenReceiving);
    },
    async closeWorker() {
      isClosed = true;
      await worker?.close();
    },
    endAgents: () => supervisor.endAll(deploymentBudgets.stopGraceSeconds * 1000),
    close: () => Promise.all([supervisor.close(), cache.over()]),
    running: async () => (await driver.list()).filter((one) => one.state === 'running').length,
  };

  /** Starts a dead node's deployments here, unless agents cannot run here. */
  async function takeOver(dead: DeadNode) {
    if (!probed().ok) return;
    const { moved, jobs, ...found } = await moves.from(dead);
    const queued = (await moves.queuedFor(dead.label)).filter((d) => !told.has(d.id));
    if (told.size > maxReported) told.clear();
    for (const d of queued) told.add(d.id);
    const waiting = [...found.waiting, ...queued];
    for (const d of [...moved, ...jobs, ...waiting]) {
      const out = openLog(d);
      if (jobs.includes(d)) out.write('platform', 'error', jobNotRepeated(dead.host));
      else if (waiting.includes(d)) out.write('platform', 'warning', waitsForDatabases(dead.host));
      else out.write('platform', 'warning', `The server on ${dead.host} does not answer any more; the one on ${hostname()} takes over`);
      await out.flush();
    }
    if (moved.length + jobs.length)
      log.warn({ node: dead.label, host: dead.host, moved: moved.length, jobs: jobs.length }, 'took over from a dead node');
  }
}
