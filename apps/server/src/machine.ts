import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/**
 * Names the network stack of this process until the next boot. Only processes that share it reach an agent at the same address:
 * not those of another machine, nor those in a container with a network of its own. The gateway's `machine.ts` must give the same name.
 */
export function machineIdentity(): string {
  if (process.platform !== 'linux') return hostname();
  return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${readlinkSync('/proc/self/ns/net')}`;
}
