import { execFileSync } from 'node:child_process';
import { networkInterfaces } from 'node:os';
import { tryEach } from '../attempts.ts';
import type { Row } from '../row.ts';
import { type Arena, type Place, placeOf } from './arena.ts';

/** Error codes of a refused connection. A timeout is not among them, since nothing should wait. */
export const refusals = /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|EACCES|EPERM|EAFNOSUPPORT|EINVAL|ECONNRESET)$/;
/** An address of each private, local or reserved range. No packet to any of them may leave the sandbox. */
const refused = [
  ...[
    '10.1.2.3',
    '10.255.255.1',
    '172.16.0.1',
    '172.31.255.254',
    '192.168.1.1',
    '100.64.0.1',
    '192.0.0.8',
    '198.18.7.9',
    '198.19.3.2',
    '224.0.0.251',
    '240.0.0.1',
    '255.255.255.255',
  ],
  ...['fd00::1', 'fe80::1', '::ffff:10.1.2.3', '64:ff9b::a01:203', '2002:a01:203::1'],
];
const metadata = ['169.254.169.254', '169.254.170.2', '100.100.100.200', 'fd00:ec2::254', '::ffff:169.254.169.254'];

/** D50 and D62: what a hostile agent reaches over the network. A guard in the agent's namespace counts and drops packets that would leave. */
export async function tryReach({ paddock, node, python, neighbour }: Arena): Promise<Row[]> {
  const own = placeOf(paddock.dataDir, node.deployment_id);
  const other = placeOf(paddock.dataDir, neighbour.deployment_id);
  if (!own || !other) throw new Error('The agents have no networks of their own; this suite needs root.');
  const left = guard(own);
  const ports = {
    'control plane': Number(new URL(paddock.origin).port),
    'gateway and its admin calls': paddock.gatewayPort,
    database: Number(new URL(paddock.databaseUrl).port),
  };
  const hosts = addressesOfMachine(own);
  const dial = (targets: [string, number][]) =>
    tryEach(targets, async (one) => ((await node.ask(`/dial?targets=${encodeURIComponent(JSON.stringify([one]))}`)) as string[])[0] ?? '');
  const rows: Row[] = [];
  const judge = ({ item, attempt }: Pick<Row, 'item' | 'attempt'>, targets: string[], got: string[]) => {
    const wrong = targets.flatMap((target, n) => (refusals.test(got[n] ?? '') ? [] : [`WRONG ${target}: ${got[n]}`]));
    rows.push({
      item,
      attempt,
      expected: 'refused at once',
      got: [...wrong, [...new Set(got)].join(', ')].join('; '),
      measured: `${got.length} dials`,
      ok: wrong.length === 0 && got.length === targets.length,
    });
  };
  for (const [what, port] of Object.entries(ports))
    judge(
      { item: 'D50', attempt: `the ${what} on ${hosts.length} addresses of the machine` },
      hosts,
      await dial(hosts.map((host) => [host, port])),
    );
  const services = hosts.flatMap((host) => [6379, 2375, 22, 5432].map((port): [string, number] => [host, port]));
  judge({ item: 'D50', attempt: 'redis, docker, ssh, postgres on the machine' }, services.map(String), await dial(services));
  const links = [other.address, `::ffff:${other.address}`];
  judge({ item: 'D50', attempt: 'the neighbour’s own address and port' }, links, await dial(links.map((host) => [host, 8080])));
  judge({ item: 'D50', attempt: 'metadata addresses' }, metadata, await dial(metadata.map((host) => [host, 80])));
  judge({ item: 'D50', attempt: `private and reserved addresses` }, refused, await dial(refused.map((host) => [host, 443])));
  const datagrams = [...refused, ...metadata, other.address].filter((host) => !host.includes('ffff'));
  const sent = await tryEach(
    datagrams,
    async (one) => ((await node.ask(`/datagrams?hosts=${encodeURIComponent(JSON.stringify([one]))}`)) as string[])[0] ?? '',
  );
  const packets = left();
  rows.push({
    item: 'D50',
    attempt: 'packets to any of these that left the sandbox, TCP and UDP',
    expected: '0',
    got: `${packets}`,
    measured: `${datagrams.length} datagrams: ${[...new Set(sent)].join(', ')}`,
    ok: packets === 0,
  });
  const sockets = await node.sh(
    'for s in /var/run/docker.sock /run/docker.sock /run/containerd/containerd.sock /run/dbus/system_bus_socket /run/postgresql /tmp/.s.PGSQL.5432; do [ -e $s ] && echo $s; done; ' +
      "awk 'NR > 1 && NF > 7 { print $8 }' /proc/net/unix",
  );
  rows.push({
    item: 'D50',
    attempt: 'sockets of daemons, also abstract ones',
    expected: 'none',
    got: sockets.output.trim() || 'none',
    ok: sockets.output.trim() === '',
  });
  const { address } = (await python.ask(`/address/${other.address}`)) as { address: string };
  const { bind } = (await python.ask(`/bind/${other.address}`)) as { bind: string };
  rows.push({
    item: 'D62',
    attempt: 'takes the neighbour’s address, listens there',
    expected: 'EPERM, EADDRNOTAVAIL',
    got: `${address}, ${bind}`,
    ok: address === 'EPERM' && bind === 'EADDRNOTAVAIL',
  });
  await node.ask('/attack?kind=listeners');
  const claims = await Promise.all(
    Array.from({ length: 50 }, () => paddock.visit(neighbour.host, '/', { 'x-forwarded-host': node.host, forwarded: `host=${node.host}` })),
  );
  const stolen = claims.filter(({ body }) => body !== 'the neighbour').length;
  rows.push({
    item: 'D62',
    attempt: 'answers on 10,000 ports while the neighbour is visited',
    expected: 'each visit reaches the neighbour',
    got: `${50 - stolen} of 50`,
    ok: stolen === 0,
  });
  return rows;
}

/** Every address and name of the machine that an agent runs on. */
export function addressesOfMachine(own: Place): string[] {
  const machine = Object.values(networkInterfaces()).flatMap((list) => (list ?? []).map(({ address }) => address));
  const loopback = ['127.0.0.1', '127.0.0.53', '127.1.2.3', 'localhost', '0.0.0.0', '0', '::1', '::', '::ffff:127.0.0.1', '2130706433'];
  return [...new Set([...loopback, '198.18.0.1', hostEndOf(own), ...machine])];
}

/** The machine's end of the link to an agent. */
export const hostEndOf = ({ address }: Place) => address.replace(/\d+$/, (last) => String(Number(last) - 1));

// A minimal PATH may lack the folder of nft on Debian.
const withSystemTools = `${process.env.PATH}:/usr/sbin:/sbin`;

/** Counts and, for safety, drops the packets that pass the sandbox's rules towards an address that the rules should refuse. */
function guard(own: Place): () => number {
  const inside = (args: string[], input?: string) =>
    execFileSync('nsenter', [`--net=/run/netns/${own.namespace}`, 'nft', ...args], {
      encoding: 'utf8',
      env: { PATH: withSystemTools },
      ...(input ? { input } : {}),
    });
  inside(
    ['-f', '-'],
    `table inet attack_guard {
  counter left { }
  chain leaving {
    type filter hook postrouting priority 300; policy accept;
    oifname "lo" accept
    ip daddr 198.18.0.1 accept
    ip daddr { 10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16, 169.254.0.0/16, 100.64.0.0/10, 192.0.0.0/24, 198.18.0.0/15, 224.0.0.0/3 } counter name left drop
    meta nfproto ipv6 counter name left drop
  }
}
`,
  );
  return () => Number(/packets (\d+)/.exec(inside(['list', 'counter', 'inet', 'attack_guard', 'left']))?.[1]);
}
