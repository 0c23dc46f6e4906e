/** The data that one turn of background work reads, its bound, and the place where the work runs. */
export interface JobGrowth {
  reads: string;
  /**
   * `file` contains the bound, in this text. `teams`, `agents`: one short row of each team, or of each serving agent, however much the team
   * stores. `node`: the things that run on this node, bounded by its memory. `fixed`: a list of the product or of the installation.
   */
  bound: { file: string; text: string } | 'teams' | 'agents' | 'node' | 'fixed';
  /** The server's event loop, a thread, or a single statement of the database, which has a time limit. */
  where: 'event loop' | 'thread' | 'database';
}

const server = 'apps/server/src';
const features = `${server}/features`;
const bounded = (file: string, text: string) => ({ file: `${server}/${file}`, text });
const inFeature = (file: string, text: string) => bounded(`features/${file}`, text);
const batches = bounded('jobs/remove-in-batches.ts', 'batchRows = 5_000');
const policyBatches = bounded('jobs/policy-retention.ts', 'removedTogether = 2_000');
const sweep = (reads: string): JobGrowth => ({ reads, bound: batches, where: 'database' });

/** Periodic jobs, by their names. */
export const periodicJobs: Record<string, JobGrowth> = {
  'address.key': {
    reads: 'accounts of an earlier release',
    bound: inFeature('accounts/addresses.ts', 'limit ${keyedAtOnce}'),
    where: 'event loop',
  },
  'agent-alert.calm': {
    reads: 'open alerts of agents that crashed, in pages',
    bound: inFeature('deployments/agent-alerts.ts', 'alertsAtOnce = 500'),
    where: 'database',
  },
  'alert-rule.evaluate': {
    reads: 'agents that serve, with their rules and what their calls cost today',
    bound: 'agents',
    where: 'event loop',
  },
  'alert.sweep': sweep('resolved alerts'),
  'alert.wake': {
    reads: 'alerts whose snooze is over',
    bound: inFeature('alerts/bell/snooze.ts', 'limit ${wokenAtOnce}'),
    where: 'event loop',
  },
  'artifact.sweep': {
    reads: 'builds of each environment of the last week',
    bound: inFeature('deployments/retained-artifacts.ts', 'place <= ${artifactsKept}'),
    where: 'event loop',
  },
  'audit.post-checkpoints': {
    reads: 'checkpoints that are not delivered',
    bound: inFeature('governance/trail/checkpoints/webhook.ts', 'atOnce = 100'),
    where: 'event loop',
  },
  'audit.retain-by-policy': { reads: 'payloads of one team at a time', bound: policyBatches, where: 'database' },
  'audit.retention': {
    reads: 'ranges of the records of one day of the trail, and removes the day whole',
    bound: inFeature('governance/trail/retention-store.ts', '^audit_payloads_[0-9]{8}$'),
    where: 'database',
  },
  'audit.watch-shortages': {
    reads: 'teams whose gateways lack room for records',
    bound: inFeature('governance/trail/shortages/shortage-store.ts', 'limit ${maxTeams}'),
    where: 'event loop',
  },
  'audit.verify': {
    reads: 'records of one team in pages, for a minute',
    bound: inFeature('governance/trail/verify/verify-trails.ts', 'ofTeam: 60_000'),
    where: 'event loop',
  },
  'billing.change-provider': {
    reads: 'teams with another provider',
    bound: inFeature('billing/subscriptions/jobs.ts', 'maxProviderChanges = 200'),
    where: 'event loop',
  },
  'billing.close-months': {
    reads: 'teams with a month to close',
    bound: inFeature('billing/subscriptions/close-months.ts', 'teamsAtOnce = 500'),
    where: 'event loop',
  },
  'billing.hand-over': {
    reads: 'teams with waiting orders',
    bound: inFeature('billing/subscriptions/outbox.ts', 'teamsAtOnce = 200'),
    where: 'event loop',
  },
  'billing.look': {
    reads: 'undecided payments',
    bound: inFeature('billing/subscriptions/jobs.ts', 'maxPolls = 100'),
    where: 'event loop',
  },
  'billing.ring': {
    reads: 'teams with a due timer',
    bound: inFeature('billing/subscriptions/jobs.ts', 'maxTimers = 200'),
    where: 'event loop',
  },
  'billing.sweep': sweep('orders and notices that are done, and accounts of deleted teams'),
  'billing.tell-failing': {
    reads: 'orders that fail',
    bound: inFeature('billing/subscriptions/outbox.ts', 'maxReported = 20'),
    where: 'event loop',
  },
  'billing.write-off': {
    reads: 'debts that the operator named',
    bound: inFeature('billing/subscriptions/job-store.ts', 'limit ${maxWriteOffs}'),
    where: 'event loop',
  },
  'blob.sweep': { reads: 'names of archives, in pages', bound: bounded('blobs/blobs.ts', 'namesAtOnce = 1_000'), where: 'event loop' },
  'channel-delivery.sweep': sweep('messages that are old, or beyond the number of a channel'),
  'compliance.check': {
    reads: 'controls that are due, of each what its check reads',
    bound: inFeature('governance/compliance/scheduled-checks.ts', 'atOnce = 2_000'),
    where: 'event loop',
  },
  'compliance.sweep': sweep('results and checks that are old'),
  'compliance.take-up': {
    reads: 'one check at a time that a person asked for',
    bound: inFeature('governance/compliance/run-claim-store.ts', 'limit 1'),
    where: 'event loop',
  },
  'data-subject.work': {
    reads: 'one request about a person at a time',
    bound: inFeature('governance/data-subjects/process-requests.ts', 'maxOfTurn = 10'),
    where: 'database',
  },
  'database-backup.schedule': { reads: 'databases of this node', bound: 'node', where: 'event loop' },
  'database-backup.sweep': { reads: 'backups of databases of this node', bound: 'node', where: 'event loop' },
  'database-backup.test': {
    reads: 'one backup, restored into an instance of its own',
    bound: inFeature('databases/backups/restore-test.ts', 'maxMs = 10 * 60_000'),
    where: 'event loop',
  },
  'database-sample.sweep': sweep('samples that are old'),
  'database.carry-over': {
    reads: 'deployments of an earlier release, in pages',
    bound: inFeature('deployments/legacy-database-urls.ts', 'pageSize = 20'),
    where: 'event loop',
  },
  'device-token.sweep': sweep('browsers that were not used'),
  'idempotency-key.sweep': sweep('keys that are old'),
  'known-device.sweep': sweep('devices that were not seen'),
  'log-ticket.sweep': sweep('tickets that are over'),
  'log.partition': { reads: 'the days ahead', bound: 'fixed', where: 'database' },
  'log.retain': {
    reads: 'counts of the lines of one day, and removes the day whole',
    bound: inFeature('logs/retention.ts', "countTimeout = '15min'"),
    where: 'database',
  },
  'log.retain-by-policy': { reads: 'lines of one team at a time', bound: policyBatches, where: 'database' },
  'given-secret.sweep': sweep('secrets of agents that have ended'),
  'mail.sweep': sweep('mails that are done'),
  'mailed-link.sweep': sweep('links that are over'),
  'metrics.roll-up': {
    reads: 'half hours that are over',
    bound: inFeature('metrics/roll-up.ts', 'maxHours = 200'),
    where: 'database',
  },
  'metrics.sweep': sweep('sums that are old'),
  'move.retain': sweep('moves that are old'),
  'node.sweep': { reads: 'nodes that are gone', bound: 'fixed', where: 'database' },
  'oauth-state.sweep': sweep('sign-ins that are over'),
  'packages.read': {
    reads: 'builds without a list of packages',
    bound: inFeature('deployments/packages-store.ts', 'limit ${perTurn}'),
    where: 'thread',
  },
  'periodic-job.sweep': { reads: 'jobs of nodes that are gone', bound: 'fixed', where: 'database' },
  'policy.budget': { reads: 'teams with active policies', bound: 'teams', where: 'event loop' },
  'policy.failed-logins': { reads: 'teams with active policies', bound: 'teams', where: 'event loop' },
  'project.delete': {
    reads: 'projects to be removed, with ids and archives of their deployments',
    bound: bounded('delete-projects.ts', 'turnMs = 8_000'),
    where: 'event loop',
  },
  'rate-limit.sweep': sweep('counts that are over'),
  'session.sweep': sweep('sessions that are over'),
  'team.delete': { reads: 'teams to be removed', bound: inFeature('accounts/profile/deletion-store.ts', 'limit 20'), where: 'event loop' },
  'trace.retain-by-policy': { reads: 'traces of one team at a time', bound: policyBatches, where: 'database' },
  'trace.sweep': {
    reads: 'traces that are old, or beyond the share of a deployment',
    bound: inFeature('traces/sweep-store.ts', 'limit ${together}'),
    where: 'database',
  },
  'traffic.retain': sweep('minutes that are added up'),
  'usage.correct': {
    reads: 'days of closed months, two in a statement',
    bound: inFeature('billing/usage/meter-store.ts', 'daysAtOnce = 2'),
    where: 'database',
  },
  'usage.meter': {
    reads: 'today and yesterday, then budgets in pages of teams',
    bound: inFeature('billing/usage/budgets.ts', 'teamsAtOnce = 200'),
    where: 'event loop',
  },
  'usage.rebuild': {
    reads: 'days of the open months, two in a statement',
    bound: inFeature('billing/usage/meter-store.ts', 'daysAtOnce = 2'),
    where: 'database',
  },
  'usage.sweep': sweep('spans of closed months'),
};

/** Loops that are not periodic jobs, by the file that contains the loop or the timer. */
export const loops: Record<string, JobGrowth> = {
  [`${server}/app.ts`]: { reads: 'idle connections of a server that ends', bound: 'fixed', where: 'event loop' },
  [`${server}/audit/refusal-quota.ts`]: {
    reads: 'actors who were refused in the last minute',
    bound: bounded('audit/refusal-quota.ts', 'maxActors = 10_000'),
    where: 'event loop',
  },
  [`${server}/db/postgres/log-file.ts`]: { reads: 'the size of one file', bound: 'fixed', where: 'event loop' },
  [`${server}/disk/reserve.ts`]: { reads: 'the free space', bound: 'fixed', where: 'event loop' },
  [`${server}/gateway/start-gateway.ts`]: { reads: 'whether the gateway answers', bound: 'fixed', where: 'event loop' },
  [`${server}/jobs/periodic.ts`]: { reads: 'the list of periodic jobs', bound: 'fixed', where: 'event loop' },
  [`${server}/jobs/notified-loop.ts`]: {
    reads: 'nothing by itself: the turns of mails and of messages',
    bound: 'fixed',
    where: 'event loop',
  },
  [`${server}/jobs/policy-retention.ts`]: { reads: 'what the three jobs of policies remove', bound: policyBatches, where: 'database' },
  [`${server}/mail/delivery.ts`]: { reads: 'mails that are due', bound: bounded('mail/delivery.ts', 'maxAtOnce = 4'), where: 'event loop' },
  [`${server}/mail/start.ts`]: {
    reads: 'one request for a new password at a time',
    bound: inFeature('accounts/recovery/reset-requests.ts', 'limit 1'),
    where: 'event loop',
  },
  [`${server}/nodes/heartbeat.ts`]: { reads: 'nodes without a sign of life', bound: 'fixed', where: 'event loop' },
  [`${features}/alerts/channels/deliver.ts`]: {
    reads: 'messages that are due, of each team a few',
    bound: inFeature('alerts/channels/deliver.ts', 'atOnce = { all: 64, team: 8, channel: 2 }'),
    where: 'event loop',
  },
  [`${features}/governance/compliance/check-runner.ts`]: {
    reads: 'one check at a time, of each control what its check reads',
    bound: inFeature('governance/compliance/run-claim-store.ts', 'limit 1'),
    where: 'event loop',
  },
  [`${features}/governance/data-subjects/process-requests.ts`]: { reads: 'nothing: it renews a lease', bound: 'fixed', where: 'database' },
  [`${features}/databases/node/reconciler.ts`]: { reads: 'databases of this node', bound: 'node', where: 'event loop' },
  [`${features}/databases/node/usage-monitor.ts`]: { reads: 'databases of this node', bound: 'node', where: 'event loop' },
  [`${features}/deployments/run/supervisor.ts`]: { reads: 'agents of this node', bound: 'node', where: 'event loop' },
  [`${features}/deployments/run/worker.ts`]: { reads: 'one deployment for each free seat', bound: 'node', where: 'event loop' },
  [`${features}/governance/trail/sequencer/thread.ts`]: {
    reads: 'records that wait for their number, of each team a few',
    bound: inFeature('governance/trail/sequencer/sequence-store.ts', 'maxTurn = { teams: 25, rows: 500, bytes: 512 * 1024 }'),
    where: 'thread',
  },
  [`${features}/governance/trail/verify/verify-chain.ts`]: {
    reads: 'records of one team, in pages',
    bound: inFeature('governance/trail/verify/verify-chain.ts', 'page = 1_000'),
    where: 'event loop',
  },
  [`${features}/logs/reader-auth.ts`]: {
    reads: 'who reads live logs here',
    bound: inFeature('logs/socket.ts', 'maxConnections = 50'),
    where: 'event loop',
  },
  [`${features}/logs/collector.ts`]: {
    reads: 'new output of one agent',
    bound: inFeature('logs/collector.ts', 'chunkBytes = 512 * 1024'),
    where: 'event loop',
  },
  [`${features}/logs/feed.ts`]: {
    reads: 'new lines for a reader of live logs',
    bound: inFeature('logs/feed.ts', 'readLines = 1000'),
    where: 'event loop',
  },
  [`${features}/logs/socket.ts`]: {
    reads: 'who reads live logs here',
    bound: inFeature('logs/socket.ts', 'maxConnections = 50'),
    where: 'event loop',
  },
  [`${features}/metrics/sampling.ts`]: { reads: 'agents of this node', bound: 'node', where: 'event loop' },
  [`${features}/traces/receiver/thread.ts`]: {
    reads: 'spans that agents sent',
    bound: inFeature('traces/receiver/start.ts', 'memoryMb = 256'),
    where: 'thread',
  },
  [`${features}/traces/sweep-store.ts`]: {
    reads: 'traces that are old, or beyond the share of a deployment',
    bound: inFeature('traces/sweep-store.ts', 'limit ${together}'),
    where: 'database',
  },
  [`${features}/billing/usage/run-meter.ts`]: { reads: 'agents of this node', bound: 'node', where: 'event loop' },
};
