import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

export type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Longer than any address: 45 characters of IPv6, `%`, and the 15 of an interface's name. */
const MAX_ADDRESS_LENGTH = 64;
const MAPPED = '::ffff:';

/**
 * 4, 6, or 0 for a text that is not an address. Node.js decides, because ipaddr.js also accepts short, octal and hexadecimal forms (127.1,
 * 0177.0.0.1), which other programs read as other addresses.
 */
export function familyOf(text: string): 0 | 4 | 6 {
  return text.length > MAX_ADDRESS_LENGTH ? 0 : (isIP(text) as 0 | 4 | 6);
}

/** Undefined for a text that is not an address. The zone of an IPv6 address (`%eth0`) is dropped. */
export function parseAddress(text: string): Address | undefined {
  const family = familyOf(text);
  if (family === 0) return undefined;
  if (family === 4) return ipaddr.IPv4.parse(text);
  const [address = ''] = text.split('%', 1);
  // ipaddr.js reads ::10.0.0.1 as ::ffff:10.0.0.1. Written with its zeros, the address is read correctly.
  return ipaddr.IPv6.parse(address.replace(/^::(\d+\.)/, '0:0:0:0:0:0:$1'));
}

/** Converts the ::ffff:127.0.0.1 that a dual-stack socket reports to 127.0.0.1. */
export function plainAddress(address: string): string {
  const isMapped = address.startsWith(MAPPED) && familyOf(address.slice(MAPPED.length)) === 4;
  return isMapped ? address.slice(MAPPED.length) : address;
}

/** The key of a caller for limits and fair shares: an IPv4 address, or the /64 that one IPv6 subscriber has. */
export function toNetworkKey(address: string): string {
  const plain = plainAddress(address);
  // Most callers have IPv4, which needs no parsing.
  const parsed = familyOf(plain) === 6 ? parseAddress(plain) : undefined;
  if (!parsed || 'octets' in parsed) return plain;
  const groups = parsed.parts.slice(0, 4);
  return `${groups.map((group) => group.toString(16)).join(':')}::/64`;
}
