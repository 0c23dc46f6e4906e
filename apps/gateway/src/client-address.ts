import { type BlockList, isIP } from 'node:net';

/** Who really asks. */
export interface Client {
  address: string;
  isHttps: boolean;
  isTrustedProxy: boolean;
}

/**
 * Tells the visitor's address. Only a peer in the trusted list is believed about the address behind it:
 * the first one from the right in X-Forwarded-For that is not itself a trusted proxy.
 */
export function clientReader(trusted: BlockList | undefined) {
  return { isTrusted, read };

  function isTrusted(address: string): boolean {
    const family = isIP(address);
    return trusted !== undefined && family !== 0 && trusted.check(address, family === 6 ? 'ipv6' : 'ipv4');
  }

  function read(peer: string | undefined, forwardedFor: string | undefined, forwardedProto: string | undefined): Client {
    const address = plainAddress(peer ?? '');
    if (!isTrusted(address)) return { address, isHttps: false, isTrustedProxy: false };
    let client = address;
    for (const hop of (forwardedFor ?? '').split(',').reverse()) {
      const next = plainAddress(hop.trim());
      if (!isIP(next)) break;
      client = next;
      if (!isTrusted(next)) break;
    }
    return { address: client, isHttps: forwardedProto === 'https', isTrustedProxy: true };
  }
}

/** Who counts as one visitor where something is shared out: an IPv4 address, or the /64 that one subscriber of IPv6 has. */
export function networkOf(address: string): string {
  if (isIP(address) !== 6) return address;
  const [head = '', tail] = address.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail ? tail.split(':') : [];
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length);
  const groups = [...left, ...Array.from({ length: zeros }, () => '0'), ...right];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}

/** 127.0.0.1 instead of the ::ffff:127.0.0.1 that a dual-stack socket reports. */
export function plainAddress(address: string): string {
  return address.startsWith('::ffff:') && isIP(address.slice(7)) === 4 ? address.slice(7) : address;
}
