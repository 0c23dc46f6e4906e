import { known } from './agent-families.ts';
import type { DatabaseRow, PlatformReads, Queue } from './platform-reads.ts';
import type { Family, Sample } from './text.ts';

export interface Platform {
  version: string;
  nodes: Awaited<ReturnType<PlatformReads['nodes']>>;
  queue: Queue;
  mails: number;
  jobs: Awaited<ReturnType<PlatformReads['jobs']>>;
  shortages: Awaited<ReturnType<PlatformReads['shortages']>>;
  databases: readonly DatabaseRow[];
  /** Whether there are more agents, or databases, than are listed. */
  isCut: { agents: boolean; databases: boolean };
}

/** Metrics of the platform and its databases. */
export const platformFamilies = (platform: Platform): Family[] => [...ownFamilies(platform), ...databaseFamilies(platform.databases)];

/** All states always exist, so that an alert on one never lacks its series. */
const shortageStates = ['disk', 'backlog'].flatMap((cause) => ['without_bodies', 'unrecorded'].map((state) => ({ cause, state })));

const ownFamilies = ({ version, nodes, queue, mails, jobs, shortages, isCut }: Platform): Family[] => [
  {
    name: 'paddock_build_info',
    type: 'gauge',
    help: 'Always 1: the release of the server that answered.',
    samples: [{ labels: { version }, value: 1 }],
  },
  {
    name: 'paddock_node_up',
    type: 'gauge',
    help: '1 if the node gave signs of life within its time-out.',
    samples: nodes.map(({ label, is_up }) => ({ labels: { node: label }, value: Number(is_up) })),
  },
  {
    name: 'paddock_deployments',
    type: 'gauge',
    help: 'Deployments on their way or serving, by status.',
    samples: (['queued', 'building', 'deploying', 'active'] as const).map((status) => ({ labels: { status }, value: queue[status] })),
  },
  {
    name: 'paddock_oldest_queued_deployment_age_seconds',
    type: 'gauge',
    help: 'For how long the oldest queued deployment has existed; 0 if none waits.',
    samples: [{ labels: {}, value: queue.oldest_s }],
  },
  {
    name: 'paddock_mails_waiting',
    type: 'gauge',
    help: 'Mails that are neither sent nor given up.',
    samples: [{ labels: {}, value: mails }],
  },
  {
    name: 'paddock_periodic_job_failed',
    type: 'gauge',
    help: '1 if the last run of the job failed.',
    samples: jobs.map(({ name, has_failed }) => ({ labels: { name }, value: Number(has_failed) })),
  },
  {
    name: 'paddock_periodic_job_last_run_timestamp_seconds',
    type: 'gauge',
    help: 'When the job ran last, in seconds since 1970.',
    samples: jobs.map(({ name, last_run_s }) => ({ labels: { name }, value: last_run_s })),
  },
  {
    name: 'paddock_audit_shortages',
    type: 'gauge',
    help: 'Gateway processes without room for records with bodies: the disk is full, or records wait for the database.',
    samples: shortageStates.map((labels) => ({
      labels,
      value: shortages.find(({ cause, state }) => cause === labels.cause && state === labels.state)?.spools ?? 0,
    })),
  },
  {
    name: 'paddock_metrics_cut',
    type: 'gauge',
    help: '1 if there are more of a kind than these metrics tell.',
    samples: (['agents', 'databases'] as const).map((kind) => ({ labels: { kind }, value: Number(isCut[kind]) })),
  },
];

function databaseFamilies(databases: readonly DatabaseRow[]): Family[] {
  const gauge = (name: string, help: string, samplesOf: (row: DatabaseRow) => Sample[]): Family => ({
    name: `paddock_database_${name}`,
    type: 'gauge',
    help,
    samples: databases.flatMap((row) => {
      const { project, environment, id, type, mode } = row;
      return samplesOf(row).map((sample) => ({ ...sample, labels: { project, environment, database: id, type, mode } }));
    }),
  });
  return [
    gauge('up', '1 if the database answers, 0 if it is meant to and does not.', ({ is_up }) => known(is_up)),
    gauge('size_bytes', 'Size of the data.', ({ size_bytes }) => known(size_bytes)),
    gauge('size_limit_bytes', 'How large the data may become; absent without a limit.', ({ storage_limit_bytes }) =>
      known(storage_limit_bytes),
    ),
    gauge('connections', 'Open connections.', ({ connections }) => known(connections)),
    gauge('memory_bytes', 'Memory of the database server.', ({ memory_bytes }) => known(memory_bytes)),
  ];
}
