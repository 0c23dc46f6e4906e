import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { connect } from '@paddock/database';
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import type { Exchange } from './exchange.ts';
import { limits as defaults, type Limits } from './limits.ts';
import { gatewayListener } from './listener.ts';
import { type Route, routingTable } from './routing-table.ts';
import { trafficRecorder } from './traffic.ts';
import { upstreamPool } from './upstream/pool.ts';

export interface Gateway {
  port: number;
  gatewayId: string;
  findRoute: (label: string) => Route | undefined;
  /** Stops accepting, lets requests finish within the drain time, writes the last figures, lets go of the database. */
  close(): Promise<void>;
}

/**
 * A whole gateway, listening. It waits a moment for the routes; without a database it starts all the same and says so to visitors. `gatewayPid` is
 * the process that `/healthz` names, where that is another than this one.
 */
export async function startGateway(
  config: Omit<Config, 'logLevel' | 'parentPid' | 'processes'> & { gatewayPid?: number },
  log: Logger,
  limits: Limits = defaults,
): Promise<Gateway> {
  const gatewayId = randomUUID();
  const sql = connect(config.databaseUrl, { max: 2, name: 'paddock-gateway', statementMs: limits.databaseMs });
  const exchanges = new Set<Exchange>();
  const pool = upstreamPool(limits);
  const collect = () => {
    for (const exchange of exchanges) exchange.figures.countBytes();
  };
  const traffic = trafficRecorder({ sql, limits, log, gatewayId, collect });
  const table = routingTable({ sql, limits, log, onTargetGone: pool.retire });
  const listener = gatewayListener({ config, limits, table, exchanges, exchangeParts: { pool, traffic, log } });

  const sweeper = setInterval(() => {
    const now = performance.now();
    for (const exchange of exchanges) if (exchange.deadline < now) exchange.expired();
  }, 250);
  await Promise.race([table.start(), new Promise((resolve) => setTimeout(resolve, 3_000).unref())]);
  await new Promise<void>((resolve, reject) => {
    listener.server.once('error', reject);
    listener.server.listen({ port: config.port, host: config.host, backlog: 1024, reusePort: process.platform === 'linux' }, resolve);
  });
  listener.server.on('error', (err) => log.error({ err }, 'listening failed'));
  traffic.start();

  return { port: (listener.server.address() as AddressInfo).port, gatewayId, findRoute: table.find, close };

  async function close(): Promise<void> {
    await listener.drain(limits.drainMs);
    clearInterval(sweeper);
    pool.close();
    await Promise.all([table.stop(), traffic.stop()]);
    await sql.end({ timeout: 5 });
  }
}
