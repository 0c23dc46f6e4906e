import { lookup } from 'node:dns/promises';
import { isIPv4 } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { plainAddress } from './address.ts';
import { RESOLVE_MS } from './resolve-name.ts';

/** Where a service of the platform answers: at a host, or with none at any address of this machine. */
export interface OwnService {
  host?: string;
  port: number;
}

interface Given {
  services: () => Promise<OwnService[]>;
  /** Addresses of this machine besides its loopback. */
  own: () => string[];
  /** How the platform finds its own services: by this machine's files too. */
  resolveOwn?: ((name: string) => Promise<string[]>) | undefined;
}

/** Tells whether a service of the platform answers at an address and port. A service whose address nobody can tell right now might be at this one. */
export function ownServiceCheck({ services, own, resolveOwn = lookUp }: Given) {
  const isHere = (one: string) => one.startsWith('127.') || one === '::1' || own().includes(one);

  async function placesOf(host: string | undefined, address: string): Promise<string[]> {
    if (host === undefined) return ['127.0.0.1'];
    if (isIPv4(host)) return [host];
    return Promise.race([resolveOwn(host), sleep(RESOLVE_MS, [address], { ref: false })]).catch(() => [address]);
  }

  return async (given: string, port: number): Promise<boolean> => {
    const address = plainAddress(given);
    for (const service of await services()) {
      if (service.port !== port) continue;
      const found = await placesOf(service.host, address);
      if (found.includes(address) || (isHere(address) && found.some(isHere))) return true;
    }
    return false;
  };
}

async function lookUp(name: string): Promise<string[]> {
  return (await lookup(name, { all: true })).map(({ address }) => address);
}
