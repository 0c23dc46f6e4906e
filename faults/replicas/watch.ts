import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { WebSocket } from 'ws';
import { type Platform, until } from '../../apps/server/test/platform.ts';
import type { Pair, Replica } from './pair.ts';

/** The instances on a server's disk. */
export const instances = ({ dataDir }: Platform) => {
  const folder = join(dataDir, 'runtime/instances');
  return existsSync(folder) ? readdirSync(folder) : [];
};

/** Follows a deployment's log live, and continues at the other server when the connection is cut. */
export function follow({ both }: Pair, id: string, token: string) {
  const got: { number: number; message: string }[] = [];
  let done = false;
  let socket: WebSocket;
  (function open(server: number) {
    socket = new WebSocket(`${both[server]!.origin.replace('http', 'ws')}/ws/logs/${id}?token=${token}&after=${got.at(-1)?.number ?? 0}`);
    socket.on('message', (data: Buffer) => got.push(...(JSON.parse(data.toString()) as typeof got)));
    socket.on('error', () => 'it closes as well');
    socket.once('close', () => done || setTimeout(() => open(1 - server), 100));
  })(1);
  return {
    got: () => got,
    end() {
      done = true;
      socket.close();
    },
  };
}

export async function opens({ origin }: Platform, id: string, ticket: string): Promise<'open' | 'refused'> {
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/ws/logs/${id}?token=${ticket}`);
  const outcome = await once(socket, 'open').then(
    () => 'open' as const,
    () => 'refused' as const,
  );
  socket.terminate();
  return outcome;
}

/** An agent that answers at once and logs a counter. */
export const steadyAgent = {
  'server.js': `let n = 0; setInterval(() => console.log('tick ' + ++n), 50);
require('http').createServer((q, r) => r.end('steady')).listen(process.env.PORT)`,
};

/** Asserts that the lines in the database have no gap, and that the reader has each of them once and in order, whichever server it read from. */
export async function readsAllInOrder({ sql }: Pair, id: string, reader: ReturnType<typeof follow>): Promise<void> {
  const rows = await sql<{ number: number }[]>`select number from log_lines where deployment_id = ${id} order by number`;
  const numbers = rows.map(({ number }) => number);
  const inOrder = numbers.map((_, n) => n + 1);
  assert.deepEqual(numbers, inOrder);
  await until('the reader has them all', async () => reader.got().length >= numbers.length);
  reader.end();
  const read = reader.got().map((line) => line.number);
  assert.deepEqual(read.slice(0, numbers.length), inOrder);
}

/** An agent that builds for a second and listens after another. */
export const slowAgent = (name: string) => ({
  'paddock.yaml': 'build: sleep 1\nstart: node server.js\n',
  'server.js': `setTimeout(() => require('http').createServer((q, r) => r.end('${name}')).listen(process.env.PORT), 1000)`,
});

/** Whether that server has one of the deployments at that stage. */
export async function isAt({ sql }: Pair, server: Replica, { ids, stage }: { ids: string[]; stage: string }): Promise<boolean> {
  const rows =
    await sql`select 1 from deployments where id = any(${ids}) and status = ${stage} and split_part(lease_owner, ' ', 2) = ${String(server.pid())}`;
  return rows.length > 0;
}

export async function rowsOf({ sql }: Pair, server: Replica): Promise<number> {
  const rows = await sql`select 1 from deployments d join nodes n on n.label = d.node
    where split_part(n.owner, ' ', 2) = ${String(server.pid())} and (d.status = 'active' or d.drain_until is not null)`;
  return rows.length;
}

/** The instances that the rows of the server name. */
export async function named({ sql }: Pair, server: Replica): Promise<string[]> {
  const rows = await sql<{ instance_id: string }[]>`select instance_id from deployments d join nodes n on n.label = d.node
    where split_part(n.owner, ' ', 2) = ${String(server.pid())} and d.instance_id is not null`;
  return rows.map((row) => row.instance_id).sort();
}

/** Waits until the instances on a server's disk are those that its rows name; a timeout describes the others. */
export async function runsOnlyItsOwn(pair: Pair, server: Replica): Promise<void> {
  const isSo = async () => isDeepStrictEqual(instances(server).sort(), await named(pair, server));
  try {
    await until('each server runs its own instances and nothing else', isSo);
  } catch (error) {
    const wanted = await named(pair, server);
    const strays = instances(server).filter((id) => !wanted.includes(id));
    const missing = wanted.filter((id) => !instances(server).includes(id));
    const states = await Promise.all(strays.map(async (id) => `${id}: ${await stateOf(pair, server, id)}`));
    throw new Error(`${(error as Error).message}; missing: ${missing.join(' ')}; strays: ${states.join('; ')}`, { cause: error });
  }
}

async function stateOf({ sql }: Pair, { dataDir }: Platform, id: string): Promise<string> {
  const files = readdirSync(join(dataDir, 'runtime/instances', id)).join(' ');
  const [row] = await sql`select * from deployments where id like ${`%${id.slice('ins-'.length).replace(/-\d+$/, '')}`}`;
  const { status, node, instance_id, restart_at, drain_until, lease_until } = row ?? {};
  return `files ${files}; ${JSON.stringify({ status, node, instance_id, restart_at, drain_until, lease_until })}`;
}

export const messages = async ({ sql }: Pair, id: string) =>
  (await sql<{ message: string }[]>`select message from log_lines where deployment_id = ${id} order by number`).map((row) => row.message);
