import type { Server } from 'node:http';
import { BlockList, isIP, type Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { networkOf, plainAddress } from './network.ts';

export const connectionLimits = {
  all: 5_000,
  /** Of one IPv4 address or one /64 of IPv6; a trusted proxy speaks for many and is not counted. */
  perNetwork: 256,
  /** A whole body that is no upload has this long; a megabyte takes a second over a slow line. */
  bodyMs: 60_000,
};

/** Caps what callers who are slow on purpose can hold: sockets beyond the caps are closed before anything is read from them. */
export function capConnections(server: Server, trustedProxies: readonly string[], limits = connectionLimits) {
  const trusted = addressList(trustedProxies);
  const isTrusted = (address: string) => isIP(address) !== 0 && trusted.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
  const perNetwork = new Map<string, number>();
  let all = 0;
  server.on('connection', (socket: Socket) => {
    const address = plainAddress(socket.remoteAddress ?? '');
    const network = networkOf(address);
    const count = perNetwork.get(network) ?? 0;
    if (all >= limits.all || (count >= limits.perNetwork && !isTrusted(address))) {
      socket.destroy();
      return;
    }
    all += 1;
    perNetwork.set(network, count + 1);
    socket.once('close', () => {
      all -= 1;
      const left = perNetwork.get(network)! - 1;
      if (left > 0) perNetwork.set(network, left);
      else perNetwork.delete(network);
    });
  });
  return { count: () => all };
}

/** A body of JSON that only trickles in is cut; uploads watch over themselves. */
export function limitBodyTime(app: FastifyInstance, { bodyMs } = connectionLimits) {
  const timers = new WeakMap<object, NodeJS.Timeout>();
  app.addHook('preParsing', async (request) => {
    if (/^multipart\//i.test(request.headers['content-type'] ?? '')) return;
    const timer = setTimeout(() => request.raw.destroy(), bodyMs);
    timers.set(request, timer);
    request.raw.once('close', () => clearTimeout(timer));
  });
  app.addHook('preValidation', async (request) => clearTimeout(timers.get(request)));
}

function addressList(entries: readonly string[]): BlockList {
  const list = new BlockList();
  for (const entry of entries) {
    const [address = '', bits] = entry.split('/');
    const family = isIP(address);
    if (family === 0) continue; // a range by name, which only the framework knows
    list.addSubnet(address, bits === undefined ? (family === 6 ? 128 : 32) : Number(bits), family === 6 ? 'ipv6' : 'ipv4');
  }
  return list;
}
