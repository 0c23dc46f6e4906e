import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { run } from '../host/run.ts';
import type { Reach } from './egress.ts';
import type { NetworkSlot } from './host-network.ts';

/** Tags whose rules this process has written; they stay as long as any interface of the installation. */
const written = new Set<string>();

const tableOf = (tag: string) => `paddock_${tag}`;
const serviceTable = (tag: string, { slot }: NetworkSlot) => `paddock_${tag}_${slot}`;
const interfaces = (tag: string) => `"p${tag}-*"`;

/**
 * The host's side, once per installation: agents go out under the host's address, never to each other, and never to the host
 * itself. Their own namespaces refuse the same; this holds even if those rules were lost. Call it under the network lock.
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

/**
 * Leads the ports of the host's own services, for this sandbox only, from its end of the link to where they listen. May be called
 * again for further ones.
 */
export async function openServices(
  tag: string,
  network: NetworkSlot,
  services: Reach['services'],
  protocols: ('tcp' | 'udp')[],
  signal: AbortSignal,
): Promise<void> {
  const { device, hostAddress } = network;
  // Needed to forward to the loopback; the input chain lets nothing of it through but these.
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

/** With the last sandbox of the installation removes what was made for all. Call it under the network lock. */
export async function removeHostRules(tag: string): Promise<void> {
  if (readdirSync('/sys/class/net').some((name) => name.startsWith(`p${tag}-`))) return;
  await run('nft', ['delete', 'table', 'inet', tableOf(tag)], { accept: [1] });
  for (const chain of Object.keys(PASSES))
    for (const handle of await passes(tag, chain))
      await run('nft', ['delete', 'rule', 'ip', 'filter', chain, 'handle', handle], { accept: [1] });
}

/**
 * Container engines set the policy of FORWARD to drop, firewalls such as ufw that of INPUT, which no other table can overrule: there our
 * interfaces need rules of their own. Into the machine itself come only calls of services that were opened.
 */
const PASSES: Record<string, (ours: string) => string[]> = {
  FORWARD: (ours) => [`oifname ${ours} ct state established`, `iifname ${ours}`],
  INPUT: (ours) => [`iifname ${ours} ct status dnat`],
};

async function passPolicies(tag: string, signal: AbortSignal): Promise<void> {
  for (const [chain, rules] of Object.entries(PASSES)) {
    const { stdout } = await run('nft', ['list', 'chain', 'ip', 'filter', chain], { accept: [1], signal });
    if (!stdout.includes('policy drop') || (await passes(tag, chain)).length > 0) continue;
    const lines = rules(interfaces(tag)).map((rule) => `insert rule ip filter ${chain} ${rule} counter accept comment "${tableOf(tag)}"\n`);
    await run('nft', ['-f', '-'], { signal, stdin: lines.join('') });
  }
}

async function passes(tag: string, chain: string): Promise<string[]> {
  const { stdout } = await run('nft', ['-a', 'list', 'chain', 'ip', 'filter', chain], { accept: [1] });
  const ours = stdout.split('\n').filter((line) => line.includes(`comment "${tableOf(tag)}"`));
  return ours.flatMap((line) => / handle (\d+)$/.exec(line.trimEnd())?.[1] ?? []);
}
