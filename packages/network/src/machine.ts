import { readFileSync, readlinkSync } from 'node:fs';
import { hostname, networkInterfaces } from 'node:os';

/**
 * Identifies the network stack of this process until the next boot. Only processes that share it reach an agent at the same address: not
 * those of another machine, nor those in a container with its own network.
 */
export function machineIdentity(): string {
  if (process.platform !== 'linux') return hostname();
  return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${readlinkSync('/proc/self/ns/net')}`;
}

/** Addresses of this machine besides its loopback, each once. */
export function ownAddresses(): string[] {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return [...new Set(all.filter(({ internal }) => !internal).map(({ address }) => address))];
}
