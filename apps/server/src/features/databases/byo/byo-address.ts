import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net';

/** What is not the public internet: the ranges that the agents' own packet filter refuses, and for IPv6 their likes. */
const closed: Record<string, string[]> = {
  unspecified: ['0.0.0.0/8', '::/128'],
  loopback: ['127.0.0.0/8', '::1/128'],
  private: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7', 'fec0::/10'],
  shared: ['100.64.0.0/10'],
  'link-local': ['169.254.0.0/16', 'fe80::/10'],
  benchmarking: ['198.18.0.0/15', '2001:2::/48'],
  multicast: ['224.0.0.0/4', 'ff00::/8'],
  reserved: ['192.0.0.0/24', '192.88.99.0/24', '240.0.0.0/4', '100::/64', '2001:db8::/32', '3fff::/20', '5f00::/16'],
};

const lists = Object.entries(closed).map(([kind, ranges]) => ({ kind, list: listOf(ranges) }));

/** Of addresses, or networks such as 10.1.0.0/16; what is neither is left out. */
export function listOf(ranges: string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', bits] = range.split('/');
    const family = isIP(address);
    if (family === 0) continue;
    const type = family === 4 ? 'ipv4' : 'ipv6';
    if (bits === undefined) list.addAddress(address, type);
    else list.addSubnet(address, Number(bits), type);
  }
  return list;
}

/** Why agents may not reach this IPv4 or IPv6 address: 'private', 'loopback' …; undefined for one of the public internet, or one that `opened` has. */
export function closedKind(address: string, opened: BlockList): string | undefined {
  const inner = isIPv6(address) ? embedded(address) : undefined;
  if (inner !== undefined) return closedKind(inner, opened);
  const family = isIPv4(address) ? 'ipv4' : 'ipv6';
  if (family === 'ipv4' && opened.check(address)) return undefined;
  const kind = lists.find(({ list }) => list.check(address, family))?.kind;
  return kind ?? (family === 'ipv6' && !isGlobal.check(address, 'ipv6') ? 'reserved' : undefined);
}

const isGlobal = listOf(['2000::/3']);
const mapped = listOf(['::/96']);
const translated = listOf(['64:ff9b::/96']);
const localTranslated = listOf(['64:ff9b:1::/48']);
const sixToFour = listOf(['2002::/16']);
const teredo = listOf(['2001::/32']);
const v4Mapped = listOf(['::ffff:0:0/96', '::ffff:0:0:0/96']);

/** The IPv4 address that an IPv6 one leads to: v4-mapped and -compatible, NAT64, 6to4 and Teredo. */
function embedded(address: string): string | undefined {
  const groups = groupsOf(address);
  const dotted = (high: number, low: number) => [high >> 8, high & 255, low >> 8, low & 255].join('.');
  const [, second = 0, third = 0, , , , seventh = 0, eighth = 0] = groups;
  if (sixToFour.check(address, 'ipv6')) return dotted(second, third);
  if (teredo.check(address, 'ipv6')) return dotted(seventh ^ 0xffff, eighth ^ 0xffff);
  if (groups.slice(0, 7).every((group) => group === 0) && eighth <= 1) return undefined; // :: and ::1
  const isTail = [mapped, translated, localTranslated, v4Mapped].some((list) => list.check(address, 'ipv6'));
  // BlockList takes a mapped address for the IPv4 one, so that the form itself has to be looked at too.
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  return isTail || isMapped ? dotted(seventh, eighth) : undefined;
}

/** The eight groups of an IPv6 address. The URL parser writes it in one way, without dots. */
function groupsOf(address: string): number[] {
  const text = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = '', tail] = text.split('::');
  const numbers = (part: string) => (part ? part.split(':').map((group) => Number.parseInt(group, 16)) : []);
  if (tail === undefined) return numbers(head);
  const front = numbers(head);
  const back = numbers(tail);
  return [...front, ...Array<number>(8 - front.length - back.length).fill(0), ...back];
}

/**
 * Whether programs may read a host as the number of an IPv4 address although it does not look like one: 2130706433, 0x7f.1, 0177.0.0.1 or 127.1.
 * They do not agree about which.
 */
export const isDisguised = (host: string): boolean => !isIP(host) && /^(0x[0-9a-f]*|\d+)(\.(0x[0-9a-f]*|\d+))*$/i.test(host);
