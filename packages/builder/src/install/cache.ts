import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { removeTree } from '@paddock/safe-files';
import type { Mount } from '../step.ts';
import { hostCommand } from './host-command.ts';
import { tryLock } from './lock-folder.ts';

const slots = 4;

export interface CacheLease {
  mount: Mount;
  /** Removes its content while nothing runs in it. */
  empty: () => Promise<void>;
  release: () => Promise<void>;
}

/**
 * Leases a package cache for one build of a team. Simultaneous builds of one team get different caches, since the sandbox gives the folder
 * to the step's user. A fifth build gets an empty folder, which is removed at its end.
 */
export async function leaseCache(dataDir: string, teamId: string): Promise<CacheLease> {
  const team = createHash('sha256').update(teamId).digest('hex').slice(0, 24);
  const home = join(dataDir, 'cache', team);
  await mkdir(home, { recursive: true, mode: 0o755 });
  for (let slot = 0; slot < slots; slot++) {
    const from = join(home, String(slot));
    const release = await tryLock(`${from}.lock`);
    if (release === null) continue;
    await mkdir(from, { recursive: true, mode: 0o755 });
    await utimes(from, new Date(), new Date());
    return { mount: mountOf(from), empty: () => emptied(from), release };
  }
  const from = join(home, `extra-${randomUUID()}`);
  await mkdir(from, { mode: 0o755 });
  return { mount: mountOf(from), empty: () => emptied(from), release: () => removeTree(from) };
}

const mountOf = (from: string): Mount => ({ from, at: '/cache', writable: true });

/** Removing needs no space. The folder is created again at the next lease. */
const emptied = (from: string): Promise<void> => removeTree(from);

/** The cache folder of each package client below that mount. */
export const cacheEnv = {
  UV_CACHE_DIR: '/cache/uv',
  PIP_CACHE_DIR: '/cache/pip',
  npm_config_cache: '/cache/npm',
  npm_config_store_dir: '/cache/pnpm',
  YARN_CACHE_FOLDER: '/cache/yarn',
  YARN_GLOBAL_FOLDER: '/cache/berry',
  BUN_INSTALL_CACHE_DIR: '/cache/bun',
} as const;

export interface CacheLimits {
  /** Caches that were last used earlier are removed. */
  olderThan: Date;
  /** Larger caches are removed. */
  maxMb: number;
}

/** Removes old and large caches that no build uses. The next build fills a new one. Returns how many were removed. */
export async function collectCaches(dataDir: string, limits: CacheLimits, signal: AbortSignal): Promise<number> {
  const home = join(dataDir, 'cache');
  let removed = 0;
  const failures: unknown[] = [];
  for (const team of existsSync(home) ? await readdir(home) : []) {
    const slots = await readdir(join(home, team)).catch((error: unknown) => {
      failures.push(error);
      return [];
    });
    for (const slot of slots.filter((name) => !name.includes('.lock'))) {
      signal.throwIfAborted();
      try {
        if (await removeIfUnfit(join(home, team, slot), limits, signal)) removed++;
      } catch (error) {
        failures.push(error);
      }
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} package caches could not be looked after.`);
  return removed;
}

async function removeIfUnfit(path: string, { olderThan, maxMb }: CacheLimits, signal: AbortSignal): Promise<boolean> {
  const release = await tryLock(`${path}.lock`);
  if (release === null) return false;
  try {
    const isOld = existsSync(path) && (await stat(path)).mtimeMs < olderThan.getTime();
    if (!isOld && Number.parseInt(await hostCommand('du', ['-sm', '--', path], { signal }), 10) <= maxMb) return false;
    await removeTree(path, signal);
    return true;
  } finally {
    await release();
  }
}
