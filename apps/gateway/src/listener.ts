import { createServer, type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf } from '@paddock/network';
import { type AnswerCode, answers } from './answers.ts';
import { clientReader } from './client-address.ts';
import type { Config } from './config.ts';
import { Exchange } from './exchange.ts';
import type { ExchangeParts } from './exchange-parts.ts';
import { hostReader } from './host.ts';
import { inFlightCounts } from './in-flight.ts';
import type { Limits } from './limits.ts';
import { pageFor, pageRenderer, wantedForm } from './pages.ts';
import { lingerFor } from './request-body.ts';
import { newRequestId, type RequestFacts, readRequest, requestIdOf } from './request-head.ts';
import type { Route, RoutingTable } from './routing-table.ts';
import { visitorConnections } from './visitors.ts';
import { serviceRestart, webSocketKey } from './web-socket.ts';

/** The public side: an HTTP/1.1 server that refuses what is ambiguous, finds the agent by Host and starts an exchange with it. */
export function gatewayListener(parts: {
  config: Pick<Config, 'agentDomain' | 'consoleUrl' | 'trustedProxies'> & { gatewayPid?: number };
  limits: Limits;
  table: RoutingTable;
  exchanges: Set<Exchange>;
  exchangeParts: Pick<ExchangeParts, 'pool' | 'traffic' | 'log'>;
}) {
  const { limits, table, exchanges } = parts;
  const { log } = parts.exchangeParts;
  const readHost = hostReader(parts.config.agentDomain);
  const clients = clientReader(parts.config.trustedProxies);
  const renderPage = pageRenderer(parts.config.consoleUrl);
  const inFlight = inFlightCounts();
  let isDraining = false;
  const shared: ExchangeParts = { ...parts.exchangeParts, limits, findRoute: table.find, sendPage, isDraining: () => isDraining };

  const server = createServer({
    insecureHTTPParser: false,
    maxHeaderSize: limits.headBytes,
    headersTimeout: limits.headMs,
    // Uploads may take long as long as something comes: the exchange watches over that.
    requestTimeout: 0,
    keepAliveTimeout: limits.keepAliveMs,
    connectionsCheckingInterval: Math.min(1_000, limits.headMs),
    noDelay: true,
    // Any other upgrade (h2c …) is answered as the plain HTTP/1.1 request that it also is.
    shouldUpgradeCallback: (req) => req.headers.upgrade?.toLowerCase() === 'websocket',
  });
  // The parser would drop what is beyond silently; we count, and refuse.
  server.maxHeadersCount = 0;
  const visitors = visitorConnections(server, limits, clients.isTrusted);

  server.on('request', (req, res) => guarded(req, res, undefined));
  server.on('checkContinue', (req: IncomingMessage, res: ServerResponse) => guarded(req, res, undefined));
  server.on('checkExpectation', (req: IncomingMessage, res: ServerResponse) => guarded(req, res, undefined));
  server.on('upgrade', (req: IncomingMessage, socket: Socket, ahead: Buffer) => {
    socket.on('error', () => socket.destroy());
    const res = new ServerResponse(req);
    res.shouldKeepAlive = false;
    res.assignSocket(socket);
    res.on('finish', () => socket.destroySoon());
    guarded(req, res, { socket, ahead });
  });
  server.on('connect', (_req: IncomingMessage, socket: Socket) => refuseRaw(socket, 'method_not_allowed'));
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => refuseRaw(socket, codeOf(error.code)));

  return { server, visitors, drain };

  function guarded(req: IncomingMessage, res: ServerResponse, upgrade: { socket: Socket; ahead: Buffer } | undefined): void {
    attempt(req, res, () => handle(req, res, upgrade));
  }

  function attempt(req: IncomingMessage, res: ServerResponse, work: () => void): void {
    try {
      work();
    } catch (err) {
      const requestId = newRequestId();
      log.error({ err, request_id: requestId }, 'request handling failed');
      res.shouldKeepAlive = false;
      if (res.headersSent) req.socket.destroy();
      else sendPage(res, 'internal', undefined, requestId);
    }
  }

  function handle(req: IncomingMessage, res: ServerResponse, upgrade: { socket: Socket; ahead: Buffer } | undefined): void {
    const visitor = visitors.of(req.socket);
    if (!visitor || visitor.isRefused) return;
    if (isDraining) res.shouldKeepAlive = false;
    const facts = readRequest(req, limits);
    if (typeof facts === 'string') {
      visitor.isRefused = true;
      res.shouldKeepAlive = false;
      sendPage(res, facts, undefined, newRequestId());
      return;
    }
    const client = clients.read(req.socket.remoteAddress, facts.forwardedFor, facts.forwardedProto);
    const requestId = requestIdOf(facts, client);
    const refuse = (code: AnswerCode) => {
      if (answers[code].status === 400) {
        visitor.isRefused = true;
        res.shouldKeepAlive = false;
      } else if (facts.body !== 'none') lingerFor(req, limits.lingerMs);
      sendPage(res, code, facts, requestId);
    };
    const host = readHost(facts.host);
    if (host.kind === 'invalid') return refuse('host_invalid');
    if (facts.expects !== undefined && facts.expects !== '100-continue') return refuse('expectation_unknown');
    if (host.kind === 'other') {
      if (facts.target === '/livez') return answerHealth(res, true);
      return facts.target === '/healthz' || facts.target === '/readyz'
        ? answerHealth(res, table.isLoaded() && !isDraining)
        : refuse('agent_not_found');
    }
    if (!table.isLoaded()) return refuse('routes_unknown');
    const pass = (route: Route | undefined): void => {
      if (!route?.target || !route.deployment_id) return refuse(pageFor(route));
      if (typeof facts.body === 'number' && facts.body > limits.bodyBytes) return refuse('body_too_large');
      const key = upgrade && webSocketKey(req, facts);
      if (upgrade && !key) return refuse('request_invalid');
      const deploymentId = route.deployment_id;
      const kind = upgrade ? 'web sockets' : 'requests';
      const counted = [`${kind} ${deploymentId}`, `${kind} ${deploymentId} ${networkOf(client.address)}`] as const;
      const most = upgrade
        ? [limits.webSocketsPerDeployment, limits.webSocketsPerVisitor]
        : [limits.inFlightPerDeployment, limits.inFlightPerVisitor];
      if (counted.some((key, i) => inFlight.of(key) >= most[i]!)) return refuse('agent_busy');
      if (visitor.inFlight >= limits.pipelined) {
        req.socket.destroy();
        return;
      }
      for (const key of counted) inFlight.add(key);
      visitor.inFlight += 1;
      const exchange = new Exchange(shared, {
        req,
        res,
        facts,
        route,
        client,
        requestId,
        upgrade: upgrade && { ...upgrade, key: key! },
        closed: () => {
          exchanges.delete(exchange);
          visitor.inFlight -= 1;
          for (const key of counted) inFlight.remove(key);
        },
      });
      exchanges.add(exchange);
      exchange.start();
    };
    const known = table.find(host.label);
    const again = known?.target ? undefined : table.lookAgain(host.label);
    if (!again) return pass(known);
    // Who deploys an agent and opens its address at once must not be told that it is starting when it serves already.
    void again.then((now) => attempt(req, res, () => req.socket.destroyed || pass(now)));
  }

  function sendPage(res: ServerResponse, code: AnswerCode, facts: RequestFacts | undefined, requestId: string): void {
    const page = renderPage(code, wantedForm(facts?.accept), requestId, facts?.host);
    res.writeHead(page.status, page.headers);
    res.end(page.body);
  }

  /** Nothing here waits for the database: the gateway passes requests on without it. */
  function answerHealth(res: ServerResponse, isReady: boolean): void {
    const body = isReady ? 'ok\n' : 'not ready\n';
    // While two gateways share the port, the process id tells which one answered.
    const who = { 'X-Gateway-Process': parts.config.gatewayPid ?? process.pid };
    res.writeHead(isReady ? 200 : 503, {
      'Content-Type': 'text/plain',
      'Content-Length': body.length,
      'Cache-Control': 'no-store',
      ...who,
    });
    res.end(body);
  }

  /** For what never became a request: the answer is written by hand, and the connection closes. */
  function refuseRaw(socket: Socket, code: AnswerCode): void {
    const visitor = visitors.of(socket);
    // Bytes in the middle of somebody's answer would be taken for part of it.
    if (!socket.writable || !visitor || visitor.isRefused || visitor.inFlight > 0) {
      socket.destroy();
      return;
    }
    visitor.isRefused = true;
    const page = renderPage(code, 'json', newRequestId());
    let head = `HTTP/1.1 ${page.status} ${answers[code].title}\r\nConnection: close\r\nDate: ${new Date().toUTCString()}\r\n`;
    for (let i = 0; i < page.headers.length; i += 2) head += `${page.headers[i]!}: ${page.headers[i + 1]!}\r\n`;
    socket.end(`${head}\r\n${page.body}`, () => socket.destroy());
  }

  /** Takes no new connections, lets what is under way finish, and resolves when all are gone or the time is over. */
  async function drain(ms: number): Promise<void> {
    isDraining = true;
    // Closing resets the connections that wait to be accepted, and another gateway on this port does not get them: they are taken first.
    for (let turns = 0; turns < 2; turns++) await new Promise((resolve) => setImmediate(resolve));
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    const timer = setTimeout(() => {
      for (const exchange of exchanges) exchange.abort(serviceRestart);
      setTimeout(visitors.destroyAll, limits.farewellMs);
    }, ms);
    // Connections whose last answer began before the drain are idle only now.
    const idle = setInterval(() => server.closeIdleConnections(), 200);
    await closed;
    clearInterval(idle);
    clearTimeout(timer);
  }
}

function codeOf(code: string | undefined): AnswerCode {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return 'headers_too_large';
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return 'request_timed_out';
    default:
      return 'request_invalid';
  }
}
