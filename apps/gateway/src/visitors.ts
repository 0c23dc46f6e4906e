import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf, plainAddress } from '@paddock/network';
import type { Limits } from './limits.ts';

/** One connection of a visitor. */
export interface Visitor {
  /** After a request that was refused for its form, whatever follows on the connection is not looked at. */
  isRefused: boolean;
  inFlight: number;
}

/** Counts the visitors' connections, and closes those beyond the caps before anything is read from them. */
export function visitorConnections(server: Server, limits: Limits, isTrusted: (address: string) => boolean) {
  const visitors = new WeakMap<Socket, Visitor>();
  const sockets = new Set<Socket>();
  const perNetwork = new Map<string, number>();

  server.on('connection', (socket: Socket) => {
    const address = plainAddress(socket.remoteAddress ?? '');
    const network = networkOf(address);
    const count = (perNetwork.get(network) ?? 0) + 1;
    const isBeyondOwn = count > limits.connectionsPerAddress && !isTrusted(address);
    if (isBeyondOwn || (sockets.size >= limits.connections && !makeRoom())) {
      socket.destroy();
      return;
    }
    sockets.add(socket);
    perNetwork.set(network, count);
    visitors.set(socket, { isRefused: false, inFlight: 0 });
    socket.on('close', () => {
      sockets.delete(socket);
      const left = perNetwork.get(network)! - 1;
      if (left > 0) perNetwork.set(network, left);
      else perNetwork.delete(network);
    });
  });

  /** Whoever has waited longest without asking anything makes way for who comes now. */
  function makeRoom(): boolean {
    for (const socket of sockets) {
      if (visitors.get(socket)!.inFlight > 0) continue;
      sockets.delete(socket);
      socket.destroy();
      return true;
    }
    return false;
  }

  return {
    of: (socket: Socket): Visitor | undefined => visitors.get(socket),
    count: () => sockets.size,
    destroyAll: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
}
