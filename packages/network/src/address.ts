import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

export type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** More than any address has: 45 characters of IPv6, `%`, and the 15 of an interface's name. */
const MAX_ADDRESS_LENGTH = 64;
const MAPPED = '::ffff:';

/**
 * 4, 6, or 0 for a text that is no address. Node.js decides: ipaddr.js would also take short, octal and hexadecimal forms (127.1, 0177.0.0.1),
 * which other programs read as other addresses.
 */
export function familyOf(text: string): 0 | 4 | 6 {
  return text.length > MAX_ADDRESS_LENGTH ? 0 : (isIP(text) as 0 | 4 | 6);
}

/** Undefined for a text that is no address. The zone of an IPv6 address (`%eth0`) is left out. */
export function parseAddress(text: string): Address | undefined {
  const family = familyOf(text);
  if (family === 0) return undefined;
  if (family === 4) return ipaddr.IPv4.parse(text);
  const [address = ''] = text.split('%', 1);
  // ipaddr.js takes ::10.0.0.1 for ::ffff:10.0.0.1; written with its zeros, the address stays itself.
  return ipaddr.IPv6.parse(address.replace(/^::(\d+\.)/, '0:0:0:0:0:0:$1'));
}

/** 127.0.0.1 instead of the ::ffff:127.0.0.1 that a dual-stack socket reports. */
export function plainAddress(address: string): string {
  const isMapped = address.startsWith(MAPPED) && familyOf(address.slice(MAPPED.length)) === 4;
  return isMapped ? address.slice(MAPPED.length) : address;
}

/** Who counts as one caller where something is limited or shared out: an IPv4 address, or the /64 that one subscriber of IPv6 has. */
export function networkOf(address: string): string {
  const plain = plainAddress(address);
  // Most callers have IPv4, which needs no reading.
  const parsed = familyOf(plain) === 6 ? parseAddress(plain) : undefined;
  if (!parsed || 'octets' in parsed) return plain;
  const groups = parsed.parts.slice(0, 4);
  return `${groups.map((group) => group.toString(16)).join(':')}::/64`;
}
