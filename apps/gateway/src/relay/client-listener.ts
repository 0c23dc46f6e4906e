import { createServer, type Socket } from 'node:net';
import { plainAddress, toNetworkKey } from '@paddock/network';
import { untilNobodyWaits } from '../hand-over.ts';
import { serviceRestart } from '../web-sockets/handshake.ts';
import { readInto } from './accept.ts';
import { ClientConnection } from './client-connection.ts';
import type { RelayDeps } from './relay-deps.ts';

/** Maximum connections that are checked to find an idle one: enough to find one, few enough to cost nothing. */
const maxLooks = 64;

/** The public side: accepts connections within their caps, enforces their deadlines, and drains them. */
export function createClientListener(parts: RelayDeps) {
  const { limits, clients } = parts;
  const present = new Set<ClientConnection>();
  const perNetwork = new Map<string, number>();
  let accepted = 0;
  const server = createServer({ noDelay: true, allowHalfOpen: true, pauseOnConnect: true }, accept);
  const sweeper = setInterval(sweep, 250);

  return { server, drain, reportBytes, stop: () => clearInterval(sweeper) };

  function accept(connection: Socket): void {
    accepted += 1;
    const address = plainAddress(connection.remoteAddress ?? '');
    const network = toNetworkKey(address);
    const count = (perNetwork.get(network) ?? 0) + 1;
    const isBeyondOwn = count > limits.connectionsPerAddress && !clients.isTrusted(address);
    if (isBeyondOwn || (present.size >= limits.connections && !evictIdle())) {
      connection.destroy();
      return;
    }
    perNetwork.set(network, count);
    const peer = clients.read(address, undefined, undefined);
    readInto(connection, (socket) => {
      const visitor = new ClientConnection(socket, parts, { peer, onGone: (gone) => forget(gone, network) });
      present.add(visitor);
      return (bytes, length) => visitor.read(bytes, length);
    });
  }

  function forget(visitor: ClientConnection, network: string): void {
    present.delete(visitor);
    const left = perNetwork.get(network)! - 1;
    if (left > 0) perNetwork.set(network, left);
    else perNetwork.delete(network);
  }

  /** Closes a connection that has been idle for long, to make room for a new one. */
  function evictIdle(): boolean {
    let looks = 0;
    for (const visitor of present) {
      if (looks >= maxLooks) return false;
      looks += 1;
      if (visitor.isIdle && visitor.socket.writableLength === 0) {
        present.delete(visitor);
        visitor.socket.destroy();
        return true;
      }
      // Busy: moved to the end, so that others are checked first the next time.
      present.delete(visitor);
      present.add(visitor);
    }
    return false;
  }

  function sweep(): void {
    const now = performance.now();
    for (const visitor of present) {
      if (visitor.deadline >= now) continue;
      try {
        visitor.expired();
      } catch (err) {
        visitor.broke(err);
      }
    }
  }

  /** Counts the bytes of exchanges in progress. */
  function reportBytes(): void {
    for (const visitor of present) visitor.exchange.facts?.tellBytes();
  }

  /** Stops accepting, lets exchanges in progress finish, and resolves when all connections have closed or the time is over. */
  async function drain(ms: number): Promise<void> {
    // Without tcp_migrate_req, closing resets connections that are not yet accepted, so they are accepted first.
    await untilNobodyWaits(() => accepted);
    server.close();
    const end = performance.now() + ms;
    let hasAborted = false;
    while (present.size > 0) {
      for (const visitor of present) if (visitor.isBetweenRequests) visitor.close();
      const now = performance.now();
      if (now > end + limits.farewellMs) for (const visitor of present) visitor.socket.destroy();
      else if (now > end && !hasAborted) {
        hasAborted = true;
        for (const visitor of present) visitor.abort(serviceRestart);
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
