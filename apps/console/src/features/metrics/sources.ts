import { unitPrices } from '@paddock/contract/plans';

const dollars = (cents: number) => `$${(cents / 100).toFixed(2)}`;

/** The source of each figure, for its tooltip. */
export const sources = {
  health: 'The mean of uptime, success and speed, each from 0 to 100',
  requests: 'Counted by the gateway for each answered request. 5xx, timeouts and lost connections count as failed; 4xx do not',
  latency:
    'Measured by the gateway from the request headers to the end of the response (for event streams and WebSockets, to its beginning) and stored as a histogram',
  errors: 'Failed requests as a share of all requests, both counted by the gateway',
  uptime:
    'From the status changes of its deployments: the share of the time since it was first active, within the range, during which it was able to respond. Time when someone had stopped it is excluded',
  cost: `Running time × ${dollars(unitPrices.compute_hour)} per hour + bytes × ${dollars(unitPrices.bandwidth_gb)} per GB`,
  cpu: "Read from the agent's control group every 10 s, as a share of the cores that it may use",
  memory: "Read from the agent's control group every 10 s, against the memory that it may use",
  restarts: 'From the status changes of its deployments: each start after its process exited on its own or with its machine',
  traffic: 'Counted by the gateway: request and response bodies, and WebSockets',
} as const;
export type Source = keyof typeof sources;
