import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

export interface ListeningPort {
  port: number;
  family: 4 | 6;
  loopback_only: boolean;
}

type Table = 'tcp' | 'tcp6' | 'udp' | 'udp6';

const LISTEN = '0A';
/** A connection that the other side has not accepted yet. */
const SYN_SENT = '02';
/** The port of name servers, in hexadecimal. */
const NAMES = '0035';
const MAPPED = /^0{16}FFFF0{4}/;
const LOOPBACK_6 = '00000000000000000000000001000000';

/** The TCP ports on which a process in the network namespace of `pid` listens, `preferred` first, then ascending. */
export function listeningPorts(pid: number, preferred: number, inodes?: Set<string>): ListeningPort[] {
  const rows = [...parseSockets(table(pid, 'tcp'), 4, inodes), ...parseSockets(table(pid, 'tcp6'), 6, inodes)];
  const byPort = new Map<number, ListeningPort>();
  for (const row of rows) {
    const known = byPort.get(row.port);
    // A port may be open twice, on 127.0.0.1 and on all addresses: the more reachable socket counts.
    if (!known || rank(row) < rank(known)) byPort.set(row.port, row);
  }
  return [...byPort.values()].sort((a, b) => Number(b.port === preferred) - Number(a.port === preferred) || a.port - b.port);
}

/** Lines of /proc/net/tcp and tcp6: local address in hexadecimal, state, inode. */
export function parseSockets(text: string, family: 4 | 6, inodes?: Set<string>): ListeningPort[] {
  return sockets(text).flatMap(({ local, state, inode }) => {
    const [address = '', port = ''] = local.split(':');
    if (state !== LISTEN || (inodes && !inodes.has(inode))) return [];
    // An IPv6 socket bound to an IPv4 address is reached over IPv4.
    const mapped = MAPPED.test(address);
    const loopback_only = address === LOOPBACK_6 || ((family === 4 || mapped) && address.endsWith('7F'));
    return [{ port: Number.parseInt(port, 16), family: mapped ? 4 : family, loopback_only }];
  });
}

function sockets(text: string): { local: string; remote: string; state: string; inode: string }[] {
  const rows = text.split('\n').slice(1);
  return rows.map((line) => {
    const [, local = '', remote = '', state = '', , , , , , inode = ''] = line.trim().split(/\s+/);
    return { local, remote, state, inode };
  });
}

/** Whether a process in the network namespace of `pid` is opening a connection or querying a name server right now. */
export function isOpening(pid: number, inodes?: Set<string>): boolean {
  const ours = (name: Table) => sockets(table(pid, name)).filter(({ inode }) => !inodes || inodes.has(inode));
  const opens = [...ours('tcp'), ...ours('tcp6')].some(({ state }) => state === SYN_SENT);
  return opens || [...ours('udp'), ...ours('udp6')].some(({ remote }) => remote.endsWith(`:${NAMES}`));
}

/** Inode numbers of the processes' sockets. In a shared network namespace they show which process a port belongs to. */
export function socketInodes(pids: number[]): Set<string> {
  const found = new Set<string>();
  for (const pid of pids) {
    try {
      for (const descriptor of readdirSync(`/proc/${pid}/fd`)) {
        const inode = /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${descriptor}`))?.[1];
        if (inode) found.add(inode);
      }
    } catch {
      // The process has exited or closed a descriptor; the next call sees the rest.
    }
  }
  return found;
}

function rank({ family, loopback_only }: ListeningPort): number {
  return (loopback_only ? 2 : 0) + (family === 6 ? 1 : 0);
}

function table(pid: number, name: Table): string {
  try {
    return readFileSync(`/proc/${pid}/net/${name}`, 'utf8');
  } catch {
    return ''; // the process has exited, so it has no sockets
  }
}
