import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { networkList, plainAddress, toNetworkKey } from '@paddock/network';
import type { FastifyInstance } from 'fastify';

const connectionLimits = {
  all: 5_000,
  /** Per IPv4 address or IPv6 /64; a trusted proxy, which speaks for many, is not counted. */
  perNetwork: 256,
  /** Maximum pipelined requests on one connection; browsers send none. */
  pipelined: 4,
  /** Timeout for a whole body that is no upload; a megabyte takes a second over a slow line. */
  bodyMs: 60_000,
};

/** Caps connections against deliberately slow callers: sockets beyond the caps are closed before anything is read from them. */
export function capConnections(server: Server, trustedProxies: readonly string[], limits = connectionLimits) {
  const trusted = networkList(trustedProxies);
  const perNetwork = new Map<string, number>();
  /** The sockets in order of arrival, each with the number of its requests in progress. */
  const sockets = new Map<Socket, number>();
  server.on('connection', (socket: Socket) => {
    const address = plainAddress(socket.remoteAddress ?? '');
    const network = toNetworkKey(address);
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
  // Runs before the framework's listener, which ignores requests of a destroyed socket.
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

  /** Closes the socket that has been idle longest, to make room for a new one. */
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

/** Cuts a JSON body that arrives too slowly; uploads have a separate limit. */
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
