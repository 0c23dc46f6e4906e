import type { DatabaseDriver } from '@paddock/database-driver';
import type { AppParts } from './app.ts';
import { projectDeletion } from './delete-projects.ts';
import { startRunMeter } from './features/billing/usage/run-meter.ts';
import { startDatabases } from './features/databases/node/start.ts';
import { deploymentsForDatabases } from './features/deployments/for-databases.ts';
import { startDeployments } from './features/deployments/run/start.ts';
import { checkpointFolder } from './features/governance/trail/checkpoints/checkpoint-files.ts';
import { signingSeed } from './features/governance/trail/checkpoints/signing-key.ts';
import { startSequencer } from './features/governance/trail/sequencer/start.ts';
import { agentLogs } from './features/logs/agent-logs.ts';
import { createLineMasker, type MaskLines } from './features/logs/mask-lines.ts';
import { startUsageSampling } from './features/metrics/sampling.ts';
import { startTraces } from './features/traces/receiver/start-traces.ts';
import { startPeriodicJobs } from './jobs/periodic.ts';
import { platformJobs } from './jobs/platform-jobs.ts';
import { startMail } from './mail/start.ts';
import { openNode } from './nodes/open-node.ts';
import { knownSecrets } from './protection/agent-secrets/known-secrets.ts';
import { secretReader } from './protection/agent-secrets/secret-store.ts';
import { startScanner } from './protection/scanner/start.ts';
import { createProtectionReader } from './protection/settings-store.ts';
import { tokenKey } from './secrets/token-key.ts';

type DeploymentParts = Parameters<typeof startDeployments>[0];

interface Deps extends Pick<AppParts, 'core' | 'features'>, Pick<DeploymentParts, 'config' | 'blobs' | 'driver' | 'steps' | 'probed'> {
  databaseDriver: DatabaseDriver;
  databaseUrl: string;
  /** The name of this node. */
  name: string;
  /** Called when another process took this node over. */
  displaced: () => void;
}

/** The background work of a node: builds, starts, supervision, collection of logs, mail and the sweeps. */
export async function startWork(given: Deps) {
  const { core, features, config, databaseUrl, driver, databaseDriver, steps, probed, name, blobs, displaced } = given;
  const { sql, seal, reserve, log } = core;
  const alerts = features.alerts.exports;
  // Started first, because this thread takes longest to load.
  const tracing = startTraces({ seal, log, databaseUrl, dataDir: config.dataDir });
  tracing.catch(() => undefined); // reported below
  const blobStore = await blobs.storeId();
  const self = await openNode({ core, config, name, blobStore, displaced });
  const node = { node: name, machine: self.machine };
  const logs = agentLogs({ store: features.logs.exports, mask: createMaskLines(core), driver, node: name, log });
  const ofDeployments = deploymentsForDatabases(sql, seal, logs.openLog);
  const signing = { seed: await signingSeed(sql, seal), folder: checkpointFolder(config.dataDir) };
  const audit = startSequencer({ log, databaseUrl, ...signing, secretKeys: seal.keys() });
  const traces = await tracing;
  const databases = startDatabases({ ...core, ...node, config, driver: databaseDriver, alerts, ofDeployments });
  const runs = startRunMeter({ driver, store: features.usage.exports.spans, limits: config.agentLimits, log });
  const deployments = await startDeployments({
    ...core,
    ...node,
    ...logs,
    owner: self.owner,
    config,
    blobs,
    blobStore,
    driver,
    steps,
    probed,
    alerts,
    databases: databases.ofAgents,
    toTelemetry: traces.toTelemetry,
    planRefusal: features.policies.exports.rules.planRefusal,
    hosts: features.policies.exports.rules.hosts,
    noteEnds: runs.note,
    openVariables: (d) => features.variables.exports.open(d.team_id, d),
  });
  const sampling = startUsageSampling({ driver, store: features.metrics.exports.usage, limits: config.agentLimits, log });
  const { transitions } = deployments;
  const deletion = projectDeletion({
    projects: features.projects.exports,
    transitions,
    databases,
    logs: features.logs.exports,
    traces: features.traces.exports,
    blobs,
    reserve,
    log,
  });
  const ofFeatures = Object.values(features).flatMap((feature) => feature.jobs);
  const jobs = [deletion.job, ...ofFeatures, ...databases.jobs, ...deployments.jobs, ...platformJobs(sql), ...self.jobs];
  const periodic = startPeriodicJobs({ sql, jobs, reserve, log });
  const mail = startMail({
    core,
    config,
    answerReset: features.accounts.exports.answerReset,
    documentOf: features.invoices.exports.renderPdf,
  });
  const deliveries = features.channels.exports.start();
  const heartbeat = self.beat(deployments.takeOver);
  return {
    takeDeployments: deployments.take,
    /** The port of the machine's loopback to which the agents of this node send their traces. */
    tracePort: traces.port,
    running: deployments.running,
    async close() {
      await Promise.all([deployments.closeWorker(), mail.close(), deliveries.close()]);
      await Promise.all([periodic.close(), sampling.close()]);
      const ends = config.agentsOnExit === 'stop';
      if (ends) await deployments.endAgents();
      if (ends) await databases.endAll();
      await deployments.close();
      await traces.close();
      await audit.close();
      await databases.close();
      await runs.close();
      await heartbeat.close(ends);
    },
  };
}

function createMaskLines({ sql, seal, changes }: AppParts['core']): MaskLines {
  const { readBlanking, changed } = knownSecrets(secretReader(sql, seal));
  changes.on('secrets', changed);
  return createLineMasker({ protectionOf: createProtectionReader(sql), readBlanking, scanner: startScanner(), key: tokenKey(seal) });
}
