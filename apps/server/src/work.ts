import { hostname } from 'node:os';
import type { DatabaseDriver } from '@paddock/database-driver';
import type { Probe, RuntimeDriver, StepRunner } from '@paddock/runtime';
import type { Blobs } from './blobs/blobs.ts';
import type { Config } from './config.ts';
import { projectDeletion } from './delete-projects.ts';
import { roomy } from './disk/roomy.ts';
import { startDatabases } from './features/databases/node/start.ts';
import { olderAddresses } from './features/deployments/older-addresses.ts';
import { renewAgents, tellAgents } from './features/deployments/renew-agents.ts';
import type { RunParts } from './features/deployments/run/parts.ts';
import { startDeployments } from './features/deployments/run/start.ts';
import { collectOutput } from './features/logs/collector.ts';
import { logWriter } from './features/logs/writer.ts';
import type { Features } from './features.ts';
import { startPeriodicJobs } from './jobs/periodic.ts';
import { platformJobs } from './jobs/platform-jobs.ts';
import { machineIdentity } from './machine.ts';
import { startMail } from './mail/start.ts';
import { startHeartbeat } from './nodes/heartbeat.ts';
import { registerNode } from './nodes/register.ts';
import { nodeStore } from './nodes/store.ts';
import type { Parts } from './parts.ts';
import { processIdentity } from './process-identity.ts';

interface Given {
  parts: Parts;
  features: Features;
  config: Config;
  driver: RuntimeDriver;
  databaseDriver: DatabaseDriver;
  steps: StepRunner;
  probed: Probe;
  /** This installation's label. */
  node: string;
  blobs: Blobs;
  /** The process that took this node over must leave. */
  displaced: () => void;
}

const quotedLines = 20;

/** The background work: builds, starts, supervision, collection of logs, mail and the sweeps. */
export async function startWork({ parts, features, config, driver, databaseDriver, steps, probed, node, blobs, displaced }: Given) {
  const { sql, reserve, log } = parts;
  const [owner, machine, timeoutS, blobStore] = [processIdentity(), machineIdentity(), config.node_timeout_s, await blobs.storeId()];
  const nodes = roomy(nodeStore(sql, node), reserve);
  const self = { owner, host: hostname(), machine, blob_store: blobStore, timeout_s: timeoutS };
  await registerNode(nodes, self, config.data_dir);
  const [alerts, logs] = [features.alerts.gives, features.logs.gives];
  const openLog: RunParts['openLog'] = (d) => logWriter(logs, d, log);
  const ofDeployments = { renew: renewAgents, tell: tellAgents(sql, openLog), older: olderAddresses(sql, parts.seal) };
  const databases = startDatabases({ ...parts, config, driver: databaseDriver, node, machine, alerts, ofDeployments });
  const deployments = await startDeployments({
    ...{ ...parts, config, blobs, blobStore, driver, steps, probed, node, machine, owner, alerts, openLog },
    databases: databases.ofAgents,
    openVariables: (d) => features.variables.gives.open(d.team_id, d.project_id, d.environment),
    lastOf: (deployment_id) => logs.lastOf(deployment_id, 'agent', quotedLines),
    collecting: {
      collect: (instance, hasExited, signal) => collectOutput({ driver, store: logs, log }, instance, { hasExited, signal }),
      forgetInstance: logs.forgetInstance,
      forgetRemoved: (present) => logs.forgetRemoved(node, present),
    },
  });
  const { transitions } = deployments;
  const removal = projectDeletion({ projects: features.projects.gives, transitions, databases, logs, blobs, reserve, log });
  const jobs = [
    { name: 'project.delete', every_s: 2, run: removal },
    ...Object.values(features).flatMap((feature) => feature.jobs),
    ...databases.jobs,
    ...deployments.jobs,
    ...platformJobs(sql),
    { name: 'node.sweep', every_s: 3600, run: () => nodes.sweep() },
  ];
  const periodic = startPeriodicJobs(sql, jobs, reserve, log);
  const mail = startMail({ parts, config, answerReset: features.accounts.gives.answerReset });
  const { takeOver } = deployments;
  const heartbeat = startHeartbeat({ store: nodes, owner, register: () => nodes.register(self), timeoutS, takeOver, displaced, log });
  return {
    takeDeployments: deployments.take,
    running: deployments.running,
    async close() {
      await Promise.all([deployments.closeWorker(), mail.close()]);
      await periodic.close();
      const ends = config.agents_on_exit === 'stop';
      if (ends) await deployments.endAgents();
      if (ends) await databases.endAll();
      await deployments.close();
      await databases.close();
      await heartbeat.close(ends);
    },
  };
}
