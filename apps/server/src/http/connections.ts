import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { networkList, networkOf, plainAddress } from '@paddock/network';
import type { FastifyInstance } from 'fastify';

const connectionLimits = {
  all: 5_000,
  /** Connections of one IPv4 address or one /64 of IPv6; trusted proxies, which act for many, are not counted. */
  perNetwork: 256,
  /** Requests pipelined on one connection before the first response; no browser sends any. */
  pipelined: 4,
  /** Timeout of a whole body that is not an upload; a megabyte takes a second over a slow line. */
  bodyMs: 60_000,
};

/** Caps the sockets of deliberately slow callers: sockets beyond the caps are closed before anything is read from them. */
export function capConnections(server: Server, trustedProxies: readonly string[], limits = connectionLimits) {
  const trusted = networkList(trustedProxies);
  const perNetwork = new Map<string, number>();
  /** The sockets in order of arrival, each with the number of its requests in progress. */
  const sockets = new Map<Socket, number>();
  server.on('connection', (socket: Socket) => {
    const address = plainAddress(socket.remoteAddress ?? '');
    const network = networkOf(address);
    const count = perNetwork.get(network) ?? 0;
    const isBeyondOwn = count >= limits.perNetwork && !trusted.has(address);
    if (isBeyondOwn || (sockets.size >= limits.all && !makeRoom())) {
      socket.destroy();
      return;
    }
    sockets.set(socket, 0);
    perNetwork.set(network, count + 1);
    socket.once('close', () => {
      sockets.delete(socket);
      const left = perNetwork.get(network)! - 1;
      if (left > 0) perNetwork.set(network, left);
      else perNetwork.delete(network);
    });
  });
  // Runs before the framework handles the request: it does nothing for a destroyed connection.
  server.prependListener('request', (request, response) => {
    const { socket } = request;
    if ((sockets.get(socket) ?? 0) >= limits.pipelined) socket.destroy();
    change(socket, 1);
    response.once('close', () => change(socket, -1));
  });
  server.on('upgrade', (_, socket) => change(socket as Socket, 1));

  function change(socket: Socket, by: number): void {
    const requests = sockets.get(socket);
    if (requests !== undefined) sockets.set(socket, requests + by);
  }

  /** Evicts the socket that has been idle longest. */
  function makeRoom(): boolean {
    for (const [socket, requests] of sockets) {
      if (requests > 0) continue;
      sockets.delete(socket);
      socket.destroy();
      return true;
    }
    return false;
  }
}

/** Cuts off a JSON body that arrives too slowly; uploads have their own limit. */
export function limitBodyTime(app: FastifyInstance, { bodyMs } = connectionLimits) {
  const timers = new WeakMap<object, NodeJS.Timeout>();
  app.addHook('preParsing', async (request) => {
    if (/^multipart\//i.test(request.headers['content-type'] ?? '')) return;
    const timer = setTimeout(() => request.raw.destroy(), bodyMs).unref(); // a process that has closed its server does not wait for the timer
    timers.set(request, timer);
    request.raw.once('close', () => clearTimeout(timer));
  });
  app.addHook('preValidation', async (request) => clearTimeout(timers.get(request)));
}
