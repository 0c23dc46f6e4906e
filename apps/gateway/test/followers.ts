import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { Agent, request } from 'node:http';

/** The running processes that a leader has started. */
export const followersOf = (leader: number): number[] =>
  (readOrNothing(`/proc/${leader}/task/${leader}/children`).match(/\d+/g) ?? [])
    .map(Number)
    .filter((pid) => isFollower(pid) && isLiving(pid));

const isFollower = (pid: number) => readOrNothing(`/proc/${pid}/cmdline`).includes('processes/follower.');
export const isLiving = (pid: number) => !['', 'Z'].includes(readOrNothing(`/proc/${pid}/stat`).split(') ').at(-1)?.[0] ?? '');

export interface Visitor {
  /** The process that holds this visitor's connection. */
  follower: number;
  ask: (path: string) => Promise<string>;
  leave: () => void;
}

/** A visitor of `work.localhost` on one keep-alive connection; the kernel chooses the process that holds it. */
export async function visit(port: number, leader: number): Promise<Visitor> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let localPort = 0;
  const ask = (path: string) =>
    new Promise<string>((resolve, reject) => {
      const headers = { host: `work.localhost:${port}` };
      const call = request({ host: '127.0.0.1', port, path, agent, headers }, (answer) => {
        const { socket } = answer;
        if (localPort !== 0 && localPort !== socket.localPort) reject(new Error('the connection was not kept'));
        localPort = socket.localPort!;
        let body = '';
        answer.on('data', (piece: Buffer) => (body += String(piece)));
        answer.on('end', () => resolve(body));
        answer.on('error', reject);
      });
      call.on('error', reject);
      call.end();
    });
  await ask('/');
  return { follower: holderOf({ port, localPort }, followersOf(leader)), ask, leave: () => agent.destroy() };
}

/** A visitor for each process, including processes that do not listen yet. */
export async function visitEach(port: number, leader: number): Promise<Visitor[]> {
  const found = new Map<number, Visitor>();
  const wanted = followersOf(leader).length;
  for (const end = Date.now() + 300_000; found.size < wanted; ) {
    if (Date.now() > end) throw new Error(`after 300 s connections have come to ${found.size} of ${wanted} processes`);
    const visitor = await visit(port, leader);
    if (found.has(visitor.follower)) visitor.leave();
    else found.set(visitor.follower, visitor);
  }
  return [...found.values()];
}

function holderOf({ port, localPort }: { port: number; localPort: number }, pids: number[]): number {
  const inode = inodeOf(`:${hex(port)}`, `:${hex(localPort)}`);
  const holder = pids.find((pid) => socketsOf(pid).includes(`socket:[${inode}]`));
  if (holder === undefined) throw new Error('no process holds the connection');
  return holder;
}

function inodeOf(local: string, remote: string): string | undefined {
  const rows = readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/));
  return rows.find((row) => row[1]?.endsWith(local) && row[2]?.endsWith(remote))?.[9];
}

const hex = (port: number) => port.toString(16).toUpperCase().padStart(4, '0');

function socketsOf(pid: number): string[] {
  const folder = `/proc/${pid}/fd`;
  return list(folder).flatMap((name) => {
    try {
      return readlinkSync(`${folder}/${name}`);
    } catch {
      return []; // closed meanwhile
    }
  });
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // ended meanwhile
  }
}

function readOrNothing(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return ''; // ended meanwhile
  }
}
