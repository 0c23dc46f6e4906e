import { familyOf, type NetworkList, plainAddress } from '@paddock/network';

/** The actual client. */
export interface Client {
  address: string;
  isHttps: boolean;
  isTrustedProxy: boolean;
}

/**
 * Determines the visitor's address. Only a peer in the trusted list may name the address behind it:
 * the first one from the right in X-Forwarded-For that is not itself a trusted proxy.
 */
export function clientReader(trusted: NetworkList | undefined) {
  return { isTrusted, read };

  function isTrusted(address: string): boolean {
    return trusted !== undefined && trusted.has(address);
  }

  function read(peer: string | undefined, forwardedFor: string | undefined, forwardedProto: string | undefined): Client {
    const address = plainAddress(peer ?? '');
    if (!isTrusted(address)) return { address, isHttps: false, isTrustedProxy: false };
    let client = address;
    for (const hop of (forwardedFor ?? '').split(',').reverse()) {
      const next = plainAddress(hop.trim());
      if (familyOf(next) === 0) break;
      client = next;
      if (!isTrusted(next)) break;
    }
    return { address: client, isHttps: forwardedProto === 'https', isTrustedProxy: true };
  }
}
