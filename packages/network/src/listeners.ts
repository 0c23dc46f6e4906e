import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';
import ipaddr from 'ipaddr.js';

/** A socket of this machine on which a program listens. */
export interface Listener {
  /** Every process that has the socket open; empty if this user may not see them. */
  pids: number[];
}

/** The exit code of a Paddock program that exits because another program has its port. */
export const PORT_TAKEN_CODE = 3;
/** The exit code of a Paddock program that exits because the system refuses its port. */
export const PORT_REFUSED_CODE = 4;

const LISTENING = '0A';
const wildcards = new Set(['0.0.0.0', '::']);

/** The listeners that conflict with `host` and `port`. Empty if the system does not report them (anything but Linux). */
export function listenersOn({ host, port }: { host: string; port: number }): Listener[] {
  const inodes = [...socketTable('tcp'), ...socketTable('tcp6')]
    .filter((socket) => socket.port === port && isInTheWay(socket.address, host))
    .map(({ inode }) => `socket:[${inode}]`);
  const holders = new Map(inodes.map((inode) => [inode, [] as number[]]));
  if (holders.size > 0) for (const pid of processes()) for (const file of openFiles(pid)) holders.get(file)?.push(pid);
  return [...holders.values()].map((pids) => ({ pids }));
}

/** Sentences that name the listening program and the remedy, for the user who starts a program. `setting` chooses the port. */
export function portTakenMessage({ host, port, setting }: { host: string; port: number; setting: string }): string {
  const pid = listenersOn({ host, port }).flatMap(({ pids }) => pids)[0];
  const holder = pid === undefined ? 'another program, which this user cannot see' : `process ${pid} (${describeProgram(pid)})`;
  return `Port ${port} is in use by ${holder}. End that program, or choose another port with ${setting}.`;
}

/** Sentences that explain why the system refuses a free port, for the user who starts a program. Undefined for every other error. */
export function portRefusedMessage(
  error: unknown,
  { host, port, setting }: { host: string; port: number; setting: string },
): string | undefined {
  const { code, syscall } = error as { code?: string; syscall?: string };
  if (syscall !== 'listen') return undefined;
  if (code === 'EACCES')
    return `Port ${port} is for programs with more rights (ports below 1024 usually are). Choose a higher port with ${setting}, put a reverse proxy before it, or give Node.js the right: setcap cap_net_bind_service=+ep "$(command -v node)".`;
  if (code === 'EADDRNOTAVAIL') return `This machine has no address ${host}. Choose one of its own with PADDOCK_HOST, or 0.0.0.0 for all.`;
  return undefined;
}

/** The arguments of a process's command line; empty for a process that has exited. */
export const argumentsOf = (pid: number): string[] => readOrNothing(`/proc/${pid}/cmdline`).split('\0').slice(0, -1);

export const parentOf = (pid: number): number => Number(readOrNothing(`/proc/${pid}/stat`).split(') ').at(-1)?.split(' ')[1] ?? 0);

/** The program and its script. Further arguments may be secret. */
function describeProgram(pid: number): string {
  const [program = 'ended meanwhile', ...rest] = argumentsOf(pid);
  const script = /^(node|python[\d.]*)$/.test(basename(program)) ? rest.find((word) => !word.startsWith('-')) : undefined;
  // oxlint-disable-next-line no-control-regex -- a command line is a stranger's text
  return [basename(program), ...(script === undefined ? [] : [script])]
    .join(' ')
    .slice(0, 200)
    .replace(/[\0-\x1f\x7f-\x9f]/g, '?');
}

function isInTheWay(address: string, host: string): boolean {
  if (!ipaddr.isValid(host)) return true; // a name: it is unknown which address the system uses
  const own = ipaddr.process(host).toString();
  return wildcards.has(address) || wildcards.has(own) || address === own;
}

function socketTable(table: 'tcp' | 'tcp6') {
  return readOrNothing(`/proc/self/net/${table}`)
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(/\s+/))
    .filter((cells) => cells[3] === LISTENING)
    .map((cells) => {
      const [address = '', port = ''] = cells[1]!.split(':');
      return { address: parseKernelAddress(address), port: Number.parseInt(port, 16), inode: cells[9]! };
    });
}

/** The kernel prints addresses as words in the machine's byte order, which is reversed on all machines that Node.js supports but one. */
function parseKernelAddress(hex: string): string {
  const words = hex.match(/.{8}/g) ?? [];
  const bytes = words.flatMap((word) => [...Buffer.from(word, 'hex').reverse()]);
  const address = ipaddr.fromByteArray(bytes);
  return ipaddr.process(address.toString()).toString();
}

const processes = () =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);

function openFiles(pid: number): string[] {
  const folder = `/proc/${pid}/fd`;
  try {
    return readdirSync(folder).map((name) => readLink(`${folder}/${name}`));
  } catch {
    return []; // exited in the meantime, or of another user
  }
}

function readLink(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return ''; // closed in the meantime
  }
}

function readOrNothing(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
