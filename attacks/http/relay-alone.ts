// The gateway's own request path (ClientConnection, RelayedExchange, the pools, Upstream) between fake sockets and without a database. The
// fuzzed code is the product's, at a few hundred thousand conversations a minute.
import { defaultDataProtection } from '@paddock/contract/data-protection';
import { limits } from '../../apps/gateway/src/limits.ts';
import type { ResponseCode } from '../../apps/gateway/src/pages/own-responses.ts';
import { pageRenderer } from '../../apps/gateway/src/pages/pages.ts';
import { clientReader } from '../../apps/gateway/src/relay/client-address.ts';
import { ClientConnection } from '../../apps/gateway/src/relay/client-connection.ts';
import { inFlightCounts } from '../../apps/gateway/src/relay/in-flight.ts';
import type { RelayDeps } from '../../apps/gateway/src/relay/relay-deps.ts';
import { hostReader } from '../../apps/gateway/src/routes/host.ts';
import type { Route } from '../../apps/gateway/src/routes/route.ts';
import { routeTaps } from '../../apps/gateway/src/taps/tap.ts';
import { upstreamPools } from '../../apps/gateway/src/upstream/pool.ts';
import { type AgentEnd, connectToStandIns, StandIn, tellClosed } from './stand-ins.ts';

// The clock is fixed: the only waits in a conversation are those for a stream's share of the loop, which depend on how busy the machine is.
const moment = performance.now();
performance.now = () => moment;

const target = { host: '127.0.0.1', port: 1, key: 'agent' };
const owner = { team_id: 'team_a', project_id: 'prj_a', project_name: 'a', protection: defaultDataProtection };
const route: Route = {
  label: 'a',
  deployment_id: 'dep_a',
  ...owner,
  state: 'active',
  host_header: null,
  target,
  version: 1,
  taps: routeTaps([]),
};
const pools = upstreamPools(limits);
const peer = { address: '203.0.113.7', isHttps: false, isTrustedProxy: false };
const render = pageRenderer('http://console.test');

/** The records of the current conversation. */
let codes: ResponseCode[] = [];
let whys: string[] = [];
let faults: unknown[] = [];
let agents: AgentEnd[] = [];
connectToStandIns((agent) => agents.push(agent));

/** Logs nothing, but collects the reasons for broken responses, and the faults. */
const log = {
  debug: (facts: { why: string }) => whys.push(facts.why),
  error: (facts: { err: unknown }) => faults.push(facts.err),
} as unknown as RelayDeps['log'];

const parts: RelayDeps = {
  limits,
  log,
  pools,
  table: { isLoaded: () => true, find: () => route, rereadRoute: () => undefined } as unknown as RelayDeps['table'],
  readHost: hostReader('localhost'),
  clients: clientReader(undefined),
  inFlight: inFlightCounts(limits),
  renderPage: (code, wants, more) => {
    codes.push(code);
    return render(code, wants, more);
  },
  isDraining: () => false,
  gatewayPid: process.pid,
};

// All reads share one buffer, as in the product: a reference to its bytes is invalid after the read.
const shared = Buffer.alloc(64 * 1024);

/** A visitor's connection to the gateway. */
export class Conversation {
  readonly socket = new StandIn();
  readonly visitor: ClientConnection;
  readonly codes: ResponseCode[] = (codes = []);
  /** The gateway's reasons for calling the agent's responses broken. */
  readonly whys: string[] = (whys = []);
  readonly agents: AgentEnd[] = (agents = []);
  readonly #faults: unknown[] = (faults = []);
  #waiting: Buffer[] = [];
  #isOver = false;

  constructor({ isSlow = false } = {}) {
    this.socket.isSlow = isSlow;
    this.visitor = new ClientConnection(this.socket.asSocket, parts, { peer, onGone: () => undefined });
  }

  /** Sends bytes from the visitor. The gateway reads them once it reads at all. */
  say(piece: Buffer): void {
    this.#waiting.push(piece);
    this.settle();
  }

  /** The visitor closes its side. */
  hangUp(): void {
    this.#isOver = true;
    this.settle();
  }

  /** Runs everything that needs no more time. */
  settle(): void {
    for (let turns = 0; turns < 8; turns++) {
      while (this.#waiting.length > 0 && !this.socket.isPaused && !this.socket.destroyed) this.#read(this.#waiting.shift()!);
      this.socket.drain();
      for (const agent of this.agents) agent.drain();
      tellClosed();
    }
    if (!this.#isOver || this.#waiting.length > 0 || this.socket.destroyed) return;
    this.#isOver = false;
    this.socket.emit('end');
    tellClosed();
  }

  #read(piece: Buffer): void {
    piece.copy(shared);
    if (!this.visitor.read(shared, piece.length)) this.socket.isPaused = true;
    shared.fill(0x58, 0, piece.length);
  }

  /** Closes all connections; throws the gateway's first fault. */
  end(): void {
    this.socket.destroy();
    tellClosed();
    pools.retire(target.key);
    tellClosed();
    if (this.#faults.length > 0) throw this.#faults[0];
  }
}
