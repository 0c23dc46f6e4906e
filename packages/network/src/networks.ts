import type ipaddr from 'ipaddr.js';
import { type Address, parseAddress } from './address.ts';

/** Addresses and networks. */
export interface NetworkList {
  /** False for a text that is not an address. An IPv4 address and its v4-mapped form (::ffff:10.0.0.1) are the same address. */
  has(address: string): boolean;
}

export interface Network {
  address: Address;
  /** Length of the prefix. */
  bits: number;
}

/** Parses an address or a network such as 10.1.0.0/16, whose address may have bits beyond the prefix. Undefined for everything else. */
export function parseNetwork(text: string): Network | undefined {
  const slash = text.indexOf('/');
  const address = parseAddress(slash < 0 ? text : text.slice(0, slash));
  if (!address) return undefined;
  const maxBits = address.kind() === 'ipv4' ? 32 : 128;
  if (slash < 0) return { address, bits: maxBits };
  const bits = text.slice(slash + 1);
  return /^\d{1,3}$/.test(bits) && Number(bits) <= maxBits ? { address, bits: Number(bits) } : undefined;
}

/**
 * Skips entries that do not begin with an address, such as the names of networks that the HTTP framework knows. Throws a RangeError for a
 * prefix that its address cannot have.
 */
export function networkList(entries: readonly string[]): NetworkList {
  const networks: [ipaddr.IPv6, number][] = [];
  for (const entry of entries) {
    const network = parseNetwork(entry);
    if (network) networks.push(asIPv6(network));
    else if (parseAddress(entry.split('/', 1)[0] ?? '')) throw new RangeError(`'${entry}' has a prefix that its address cannot have.`);
  }
  return {
    has(address) {
      const parsed = parseAddress(address);
      if (!parsed) return false;
      const [sought] = asIPv6({ address: parsed, bits: 0 });
      return networks.some((network) => sought.match(network));
    },
  };
}

/** IPv4 as its v4-mapped form, so that both forms of an address are in the same networks. */
function asIPv6({ address, bits }: Network): [ipaddr.IPv6, number] {
  return 'octets' in address ? [address.toIPv4MappedAddress(), 96 + bits] : [address, bits];
}
