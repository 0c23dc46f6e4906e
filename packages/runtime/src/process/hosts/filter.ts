import { writeFileSync } from 'node:fs';
import { isIPv4 } from 'node:net';
import { type HostRule, hostRulesDigest, ruledAddresses } from '../../hosts.ts';
import { run } from '../host/run.ts';
import { NAMES_PORT } from '../network/host-rules.ts';
import { NAMESPACES } from '../network/slots.ts';
import { sandboxInit } from '../proc/members.ts';
import { readStat } from '../proc/processes.ts';
import type { Folder, SandboxRecord } from '../records/records.ts';

/** Maximum addresses open at a time for one sandbox. */
export const MAX_OPEN = 4_096;
/** Packets per second to the resolver that the kernel lets through for one sandbox. */
const PACKETS = 200;

export interface OpenAddress {
  address: string;
  seconds: number;
}

/**
 * The filter that enforces the rules of a sandbox, besides the filter that every sandbox has: both must let a packet through. DNS questions
 * to any server are redirected to the platform's resolver. If only some hosts are allowed, an address is open only after the resolver found
 * it for an allowed name. Open connections stay open as long as the same rules apply, since their mark is derived from the rules. Answers
 * to callers of the agent, and the services of the platform, are let through.
 */
function hostFilter(record: SandboxRecord, rules: readonly HostRule[], opened: readonly OpenAddress[]): string {
  const { address: resolver, port } = resolverAddress(record);
  const link = record.network?.hostAddress;
  const digest = hostRulesDigest(rules);
  const mark = Number.parseInt(digest.slice(0, 7), 16) + 1;
  const { open, closed } = ruledAddresses(rules);
  const elements = [...open, ...opened.map(timed)].join(', ');
  const onlySome = `    ct mark ${mark} accept
    ip daddr @open ct mark set ${mark} accept
    goto refused
`;
  return `table inet hosts {
  set open { type ipv4_addr; flags timeout; size ${MAX_OPEN + open.length + 256}; ${elements && `elements = { ${elements} };`} }
  chain asking {
    type nat hook output priority -110
    meta l4proto { tcp, udp } th dport 53 dnat ip to ${resolver}:${port}
  }
  chain asked {
    type nat hook postrouting priority 90
    oifname "lo" ct status dnat snat ip to 127.0.0.1
    oifname != "lo" ip saddr 127.0.0.0/8 masquerade
  }
  chain refused {
    meta l4proto tcp reject with tcp reset
    reject with icmpx admin-prohibited
  }
  chain leaving {
    type filter hook output priority -10; policy accept;
    ct direction reply accept comment "${digest}"
    ip daddr ${resolver} meta l4proto { tcp, udp } th dport ${port} limit rate over ${PACKETS}/second burst ${PACKETS} packets drop
    ip daddr ${resolver} meta l4proto { tcp, udp } th dport ${port} accept
    oifname "lo" accept
    meta l4proto { tcp, udp } th dport { 53, 853 } goto refused
    ${link ? `ip daddr ${link} accept` : ''}
    ${closed.length > 0 ? `ip daddr { ${closed.join(', ')} } goto refused` : ''}
${rules.some(({ effect }) => effect === 'only') ? onlySome : ''}  }
}
`;
}

/**
 * The filter after the rules end. A program may keep a socket for its questions, which is still redirected to the resolver. Its questions
 * are refused, so that the program opens a new socket. A socket from before the rules still reaches the other servers.
 */
function noFilter(record: SandboxRecord): string {
  const { address, port } = resolverAddress(record);
  const refused = `ip daddr ${address} meta l4proto { tcp, udp } th dport ${port} reject with icmpx admin-prohibited`;
  return `table inet hosts {\n  chain leaving {\n    type filter hook output priority -10; policy accept;\n    ${refused}\n  }\n}\n`;
}

/** The filter for a new network. */
export const initialFilter = (record: SandboxRecord, rules: readonly HostRule[]): string =>
  `${doorTo(record)}${hostFilter(record, rules, [])}`;

/** Replaces the previous filter. Throws if the instance has exited. */
export async function replaceFilter(
  folder: Folder,
  record: SandboxRecord,
  given: { rules: readonly HostRule[]; opened: readonly OpenAddress[] },
) {
  const { rules, opened } = given;
  const enter = entering(folder, record);
  const filter = rules.length > 0 ? hostFilter(record, rules, opened) : noFilter(record);
  const door = rules.length > 0 ? await missingDoor(enter, record) : '';
  await nft(enter, `add table inet hosts\ndelete table inet hosts\n${door}${filter}`);
}

/** Lets packets to these addresses pass, for the given seconds from now on. */
export async function openAddresses(folder: Folder, record: SandboxRecord, addresses: readonly OpenAddress[]): Promise<void> {
  // In nft, adding an existing element does not renew its timeout, and deleting a missing one is an error. Hence add, delete, add.
  const element = (open: OpenAddress) => `element inet hosts open { ${open.address} }\n`;
  const lines = addresses.map((open) => `add ${element(open)}delete ${element(open)}add element inet hosts open { ${timed(open)} }\n`);
  await nft(entering(folder, record), lines.join(''));
}

/** The digest of the rules that the kernel enforces for the sandbox; undefined if there are none. */
export async function appliedDigest(folder: Folder, record: SandboxRecord): Promise<string | undefined> {
  const { stdout } = await run('nsenter', [...entering(folder, record), 'nft', 'list', 'chain', 'inet', 'hosts', 'leaving'], {
    accept: [1],
  });
  return /ct direction reply accept comment "([0-9a-f]+)"/.exec(stdout)?.[1];
}

/**
 * The resolver's address for the sandbox: as root the host's end of the sandbox's link, otherwise a port of the loopback that pasta
 * forwards.
 */
function resolverAddress(record: SandboxRecord): { address: string; port: number } {
  if (record.network) return { address: record.network.hostAddress, port: NAMES_PORT };
  if (record.names_port !== undefined) return { address: '127.0.0.1', port: record.names_port };
  throw new Error(
    record.mode === 'unsandboxed'
      ? 'Host rules cannot be enforced without a sandbox.'
      : `${record.id} was started before there were rules about hosts.`,
  );
}

/** The filter of every sandbox refuses the resolver's address. This returns the rule that opens it, unless it exists already. */
async function missingDoor(enter: string[], record: SandboxRecord): Promise<string> {
  const { network } = record;
  // Forwarding to the loopback needs this setting. The host's rules let through only the forwarded packets.
  if (network) writeFileSync(`/proc/sys/net/ipv4/conf/${network.device}/route_localnet`, '1');
  const { stdout } = await run('nsenter', [...enter, 'nft', 'list', 'chain', 'inet', 'sandbox', 'leaving']);
  return stdout.includes(DOOR) ? '' : doorTo(record);
}

const DOOR = 'paddock-names';
/** The rule cannot match the interface: it is the one from before the packet was redirected. */
function doorTo(record: SandboxRecord): string {
  const { address, port } = resolverAddress(record);
  return `insert rule inet sandbox leaving ip daddr ${address} meta l4proto { tcp, udp } th dport ${port} accept comment "${DOOR}"\n`;
}

/** Options of nsenter for the network of the sandbox, as the user that may change its filter. */
function entering(folder: Folder, { network }: SandboxRecord): string[] {
  if (network) return [`--net=${NAMESPACES}/${network.namespace}`];
  const init = sandboxInit(folder);
  const outer = init === undefined ? undefined : readStat(init)?.ppid;
  if (outer === undefined) throw new Error('The instance has ended.');
  return ['--target', `${outer}`, '--user', '--net', '--preserve-credentials'];
}

async function nft(enter: string[], stdin: string): Promise<void> {
  await run('nsenter', [...enter, 'nft', '-f', '-'], { stdin });
}

function timed({ address, seconds }: OpenAddress): string {
  if (!isIPv4(address)) throw new Error(`"${address}" is not an IPv4 address.`); // the text is inserted into the rules unchanged
  return `${address} timeout ${Math.ceil(seconds)}s`;
}
