import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { run } from '../host/run.ts';
import type { EgressScope } from './egress.ts';
import type { NetworkSlot } from './slots.ts';

/** Port of the resolver at the host's end of a link, for root's sandboxes with host rules. */
export const NAMES_PORT = 1053;

/** Tags whose rules this process has written. The rules are kept as long as the installation has an interface. */
const written = new Set<string>();

const tableOf = (tag: string) => `paddock_${tag}`;
const serviceTable = (tag: string, { slot }: NetworkSlot) => `paddock_${tag}_${slot}`;
const interfaces = (tag: string) => `"p${tag}-*"`;

/**
 * Writes the host's rules, once per installation: agents go out under the host's address, never to each other, and never to the host
 * itself. Their own namespaces refuse the same; the host's rules still apply if those are lost. Call this under the network lock.
 */
export async function ensureHostRules(tag: string, newest: string, signal: AbortSignal): Promise<void> {
  const others = readdirSync('/sys/class/net').some((name) => name.startsWith(`p${tag}-`) && name !== newest);
  if (others && written.has(tag)) return;
  const forwarding = '/proc/sys/net/ipv4/ip_forward';
  if (readFileSync(forwarding, 'utf8').trim() !== '1') writeFileSync(forwarding, '1');
  const table = tableOf(tag);
  const ours = interfaces(tag);
  const rules = `add table inet ${table}
delete table inet ${table}
table inet ${table} {
  chain postrouting {
    type nat hook postrouting priority srcnat;
    ip saddr 198.18.0.0/15 oifname != ${ours} masquerade
  }
  chain forward {
    type filter hook forward priority filter; policy accept;
    iifname ${ours} ip daddr 198.18.0.0/15 drop
    iifname ${ours} meta nfproto ipv6 drop
    oifname ${ours} ct state established accept
    oifname ${ours} drop
  }
  chain input {
    type filter hook input priority filter; policy accept;
    iifname ${ours} ct state established accept
    iifname ${ours} ct status dnat accept
    iifname ${ours} drop
  }
}
`;
  await run('nft', ['-f', '-'], { signal, stdin: rules });
  await passPolicies(tag, signal);
  written.add(tag);
}

export interface OpenedServices {
  services: EgressScope['services'];
  protocols: ('tcp' | 'udp')[];
  signal: AbortSignal;
}

/**
 * Forwards the ports of the host's own services from the host's end of this sandbox's link to the addresses on which the services
 * listen. May be called again for further services.
 */
export async function openServices(tag: string, network: NetworkSlot, { services, protocols, signal }: OpenedServices): Promise<void> {
  const { device, hostAddress } = network;
  // Forwarding to the loopback needs this setting. The input chain lets through only the forwarded connections.
  writeFileSync(`/proc/sys/net/ipv4/conf/${device}/route_localnet`, '1');
  const rules = services.flatMap(({ address, port }) =>
    protocols.map((protocol) => `    iifname "${device}" ip daddr ${hostAddress} ${protocol} dport ${port} dnat ip to ${address}\n`),
  );
  const stdin = `table inet ${serviceTable(tag, network)} {\n  chain arriving {\n    type nat hook prerouting priority dstnat;\n${rules.join('')}  }\n}\n`;
  await run('nft', ['-f', '-'], { signal, stdin });
}

export async function closeServices(tag: string, network: NetworkSlot): Promise<void> {
  await run('nft', ['delete', 'table', 'inet', serviceTable(tag, network)], { accept: [1] });
}

const namesTable = (tag: string) => `paddock_${tag}_names`;

/** Redirects DNS questions at the host's end of the links to the resolver, which listens at this port of the loopback. Idempotent. */
export async function redirectDns(tag: string, port: number): Promise<void> {
  const table = `table inet ${namesTable(tag)}`;
  const rule = `iifname ${interfaces(tag)} ip daddr 198.18.0.0/15 meta l4proto { tcp, udp } th dport ${NAMES_PORT} dnat ip to 127.0.0.1:${port}`;
  const chain = `  chain arriving {\n    type nat hook prerouting priority dstnat\n    ${rule}\n  }`;
  await run('nft', ['-f', '-'], { stdin: `add ${table}\ndelete ${table}\n${table} {\n${chain}\n}\n` });
}

/** Removes the shared rules once the installation has no sandbox. Call this under the network lock. */
export async function removeHostRules(tag: string): Promise<void> {
  if (readdirSync('/sys/class/net').some((name) => name.startsWith(`p${tag}-`))) return;
  // Deleting a missing table is an error, so it is added first.
  const tables = [tableOf(tag), namesTable(tag)].map((table) => `add table inet ${table}\ndelete table inet ${table}\n`);
  await run('nft', ['-f', '-'], { stdin: tables.join('') });
  for (const { chain, handle } of ownPasses(tag, await filterTable()))
    await run('nft', ['delete', 'rule', 'ip', 'filter', chain, 'handle', handle], { accept: [1] });
}

/**
 * Container engines set the policy of FORWARD to drop, firewalls such as ufw that of INPUT. No other table can override a drop, so our
 * interfaces get rules in those chains. INPUT admits only connections to services that were opened.
 */
const PASSES: Record<string, (ours: string) => string[]> = {
  FORWARD: (ours) => [`oifname ${ours} ct state established`, `iifname ${ours}`],
  INPUT: (ours) => [`iifname ${ours} ct status dnat`],
};

async function passPolicies(tag: string, signal: AbortSignal): Promise<void> {
  const table = await filterTable(signal);
  const present = new Set(ownPasses(tag, table).map(({ chain }) => chain));
  const dropping = new Set(parseChains(table).flatMap(({ chain, text }) => (text.includes('policy drop') ? [chain] : [])));
  const lines = Object.entries(PASSES).flatMap(([chain, rules]) =>
    !dropping.has(chain) || present.has(chain)
      ? []
      : rules(interfaces(tag)).map((rule) => `insert rule ip filter ${chain} ${rule} counter accept comment "${tableOf(tag)}"\n`),
  );
  if (lines.length) await run('nft', ['-f', '-'], { signal, stdin: lines.join('') });
}

/** The table of container engines and firewalls, with the handles of its rules; empty if there is none. */
async function filterTable(signal?: AbortSignal): Promise<string> {
  const { stdout } = await run('nft', ['-a', 'list', 'table', 'ip', 'filter'], { accept: [1], ...(signal ? { signal } : {}) });
  return stdout;
}

const parseChains = (table: string) =>
  table
    .split('\n\tchain ')
    .slice(1)
    .map((text) => ({ chain: text.slice(0, text.indexOf(' ')), text }));

/** The rules that this installation has added to those chains. */
function ownPasses(tag: string, table: string): { chain: string; handle: string }[] {
  return parseChains(table)
    .filter(({ chain }) => chain in PASSES)
    .flatMap(({ chain, text }) =>
      text
        .split('\n')
        .filter((line) => line.includes(`comment "${tableOf(tag)}"`))
        .flatMap((line) => {
          const handle = / handle (\d+)$/.exec(line.trimEnd())?.[1];
          return handle === undefined ? [] : [{ chain, handle }];
        }),
    );
}
