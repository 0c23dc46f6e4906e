import ipaddr from 'ipaddr.js';
import { parseAddress } from './address.ts';
import { type NetworkList, networkList } from './networks.ts';

/** IPv4 networks that are not part of the public internet, by kind. The packet filter of each sandbox refuses them. */
export const CLOSED_IPV4 = {
  unspecified: ['0.0.0.0/8'],
  loopback: ['127.0.0.0/8'],
  private: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'],
  shared: ['100.64.0.0/10'],
  'link-local': ['169.254.0.0/16'],
  benchmarking: ['198.18.0.0/15'],
  multicast: ['224.0.0.0/4'],
  reserved: ['192.0.0.0/24', '240.0.0.0/4'],
} as const;

type Kind = keyof typeof CLOSED_IPV4;

/** The corresponding IPv6 networks. */
const CLOSED_IPV6: Partial<Record<Kind, string[]>> = {
  unspecified: ['::/128'],
  loopback: ['::1/128'],
  private: ['fc00::/7', 'fec0::/10'],
  'link-local': ['fe80::/10'],
  benchmarking: ['2001:2::/48'],
  multicast: ['ff00::/8'],
  reserved: ['100::/64', '2001:db8::/32', '3fff::/20', '5f00::/16'],
};

/** The former 6to4 relays. They are not public, although sandboxes let packets to them through. */
const FORMER_RELAYS = '192.88.99.0/24';

const closed = (Object.keys(CLOSED_IPV4) as Kind[]).map((kind) => {
  const networks: string[] = [...CLOSED_IPV4[kind], ...(CLOSED_IPV6[kind] ?? [])];
  if (kind === 'reserved') networks.push(FORMER_RELAYS);
  return { kind, list: networkList(networks) };
});
const global = networkList(['2000::/3']);

const sixToFour = networkList(['2002::/16']);
const teredo = networkList(['2001::/32']);
/** v4-compatible, v4-mapped, translated (RFC 2765) and NAT64. */
const endsInIPv4 = networkList(['::/96', '::ffff:0:0/96', '::ffff:0:0:0/96', '64:ff9b::/96', '64:ff9b:1::/48']);
const withoutIPv4 = networkList(['::/127']);

/**
 * The reason why an address is not public: 'private', 'loopback' …; undefined for a public address, and for an IPv4 address in `opened`. An
 * IPv6 address that contains an IPv4 address is judged by the latter. A text that is not an address is 'reserved'.
 */
export function closedKind(address: string, opened: NetworkList): string | undefined {
  const parsed = parseAddress(address);
  if (!parsed) return 'reserved';
  if ('octets' in parsed) return opened.has(address) ? undefined : closed.find(({ list }) => list.has(address))?.kind;
  const inner = embeddedIPv4(parsed);
  if (inner !== undefined) return closedKind(inner, opened);
  const kind = closed.find(({ list }) => list.has(address))?.kind;
  return kind ?? (global.has(address) ? undefined : 'reserved');
}

/** The IPv4 address contained in an IPv6 address. */
function embeddedIPv4(address: ipaddr.IPv6): string | undefined {
  const text = address.toString();
  const bytes = address.toByteArray();
  if (sixToFour.has(text)) return dotted(bytes.slice(2, 6));
  if (teredo.has(text)) return dotted(bytes.slice(12).map((byte) => byte ^ 0xff));
  return endsInIPv4.has(text) && !withoutIPv4.has(text) ? dotted(bytes.slice(12)) : undefined;
}

const dotted = (bytes: number[]) => new ipaddr.IPv4(bytes).toString();
