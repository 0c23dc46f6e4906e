import { lookup } from 'node:dns/promises';
import { isIPv4 } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { plainAddress } from './address.ts';
import { RESOLVE_MS } from './resolve-name.ts';

/** The host and port of a platform service; without a host, it listens at any address of this machine. */
export interface OwnService {
  host?: string;
  port: number;
}

interface Deps {
  services: () => Promise<OwnService[]>;
  /** Addresses of this machine besides its loopback. */
  own: () => string[];
  /** The platform's lookup of its own services, which includes this machine's files. */
  resolveOwn?: ((name: string) => Promise<string[]>) | undefined;
}

/**
 * Returns a check whether a service of the platform listens at an address and port. A service whose address is unknown right now might be
 * at this one.
 */
export function ownServiceCheck({ services, own, resolveOwn = lookUp }: Deps) {
  const isHere = (one: string) => one.startsWith('127.') || one === '::1' || own().includes(one);

  async function resolveAddresses(host: string | undefined, address: string): Promise<string[]> {
    if (host === undefined) return ['127.0.0.1'];
    if (isIPv4(host)) return [host];
    return Promise.race([resolveOwn(host), sleep(RESOLVE_MS, [address], { ref: false })]).catch(() => [address]);
  }

  return async (given: string, port: number): Promise<boolean> => {
    const address = plainAddress(given);
    for (const service of await services()) {
      if (service.port !== port) continue;
      const found = await resolveAddresses(service.host, address);
      if (found.includes(address) || (isHere(address) && found.some(isHere))) return true;
    }
    return false;
  };
}

async function lookUp(name: string): Promise<string[]> {
  return (await lookup(name, { all: true })).map(({ address }) => address);
}
