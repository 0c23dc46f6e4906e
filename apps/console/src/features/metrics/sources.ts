import { unitPrices } from '@paddock/contract/plans';

const dollars = (cents: number) => `$${(cents / 100).toFixed(2)}`;

/** The source of each figure, for its tooltip. */
export const sources = {
  health: 'The mean of uptime, success and speed, each from 0 to 100',
  requests: 'Counted by the gateway for each answered request. Failed are 5xx, time-outs and lost connections; 4xx are the visitor’s own',
  latency:
    'Measured by the gateway, from the head of a request to the end of its answer (of event streams and WebSockets to its beginning), and kept as a histogram',
  errors: 'Failed requests of all requests, both counted by the gateway',
  uptime:
    'From the moves of its deployments: the share of the time since it was first active, within the range, in which it could answer. Time in which a person had stopped it does not count',
  cost: `Running time × ${dollars(unitPrices.compute_hour)} per hour + bytes × ${dollars(unitPrices.bandwidth_gb)} per GB`,
  cpu: "Read from the agent's control group every 10 s; of the cores that it may use",
  memory: "Read from the agent's control group every 10 s; of the memory that it may use",
  restarts: 'From the moves of its deployments: each start after its process had ended by itself, or with its machine',
  traffic: 'Counted by the gateway while they pass: bodies of requests and answers, and WebSockets',
} as const;
export type Source = keyof typeof sources;
