import type { Logger } from 'pino';
import type { Limits } from '../limits.ts';
import type { pageRenderer } from '../pages/pages.ts';
import type { HostMeaning } from '../routes/host.ts';
import type { RoutingTable } from '../routes/routing-table.ts';
import type { UpstreamPools } from '../upstream/pool.ts';
import type { clientReader } from './client-address.ts';
import type { inFlightCounts } from './in-flight.ts';

/** Dependencies shared by all connections of visitors. */
export interface RelayDeps {
  limits: Limits;
  log: Logger;
  table: RoutingTable;
  pools: UpstreamPools;
  readHost: (value: string) => HostMeaning;
  clients: ReturnType<typeof clientReader>;
  inFlight: ReturnType<typeof inFlightCounts>;
  renderPage: ReturnType<typeof pageRenderer>;
  isDraining: () => boolean;
  /** The process that `/healthz` names: while two gateways share the port, it shows which one responded. */
  gatewayPid: number;
}
