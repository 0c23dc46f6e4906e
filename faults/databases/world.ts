import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Scope } from '../../apps/server/test/platform.ts';
import { until } from '../../apps/server/test/platform.ts';
import { atEnd } from '../../apps/server/test/postgres.ts';
import { smallDisk } from '../small-disk.ts';
import { startWorld, type World } from '../world.ts';
import { type Written, writerAgent } from './agent.ts';
import { deployManaged, type Managed, urlOf } from './managed.ts';

export interface DatabaseWorld {
  world: World;
  agent: Managed;
  /** The file system of the backups. It is small and can be filled. */
  disk: Awaited<ReturnType<typeof smallDisk>>;
  urls: { postgresql: string; redis: string };
  written: () => Promise<Written>;
}

let shared: Promise<DatabaseWorld> | undefined;

/** The shared world of all database faults: an agent that writes to both of its databases, and passwords among the canaries. Needs root. */
export const databaseWorld = () => (shared ??= open());

async function open(): Promise<DatabaseWorld> {
  const dataDir = await mkdtemp(join(tmpdir(), 'paddock-databases-'));
  const backups = join(dataDir, 'database-backups');
  await mkdir(backups, { mode: 0o700 });
  const disk = await smallDisk(backups, 96);
  // Runs after the end of the platform: cleanups run in reverse order.
  atEnd(async () => {
    await disk.unmount();
    await rm(dataDir, { recursive: true, force: true });
  });
  const scope: Scope = { after: (end) => atEnd(async () => void (await end())) };
  const world = await startWorld(scope, { PADDOCK_LOG_LEVEL: 'trace' }, { dataDir });
  const agent = await deployManaged(world.api, { name: 'writer', files: writerAgent() });
  const urls = { postgresql: await urlOf(world.api, agent.postgresql), redis: await urlOf(world.api, agent.redis) };
  for (const url of Object.values(urls)) world.canaries.push(decodeURIComponent(new URL(url).password));
  return { world, agent, disk, urls, written: async () => JSON.parse((await world.paddock.visit(agent.host, '/acked')).body) as Written };
}

/** Lets the agent write until it has written this many more rows and keys. */
export async function writeMore({ world, agent, written }: DatabaseWorld, more: number): Promise<void> {
  const before = await written();
  await world.paddock.visit(agent.host, '/start');
  await until(`${more} more were written`, async () => {
    const { rows, keys } = await written();
    return rows >= before.rows + more && keys >= before.keys + more;
  });
}

export const stopWriting = async ({ world, agent }: DatabaseWorld) =>
  JSON.parse((await world.paddock.visit(agent.host, '/stop')).body) as Written;
