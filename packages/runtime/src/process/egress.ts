import { lookup } from 'node:dns/promises';
import { readFileSync } from 'node:fs';
import { isIPv4 } from 'node:net';
import { networkInterfaces } from 'node:os';

/** What one sandbox may reach besides the public internet, and what it may not although it looks public. */
export interface Reach {
  resolvers: string[];
  /** CIDRs opened by the operator. */
  allow: string[];
  /** Registries and proxies of a build step. */
  endpoints: { name: string; address: string; port: number }[];
  /** Addresses of this machine. */
  own: string[];
}

/** Loopback, private, shared, link-local, benchmarking, multicast and reserved ranges. */
const PRIVATE = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
  ...['192.168.0.0/16', '198.18.0.0/15', '224.0.0.0/4', '240.0.0.0/4'],
];

/**
 * The nftables rules inside the network of one sandbox. They are in force before the agent starts, and the agent, which has
 * no capability over its network, cannot change them. Refused packets never leave the sandbox.
 */
export function sandboxRules(reach: Reach): string {
  const resolvers = elements(reach.resolvers);
  const allow = elements(reach.allow);
  const endpoints = [...new Set(reach.endpoints.map(({ address, port }) => `${address} . ${port}`))].join(', ');
  const own = elements(reach.own);
  return `table inet sandbox {
  set loopback_only { type inet_service; }
  set opened { type ipv4_addr; flags interval; auto-merge; ${allow && `elements = { ${allow} };`} }
  chain arriving {
    type nat hook prerouting priority dstnat;
    iifname != "lo" tcp dport @loopback_only dnat ip to 127.0.0.1
  }
  chain refused {
    counter
    meta l4proto tcp reject with tcp reset
    reject with icmpx admin-prohibited
  }
  chain leaving {
    type filter hook output priority filter; policy accept;
    oifname "lo" accept
    ct state established accept
    meta nfproto ipv6 goto refused
    ${resolvers && `ip daddr { ${resolvers} } udp dport 53 accept\n    ip daddr { ${resolvers} } tcp dport 53 accept`}
    ${endpoints && `ip daddr . tcp dport { ${endpoints} } accept`}
    ${own && `ip daddr { ${own} } goto refused`}
    ip daddr @opened accept
    ip daddr { ${PRIVATE.join(', ')} } goto refused
  }
}
`;
}

/** Resolves the names of a step's registries on the host, so that the filter and the sandbox's hosts file agree. */
export async function resolveReach(allow: string[], registries: { host: string; port: number }[], signal: AbortSignal): Promise<Reach> {
  for (const cidr of allow) if (!isCidr(cidr)) throw new Error(`"${cidr}" is not an IPv4 network such as 10.1.0.0/16.`);
  const timeout = AbortSignal.any([signal, AbortSignal.timeout(5000)]);
  const endpoints = await Promise.all(registries.map((registry) => resolveEndpoint(registry, timeout)));
  return { resolvers: hostResolvers(), allow, endpoints: endpoints.flat(), own: ownAddresses() };
}

/** The name servers of this machine that a sandbox can reach: not those that listen on its loopback only. */
export function hostResolvers(files = ['/etc/resolv.conf', '/run/systemd/resolve/resolv.conf']): string[] {
  for (const file of files) {
    const servers = readResolvers(file).filter((address) => isIPv4(address) && !address.startsWith('127.'));
    if (servers.length > 0) return servers.slice(0, 3);
  }
  return [];
}

export function ownAddresses(): string[] {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return [...new Set(all.filter(({ family, internal }) => family === 'IPv4' && !internal).map(({ address }) => address))];
}

export function isCidr(text: string): boolean {
  const [address = '', bits = '32', ...rest] = text.split('/');
  return rest.length === 0 && isIPv4(address) && /^\d{1,2}$/.test(bits) && Number(bits) <= 32;
}

async function resolveEndpoint({ host, port }: { host: string; port: number }, signal: AbortSignal): Promise<Reach['endpoints']> {
  if (isIPv4(host)) return [{ name: host, address: host, port }];
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  try {
    const found = await Promise.race([lookup(host, { all: true, family: 4 }), aborted]);
    return found.slice(0, 16).map(({ address }) => ({ name: host, address, port }));
  } catch {
    // The name may not be needed after all; the step's own error then names the host that it could not reach.
    return [];
  }
}

function readResolvers(file: string): string[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return []; // not every system has each of these files
  }
  return [...text.matchAll(/^\s*nameserver\s+(\S+)/gm)].map((match) => match[1] ?? '');
}

function elements(addresses: string[]): string {
  return [...new Set(addresses)].join(', ');
}
