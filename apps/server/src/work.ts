import { hostname } from 'node:os';
import { join } from 'node:path';
import { BuildError, build, collectUnused, findToolchains, prepareUnpacking } from '@paddock/builder';
import { deploymentBudgets } from '@paddock/contract/limits';
import type { DatabaseDriver } from '@paddock/database-driver';
import type { Probe, RuntimeDriver, StepRunner } from '@paddock/runtime';
import type { Blobs } from './blobs/blobs.ts';
import type { Config } from './config.ts';
import { startDatabases } from './databases.ts';
import type { Changes } from './db/changes.ts';
import type { Sql } from './db/connect.ts';
import { projectDeletion } from './delete-projects.ts';
import type { Reserve } from './disk/reserve.ts';
import { roomy } from './disk/roomy.ts';
import { keyAddresses } from './features/accounts/addresses.ts';
import { deviceTokens } from './features/accounts/device-tokens.ts';
import { linkStore } from './features/accounts/link-store.ts';
import { profileStore } from './features/accounts/profile-store.ts';
import { resetRequests } from './features/accounts/reset-requests.ts';
import { accountStore } from './features/accounts/store.ts';
import { removeDeletedTeams } from './features/accounts/teams.ts';
import { alertStore } from './features/alerts/store.ts';
import { removeAddresses } from './features/deployments/addresses.ts';
import { type AlertsOfAgents, calmAgents } from './features/deployments/agent-alerts.ts';
import { seenBefore } from './features/deployments/kinds.ts';
import { renewAgents } from './features/deployments/places.ts';
import type { RunParts } from './features/deployments/run.ts';
import { startSupervisor } from './features/deployments/supervise.ts';
import { jobNotRepeated, takeover, waitsForDatabases } from './features/deployments/takeover.ts';
import { transitions as deploymentTransitions } from './features/deployments/transitions.ts';
import { startWorker } from './features/deployments/worker.ts';
import { collectOutput } from './features/logs/collector.ts';
import { dropOldPartitions, makePartitions } from './features/logs/retention.ts';
import { logStore } from './features/logs/store.ts';
import { logWriter } from './features/logs/writer.ts';
import { removeExpiredStates } from './features/oauth/states.ts';
import { projectStore } from './features/projects/store.ts';
import { variableStore } from './features/variables/store.ts';
import { removeOldTraffic } from './gateway/traffic.ts';
import { removeOldKeys } from './http/idempotency.ts';
import { removeOldCounts } from './http/rate-limit.ts';
import { eachOf } from './jobs/each.ts';
import { onNotice } from './jobs/on-notice.ts';
import { type PeriodicJob, removeOldJobs, startPeriodicJobs } from './jobs/periodic.ts';
import type { Log } from './log.ts';
import { machineIdentity } from './machine.ts';
import { startDelivery } from './mail/delivery.ts';
import { outbox } from './mail/outbox.ts';
import { mailQueue } from './mail/queue.ts';
import { smtp } from './mail/smtp.ts';
import { mailStore } from './mail/store.ts';
import { startHeartbeat } from './nodes/heartbeat.ts';
import { registerNode } from './nodes/register.ts';
import { type DeadNode, type NodeStore, nodeStore } from './nodes/store.ts';
import { isGone, processIdentity } from './process-identity.ts';
import type { Seal } from './secrets/seal.ts';

interface Parts {
  config: Config;
  sql: Sql;
  changes: Changes;
  seal: Seal;
  driver: RuntimeDriver;
  databaseDriver: DatabaseDriver;
  /** Where the platform's own services answer, its database for one. */
  services: { host?: string; port: number }[];
  steps: StepRunner;
  probed: Probe;
  /** This installation's label. */
  node: string;
  blobs: Blobs;
  /** Space for what must be written on a full disk. */
  reserve: Reserve;
  /** The process that took this node over must leave. */
  displaced: () => void;
  log: Log;
}

const quotedLines = 20;
/** Of one team's package caches together. */
const cacheMostMb = 4096;
const hour = 3_600_000;
/** Since their last use, for what no deployment needs: longer than any build takes, and layers and caches as long as they may save time. */
const unusedMs = { artifacts: hour, layers: 24 * hour, caches: 7 * 24 * hour };

/** The composition root of the background work: builds, starts, supervision, collection of logs and the sweeps. */
export async function startWork(given: Parts) {
  const { config, sql, changes, seal, driver, steps, probed, node, blobs, reserve, displaced, log } = given;
  const [owner, machine, timeoutS] = [processIdentity(), machineIdentity(), config.node_timeout_s];
  const nodes = roomy(nodeStore(sql, node), reserve);
  const blobStore = await blobs.storeId();
  const self = { owner, host: hostname(), machine, blob_store: blobStore, timeout_s: timeoutS };
  await registerNode(nodes, self, config.data_dir);
  const sendMail = mailQueue(sql, seal);
  const alerts = alertStore(sql, sendMail);
  const ofAgents: AlertsOfAgents = { raise: alerts.raiseWithin, clearOlder: alerts.clearOlder };
  const transitions = roomy(deploymentTransitions(sql, owner, node, machine, ofAgents), reserve);
  const moves = takeover(sql, node, machine, ofAgents);
  const logs = logStore(sql);
  const variables = variableStore(sql, seal);
  const toolchains = await findToolchains(AbortSignal.timeout(60_000));
  const openLog: RunParts['openLog'] = (d) => logWriter(logs, d, log);
  const databases = startDatabases({
    ...{ config, sql, changes, seal, node, machine, openLog, reserve, log, services: given.services },
    driver: given.databaseDriver,
    sendMail,
  });
  const parts: RunParts = {
    transitions,
    driver,
    whereabouts: moves.whereabouts,
    async build({ d, env, out, onPlan, signal }) {
      if (!probed.ok)
        throw new BuildError('unpack', 'no_runtime', `Agents cannot run on this machine: ${probed.reason}`, {
          hint: `To mend it: ${probed.remedy}`,
        });
      if (!(await blobs.exists(d.source_blob)))
        throw new BuildError('unpack', 'archive_missing', 'The archive is not in the folder where this server looks for it.', {
          hint: 'Ask the operator: all servers of one database need the same PADDOCK_BLOB_URL, and a backup includes that folder.',
        });
      return build({
        zipPath: blobs.path(d.source_blob),
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
    seenBefore: (d) => seenBefore(sql, d),
    openVariables: (d) => variables.open(d.team_id, d.project_id, d.environment),
    openLog,
    async lastLines(instance) {
      await supervisor.collected(instance.id);
      return logs.lastOf(instance.deployment_id, 'agent', quotedLines);
    },
    databases: databases.ofAgents,
    renew: (d) => sql.begin((tx) => renewAgents(tx, d)),
    seal,
    agentUrl: config.agent_url,
    limits: config.agent_limits,
    trial_s: config.trial_s,
    egress_allow: config.egress_allow,
    reserve,
    log,
  };
  /** Deployments whose log says already that they wait for another node. */
  const told = new Set<string>();
  // What a killed server of this machine was doing need not wait for the end of its leases.
  await transitions.releaseLeases((await transitions.leaseOwners()).filter(isGone));
  const supervisor = startSupervisor(parts, {
    collect: (instance, hasExited, signal) => collectOutput({ driver, store: logs, log }, instance, hasExited, signal),
    forgetInstance: logs.forgetInstance,
    forgetRemoved: (present) => logs.forgetRemoved(node, present),
  });
  if (probed.ok) prepareUnpacking();
  let worker: ReturnType<typeof startWorker> | undefined;
  let isClosed = false;
  const periodic = startPeriodicJobs(
    sql,
    [
      ...jobs({ config, sql, transitions, databases, logs, node, nodes, blobs, blobStore, reserve, log }),
      ...databases.jobs,
      { name: 'agent-alert.calm', every_s: 30, run: calmAgents(sql, alerts) },
    ],
    reserve,
    log,
  );
  const mail = startMail({ config, sql, changes, seal, log });
  const heartbeat = startHeartbeat({ store: nodes, owner, register: () => nodes.register(self), timeoutS, takeOver, displaced, log });
  return {
    /**
     * Builds and moves addresses from now on. While the gateway of the run before still listens beside ours, two visits one after the other
     * could meet the new deployment and then the one before it.
     */
    takeDeployments() {
      if (!isClosed) worker = startWorker(parts, changes, config.builds_at_once, log);
    },
    async close() {
      isClosed = true;
      await Promise.all([worker?.close(), mail.close()]);
      await periodic.close();
      const ends = config.agents_on_exit === 'stop';
      if (ends) await supervisor.endAll(deploymentBudgets.stop_grace_s * 1000);
      if (ends) await databases.endAll();
      await supervisor.close();
      await databases.close();
      await heartbeat.close(ends);
    },
    running: async () => (await driver.list()).filter((one) => one.state === 'running').length,
  };

  /** What ran on a dead node is started here, unless nothing can run here. */
  async function takeOver(dead: DeadNode) {
    if (!probed.ok) return;
    const { moved, jobs, ...found } = await moves.from(dead);
    const queued = (await moves.queuedFor(dead.label)).filter((d) => !told.has(d.id));
    if (told.size > 10_000) told.clear();
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

/** Answers requests for reset links, and sends what is queued. */
function startMail({ config, sql, changes, seal, log }: Pick<Parts, 'config' | 'sql' | 'changes' | 'seal' | 'log'>) {
  const transport = config.smtp_url ? smtp(config.smtp_url) : outbox(join(config.data_dir, 'outbox'), log);
  const [requests, accounts, links, send] = [resetRequests(sql), accountStore(sql), linkStore(sql), mailQueue(sql, seal)];
  const answering = onNotice(changes, 'mails', log, () => requests.answerNext(accounts, links, send));
  const parts = { store: mailStore(sql), seal, transport, publicUrl: config.public_url, from: config.mail_from, changes, log };
  const delivery = startDelivery(parts);
  return { close: async () => void (await Promise.all([answering.close(), delivery.close()])) };
}

function jobs({
  config,
  sql,
  transitions,
  databases,
  logs,
  node,
  nodes,
  blobs,
  blobStore,
  reserve,
  log,
}: Pick<Parts, 'config' | 'sql' | 'node' | 'blobs' | 'reserve' | 'log'> & {
  databases: ReturnType<typeof startDatabases>;
  transitions: ReturnType<typeof deploymentTransitions>;
  logs: ReturnType<typeof logStore>;
  nodes: NodeStore;
  blobStore: string;
}): PeriodicJob[] {
  const projects = projectStore(sql, removeAddresses);
  const accounts = accountStore(sql);
  const profiles = profileStore(sql, linkStore(sql));
  const eachTeam = eachOf(log, 'removing a deleted team', { reserve, need: 'removal' });
  return [
    { name: 'project.delete', every_s: 2, run: projectDeletion({ projects, transitions, databases, logs, blobs, reserve, log }) },
    { name: 'team.delete', every_s: 2, run: () => removeDeletedTeams(sql, profiles, projects, eachTeam) },
    { name: 'known-device.sweep', every_s: 3600, run: () => profiles.forgetOldDevices() },
    { name: 'device-token.sweep', every_s: 3600, run: () => deviceTokens(sql).forgetOld() },
    { name: 'address.key', every_s: 60, run: () => keyAddresses(sql) },
    { name: 'session.sweep', every_s: 600, run: () => accounts.removeExpiredSessions() },
    { name: 'oauth-state.sweep', every_s: 600, run: () => removeExpiredStates(sql) },
    { name: 'mailed-link.sweep', every_s: 600, run: () => linkStore(sql).removeExpired() },
    { name: 'mail.sweep', every_s: 3600, run: () => mailStore(sql).sweep() },
    { name: 'log-ticket.sweep', every_s: 600, run: () => logs.removeExpiredTickets() },
    { name: 'rate-limit.sweep', every_s: 600, run: () => removeOldCounts(sql) },
    { name: 'idempotency-key.sweep', every_s: 600, run: () => removeOldKeys(sql) },
    { name: 'log.partition', every_s: 3600, run: () => makePartitions(sql) },
    { name: 'log.retain', every_s: 3600, run: () => dropOldPartitions(sql, config.log_retention_days) },
    { name: 'traffic.retain', every_s: 3600, run: () => removeOldTraffic(sql) },
    { name: 'node.sweep', every_s: 3600, run: () => nodes.sweep() },
    { name: 'periodic-job.sweep', every_s: 3600, run: () => removeOldJobs(sql) },
    // What lies on disks: once for each store, and once for each node.
    { name: 'blob.sweep', of: blobStore, every_s: 120, run: () => blobs.sweep(transitions.blobsInUse, 450_000) },
    { name: 'artifact.sweep', of: node, every_s: 3600, run: (signal) => sweepArtifacts(signal) },
  ];

  async function sweepArtifacts(signal: AbortSignal) {
    const used = (await transitions.artifactsInUse()).map((row) => row.artifact);
    const before = (ms: number) => new Date(Date.now() - ms);
    const inUse = { artifacts: used.map((one) => one.key), layers: used.flatMap((one) => one.layer_keys) };
    const olderThan = { artifacts: before(unusedMs.artifacts), layers: before(unusedMs.layers), caches: before(unusedMs.caches) };
    await collectUnused(config.data_dir, { inUse, olderThan, cacheMostMb }, signal);
  }
}
