import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { defaultDataProtection } from '@paddock/contract/data-protection';
import { connect } from '@paddock/database';
import { projectTokenKey } from '@paddock/pii';
import type { Logger } from 'pino';
import { auditRecorder } from './audit/audit.ts';
import { redactPath } from './audit/records/redact-request.ts';
import type { Config } from './config.ts';
import { handOverWaitingConnections } from './hand-over.ts';
import { limits as defaults, type Limits } from './limits.ts';
import { type Kin, listen } from './listen.ts';
import { pageRenderer } from './pages/pages.ts';
import { protectionTap } from './protection/protection.ts';
import { redactors } from './protection/redactor.ts';
import { scanner } from './protection/scanner.ts';
import { clientReader } from './relay/client-address.ts';
import { createClientListener } from './relay/client-listener.ts';
import { inFlightCounts } from './relay/in-flight.ts';
import { hostReader } from './routes/host.ts';
import type { Route } from './routes/route.ts';
import { routingTable } from './routes/routing-table.ts';
import { spanRecorder } from './spans/spans.ts';
import type { Exchange, Tap } from './taps/tap.ts';
import { trafficRecorder } from './traffic/traffic.ts';
import { trafficTap } from './traffic/traffic-tap.ts';
import { upstreamPools } from './upstream/pool.ts';

export interface Gateway {
  port: number;
  gatewayId: string;
  findRoute: (label: string) => Route | undefined;
  /** Stops accepting, lets requests finish within the drain time, writes the last figures and disconnects from the database. */
  close(): Promise<void>;
}

/** Options beside the configuration, for tests and for the processes of one gateway. */
export interface Extras {
  limits?: Limits;
  /** Taps of a route beside those that count traffic and record spans. */
  tapsOf?: (route: Omit<Route, 'taps'>) => readonly Tap[];
  /** Processes that may listen on the port beside this one; by default none may. */
  kin?: Kin;
}

/**
 * Starts a whole gateway and resolves when it listens. It waits a moment for the routes. Without a database it starts too, and its pages tell
 * visitors so. `gatewayPid` is the process that `/healthz` names, if not this one.
 */
export async function startGateway(
  config: Omit<Config, 'logLevel' | 'parentPid' | 'processes' | 'predecessors'> & { gatewayPid?: number },
  log: Logger,
  { limits = defaults, tapsOf = () => [], kin = { pids: [] } }: Extras = {},
): Promise<Gateway> {
  const gatewayId = randomUUID();
  const sql = connect(config.databaseUrl, { max: 2, name: 'paddock-gateway', statementMs: limits.databaseMs });
  const pools = upstreamPools(limits);
  const traffic = trafficRecorder({ sql, limits, log, gatewayId, collect: () => front.reportBytes() });
  const counting = trafficTap(traffic);
  const { auditSpoolDir: spoolDir, auditSpoolBytes: spoolBytes, auditTokenKey } = config;
  const audit = auditRecorder({ sql, limits, log, spoolDir, spoolBytes, redactors: redactors(auditTokenKey) });
  const masking = redactors(undefined).of(defaultDataProtection, '');
  const pathOf = (exchange: Exchange) => audit.recordOf(exchange)?.path ?? redactPath(exchange.target, masking);
  const spans = spanRecorder({ sql, limits, log, pathOf });
  const scanning = scanner({ inlineLength: limits.scanInlineLength, scanMs: limits.scanMs, maxWaiting: limits.scansWaiting });
  const protecting = (route: Omit<Route, 'taps'>) =>
    protectionTap(route.protection, {
      scanner: scanning.of(route.team_id),
      tokenKey: auditTokenKey && projectTokenKey(auditTokenKey, route.project_id),
      recordOf: audit.recordOf,
    }) ?? [];
  const table = routingTable({
    sql,
    limits,
    log,
    onTargetGone: pools.retire,
    tapsOf: (route) => [counting, spans.tap, audit.createTap(route), ...[protecting(route)].flat(), ...tapsOf(route)],
  });
  let isDraining = false;
  const front = createClientListener({
    limits,
    log,
    table,
    pools,
    readHost: hostReader(config.agentDomain),
    clients: clientReader(config.trustedProxies),
    inFlight: inFlightCounts(limits),
    renderPage: pageRenderer(config.consoleUrl),
    isDraining: () => isDraining,
    gatewayPid: config.gatewayPid ?? process.pid,
  });

  await Promise.race([table.start(), new Promise((resolve) => setTimeout(resolve, 3_000).unref())]);
  const refusal = handOverWaitingConnections();
  if (refusal)
    log.debug(
      { err: refusal },
      'tcp_migrate_req not set: the kernel resets the few connections that are not yet accepted when this gateway exits',
    );
  await listen(front.server, config, kin);
  front.server.on('error', (err) => log.error({ err }, 'listening failed'));
  traffic.start();
  spans.start();
  audit.start();

  return { port: (front.server.address() as AddressInfo).port, gatewayId, findRoute: table.find, close };

  async function close(): Promise<void> {
    isDraining = true;
    await front.drain(limits.drainMs);
    front.stop();
    pools.close();
    scanning.close();
    await Promise.all([table.stop(), traffic.stop(), spans.stop(), audit.stop()]);
    await sql.end({ timeout: 5 });
  }
}
