import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, mkdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { DatabaseType } from '@paddock/contract';
import type { DatabaseSpec } from '@paddock/database-driver';
import { openBench } from '../../packages/database-driver/src/test/bench.ts';
import { createDriver } from '../../packages/database-driver/src/test/process-driver.ts';
import { freePort, inFolder, interleave, median, memoryMb, program, startProcess, until, versionOf } from '../measure.ts';
import { alone, below, beside, type Row } from '../row.ts';
import { orSkipped, Skipped } from '../skipped.ts';

const count = 20;
const rounds = 5;
/** Measured on bare servers: 13.5 and 11.8 MiB. */
const MAX_MB = { postgresql: 20, redis: 12 } as const;
const names = { postgresql: 'PostgreSQL', redis: 'Redis' } as const;
/** The limits that the product sets. */
const limits = { memory_mb: 256, cpus: 1, connections: 50 };
const never = new AbortController().signal;
/** Id of the `nobody` user and group, which every Linux has: PostgreSQL does not run as root. */
const nobody = 65_534;

export const row: Row = {
  name: 'databases',
  seconds: 120,
  async run(report) {
    for (const type of ['postgresql', 'redis'] as const) await measure(type, report);
  },
};

type Report = Parameters<Row['run']>[0];

async function measure(type: DatabaseType, report: Report) {
  const bench = openBench({ type, module: '', createDriver });
  try {
    const password = randomBytes(24).toString('base64url');
    const spec = (n: number): DatabaseSpec => ({ id: `bench-${n}`, type, password, admin_password: password, limits });
    const timed = async (n: number) => {
      const begun = performance.now();
      await bench.driver.start(spec(n), never);
      return performance.now() - begun;
    };
    const first: number[] = [];
    for (let n = 0; n < count; n++) first.push(await timed(n));
    const each = Array.from({ length: count }, (_, n) => memoryMb(bench.processesOf(`bench-${n}`).map(({ pid }) => pid)));
    const total = each.reduce((sum, one) => sum + one, 0);
    const name = names[type];
    report(below({ work: `new managed ${name} → accepts connections, one of ${count}`, unit: 'ms', ours: { values: first }, max: 5000 }));
    report(
      below({
        work: `${count} managed ${name} at once, idle: memory in all`,
        unit: 'MiB (PSS)',
        ours: { values: [total] },
        max: MAX_MB[type] * count,
        note: `each ${median(each).toFixed(1)} MiB, with its sandbox`,
      }),
    );
    const again = async () => {
      await bench.driver.stop('bench-0');
      return timed(0);
    };
    const work = `stopped managed ${name} → accepts connections`;
    const peer = await orSkipped(() => (type === 'redis' ? plainRedis() : plainPostgres()));
    if (peer instanceof Skipped) {
      const [values] = await interleave(rounds, [again]);
      report(alone({ work, unit: 'ms', ours: { values: values! }, why: peer.message, goal: 'within a second' }));
      return;
    }
    const [ours, theirs] = await interleave(rounds, [again, peer.start]);
    await peer.close();
    const note = 'ours has a sandbox, a user of its own, limits and passwords; the peer has none of these';
    report(beside({ work, unit: 'ms', better: 'less', ours: { values: ours! }, peer: { name: peer.name, values: theirs! }, note }));
  } finally {
    await bench.close();
  }
}

interface Peer {
  name: string;
  /** Milliseconds from the start of the program to its first response. The program is ended again. */
  start(): Promise<number>;
  close(): Promise<void>;
}

/** The peer: Redis with its default settings, as an administrator without Paddock would run it. */
async function plainRedis(): Promise<Peer> {
  const file = program('redis-server', 'redis-server');
  return {
    name: versionOf(file, '--version').split(' sha')[0]!,
    start: () =>
      inFolder(async (folder) => {
        const port = await freePort();
        const begun = performance.now();
        const server = startProcess(file, ['--port', `${port}`, '--bind', '127.0.0.1', '--dir', folder, '--appendonly', 'yes']);
        await until('Redis answers', () => answers(port, 'PING\r\n', '+PONG'), { ms: 10_000, everyMs: 2 });
        const ms = performance.now() - begun;
        await server.close();
        return ms;
      }),
    close: async () => undefined,
  };
}

/** The system's own PostgreSQL, on a data directory that is made once. */
async function plainPostgres(): Promise<Peer> {
  const initdb = systemPostgres('initdb');
  const postgres = systemPostgres('postgres');
  const done = Promise.withResolvers<void>();
  const made = Promise.withResolvers<string>();
  const as = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {};
  // The folder exists until the peer is closed.
  const held = inFolder(async (folder) => {
    chmodSync(folder, 0o711);
    const data = join(folder, 'data');
    mkdirSync(data, { mode: 0o700 });
    if ('uid' in as) chownSync(data, nobody, nobody);
    execFileSync(initdb, ['-D', data, '-U', 'bench', '--auth=trust', '--no-sync'], { ...as, cwd: '/', stdio: 'ignore', timeout: 60_000 });
    made.resolve(data);
    await done.promise;
  });
  held.catch(made.reject);
  const data = await made.promise;
  return {
    name: versionOf(postgres, '--version'),
    async start() {
      const port = await freePort();
      const begun = performance.now();
      const server = startProcess(postgres, ['-D', data, '-p', `${port}`, '-h', '127.0.0.1', '-c', 'unix_socket_directories='], {
        ...as,
        cwd: '/',
      });
      await until('PostgreSQL answers', () => answers(port, sslRequest, 'N'), { everyMs: 2 });
      const ms = performance.now() - begun;
      await server.close('SIGINT');
      return ms;
    },
    async close() {
      done.resolve();
      await held;
    },
  };
}

/** The first message of the protocol requests TLS, which a plain server denies with one letter. */
const sslRequest = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);

function systemPostgres(name: string): string {
  const listed = execFileSync('sh', ['-c', `ls -d /usr/lib/postgresql/*/bin/${name} 2>/dev/null | sort -V | tail -1`], {
    encoding: 'utf8',
  }).trim();
  return listed || program(name, 'postgresql');
}

function answers(port: number, question: string | Buffer, expected: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => void socket.write(question));
    const done = (holds: boolean) => (socket.destroy(), resolve(holds));
    socket.once('data', (piece: Buffer) => done(piece.toString('latin1').startsWith(expected)));
    socket.on('error', () => done(false));
    socket.setTimeout(2000, () => done(false));
    socket.on('close', () => done(false));
  });
}
