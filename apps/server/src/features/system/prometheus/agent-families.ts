import { boundsSeconds } from './buckets.ts';
import type { AgentRow } from './listed-agents.ts';
import { type Family, type Labels, numberText, type Sample } from './text.ts';
import type { Totals } from './totals.ts';

export interface Agent {
  row: AgentRow;
  totals: Totals;
}

const classes = ['1xx', '2xx', '3xx', '4xx', '5xx'];
const reasons = ['crashed', 'out_of_memory', 'lost', 'node_died'] as const;

/** Metrics of agents. Each deployment has its own series: a new deployment begins at 0. */
export const agentFamilies = (agents: readonly Agent[]): Family[] => [
  {
    name: 'paddock_agent_info',
    type: 'gauge',
    help: 'Always 1: where a deployment belongs, for joins.',
    samples: each(agents, ({ row: { team_id, project_id, node } }) => [
      { labels: { team: team_id, project_id, node: node ?? '' }, value: 1 },
    ]),
  },
  {
    name: 'paddock_agent_up',
    type: 'gauge',
    help: '1 if the agent runs, 0 if it is down although it is meant to run; absent after an orderly end.',
    samples: each(agents, ({ row }) => known(row.is_up)),
  },
  {
    name: 'paddock_agent_requests_total',
    type: 'counter',
    help: 'Requests of visitors, by class of the answer.',
    samples: each(agents, ({ totals }) => classes.map((code, index) => ({ labels: { code }, value: totals.statuses[index] ?? 0 }))),
  },
  {
    name: 'paddock_agent_upstream_errors_total',
    type: 'counter',
    help: 'Requests to which the gateway made the answer itself: no connection, time-out, broken answer.',
    samples: each(agents, ({ totals }) => [{ labels: {}, value: totals.upstream_errors }]),
  },
  {
    name: 'paddock_agent_received_bytes_total',
    type: 'counter',
    help: 'Bytes of bodies and WebSockets that visitors sent to the agent.',
    samples: each(agents, ({ totals }) => [{ labels: {}, value: totals.bytes_in }]),
  },
  {
    name: 'paddock_agent_sent_bytes_total',
    type: 'counter',
    help: 'Bytes of bodies and WebSockets that visitors got from the agent.',
    samples: each(agents, ({ totals }) => [{ labels: {}, value: totals.bytes_out }]),
  },
  {
    name: 'paddock_agent_request_duration_seconds',
    type: 'histogram',
    help: 'How long requests of visitors took, to the end of the answer; of event streams and WebSockets to its beginning.',
    samples: each(agents, ({ totals }) => buildHistogram(totals)),
  },
  {
    name: 'paddock_agent_cpu_seconds_total',
    type: 'counter',
    help: 'Processor time that the agent used.',
    samples: each(agents, ({ totals }) => [{ labels: {}, value: totals.cpu_ms / 1000 }]),
  },
  {
    name: 'paddock_agent_cpu_limit_cores',
    type: 'gauge',
    help: 'Processors that the agent may use.',
    samples: each(agents, ({ row }) => known(row.cpu_limit_cores)),
  },
  {
    name: 'paddock_agent_memory_bytes',
    type: 'gauge',
    help: 'Memory of the agent, at most within the minute.',
    samples: each(agents, ({ row }) => known(row.memory_bytes)),
  },
  {
    name: 'paddock_agent_memory_limit_bytes',
    type: 'gauge',
    help: 'Memory that the agent may use.',
    samples: each(agents, ({ row }) => known(row.memory_limit_bytes)),
  },
  {
    name: 'paddock_agent_restarts_total',
    type: 'counter',
    help: 'Restarts of the agent, by what ended it.',
    samples: each(agents, ({ row }) => reasons.map((reason) => ({ labels: { reason }, value: row[reason] }))),
  },
];

/** The samples of each agent, with the labels that all of its series have. */
function each(agents: readonly Agent[], samplesOf: (agent: Agent) => Sample[]): Sample[] {
  return agents.flatMap((agent) => {
    const { project, environment, id } = agent.row;
    const own: Labels = { project, environment, deployment: id };
    return samplesOf(agent).map((sample) => ({ ...sample, labels: { ...own, ...sample.labels } }));
  });
}

/** An unknown value has no sample: 0 would be wrong. */
export const known = (value: number | boolean | null): Sample[] => (value === null ? [] : [{ labels: {}, value: Number(value) }]);

/** Buckets are cumulative; the last one has no bound. */
function buildHistogram({ latency, latency_us_sum }: Totals): Sample[] {
  let upTo = 0;
  const buckets = [...boundsSeconds, Number.POSITIVE_INFINITY].map((bound, index): Sample => {
    upTo += latency[index] ?? 0;
    return { suffix: '_bucket', labels: { le: numberText(bound) }, value: upTo };
  });
  return [...buckets, { suffix: '_sum', labels: {}, value: latency_us_sum / 1_000_000 }, { suffix: '_count', labels: {}, value: upTo }];
}
