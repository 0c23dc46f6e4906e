import { lookup } from 'node:dns/promises';
import { readFileSync } from 'node:fs';
import { isIPv4 } from 'node:net';
import { CLOSED_IPV4, ownAddresses, parseNetwork } from '@paddock/network';

/** The addresses that one sandbox may reach besides the public internet, and those that it may not although they look public. */
export interface EgressScope {
  resolvers: string[];
  /** CIDRs opened by the operator. */
  allow: string[];
  /** Registries and proxies of a build step. */
  endpoints: { name: string; address: string; port: number }[];
  /** Registries, proxies and name servers on this machine itself, which answer on its loopback or its own addresses. */
  services: { address: string; port: number }[];
  /** Addresses of this machine. */
  own: string[];
}

const LOOPBACK = '127.0.0.1';
const CLOSED = Object.values(CLOSED_IPV4).flat().join(', ');

/**
 * The nftables rules inside the network of one sandbox. They are in force before the agent starts, and the agent, which has no capability
 * over its network, cannot change them. Refused packets never leave the sandbox. Services of this machine are reached through `gateway`:
 * the host's end of the sandbox's link, or the loopback if pasta forwards the ports. Over a link the set `services` forwards further TCP
 * ports of the machine's loopback, and the map `usual` forwards them at other ports. Both can be filled later (`openPorts`).
 */
export function sandboxRules(reach: EgressScope, gateway?: string): string {
  const resolvers = elements(reach.resolvers);
  const allow = elements(reach.allow);
  const endpoints = [...new Set(reach.endpoints.map(({ address, port }) => `${address} . ${port}`))].join(', ');
  const own = elements(reach.own);
  const { services } = reach;
  const link = gateway === LOOPBACK ? undefined : gateway;
  return `table inet sandbox {
  set loopback_only { type inet_service; }
  set services { type inet_service; }
  map usual { type inet_service : ipv4_addr . inet_service; }
  set opened { type ipv4_addr; flags interval; auto-merge; ${allow && `elements = { ${allow} };`} }
  chain arriving {
    type nat hook prerouting priority dstnat;
    iifname != "lo" tcp dport @loopback_only dnat ip to 127.0.0.1
  }
${gateway && (link || services.length > 0) ? detours(services, gateway, link) : ''}  chain refused {
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
    ${services.length > 0 && gateway ? `ip daddr ${gateway} meta l4proto { tcp, udp } th dport { ${servicePorts(reach).join(', ')} } accept` : ''}
    ${link ? `ip daddr ${link} tcp dport @services accept` : ''}
    ${endpoints && `ip daddr . tcp dport { ${endpoints} } accept`}
    ${own && `ip daddr { ${own} } goto refused`}
    ip daddr @opened accept
    ip daddr { ${CLOSED} } goto refused
  }
}
`;
}

/** The ports of this machine that the sandbox may reach. */
export function servicePorts({ services }: EgressScope): number[] {
  return [...new Set(services.map(({ port }) => port))];
}

/** Redirects services at the sandbox's loopback or at forbidden addresses to the host's end of the link. */
function detours(services: EgressScope['services'], gateway: string, link: string | undefined): string {
  const rules = services.flatMap(({ address, port }) =>
    ['tcp', 'udp'].map((protocol) => `    ip daddr ${address} ${protocol} dport ${port} dnat ip to ${gateway}\n`),
  );
  return `  chain detour {
    type nat hook output priority -100;
${rules.join('')}    ${link ? `ip daddr ${LOOPBACK} tcp dport @services dnat ip to ${link}\n    ip daddr ${LOOPBACK} dnat ip to tcp dport map @usual` : ''}
  }
  chain outgoing {
    type nat hook postrouting priority srcnat;
    oifname "eth0" ip saddr 127.0.0.0/8 masquerade
    oifname "lo" ct status dnat snat ip to ${LOOPBACK}
  }
`;
}

/** Resolves the names of a step's registries on the host, so that the filter and the sandbox's hosts file agree. */
export async function resolveReach(
  allow: string[],
  registries: { host: string; port: number }[],
  signal: AbortSignal,
): Promise<EgressScope> {
  for (const cidr of allow) if (!isCidr(cidr)) throw new Error(`"${cidr}" is not an IPv4 network such as 10.1.0.0/16.`);
  const timeout = AbortSignal.any([signal, AbortSignal.timeout(5000)]);
  const found = (await Promise.all(registries.map((registry) => resolveEndpoint(registry, timeout)))).flat();
  const own = ownAddresses().filter((address) => isIPv4(address));
  const isHere = (address: string) => address.startsWith('127.') || own.includes(address);
  const resolvers = hostResolvers();
  return {
    resolvers,
    allow,
    endpoints: found,
    services: [...found, ...resolvers.map((address) => ({ address, port: 53 }))].filter(({ address }) => isHere(address)),
    own,
  };
}

/** The name servers of this machine. Those on its loopback are only used if the machine names no others. */
export function hostResolvers(files = ['/etc/resolv.conf', '/run/systemd/resolve/resolv.conf']): string[] {
  const lists = files.map((file) => readResolvers(file).filter((address) => isIPv4(address)));
  const remote = lists.map((list) => list.filter((address) => !address.startsWith('127.')));
  return (remote.find((list) => list.length > 0) ?? lists.find((list) => list.length > 0) ?? []).slice(0, 3);
}

/** Whether the text is an IPv4 address or network. The text is inserted into the rules unchanged, so the allowed form is narrow. */
export function isCidr(text: string): boolean {
  return /^[\d.]+(\/\d{1,2})?$/.test(text) && parseNetwork(text) !== undefined;
}

async function resolveEndpoint({ host, port }: { host: string; port: number }, signal: AbortSignal): Promise<EgressScope['endpoints']> {
  if (isIPv4(host)) return [{ name: host, address: host, port }];
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  try {
    const found = await Promise.race([lookup(host, { all: true, family: 4 }), aborted]);
    return found.slice(0, 16).map(({ address }) => ({ name: host, address, port }));
  } catch {
    // The name may not be needed after all. Otherwise the step's own error names the host that it could not reach.
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
  return [...text.matchAll(/^[ \t]*nameserver[ \t]+(\S+)/gm)].map((match) => match[1] ?? '');
}

function elements(addresses: string[]): string {
  return [...new Set(addresses)].join(', ');
}
