import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { removeTree } from '@paddock/safe-files';
import type { Mount } from '../step.ts';
import { hostCommand } from './host-command.ts';
import { tryLock } from './lock-folder.ts';

const cachesPerTeam = 4;

export interface CacheLease {
  mount: Mount;
  /** Removes the cache. Call it only while no step uses it; the next lease makes a new one. */
  empty: () => Promise<void>;
  release: () => Promise<void>;
}

/**
 * Leases a package cache for one build of a team. Simultaneous builds of one team get different caches, because each step's sandbox changes
 * the owner of the folder. A fifth build gets an empty folder, which is removed at its end.
 */
export async function leaseCache(dataDir: string, teamId: string): Promise<CacheLease> {
  const team = createHash('sha256').update(teamId).digest('hex').slice(0, 24);
  const teamDir = join(dataDir, 'cache', team);
  await mkdir(teamDir, { recursive: true, mode: 0o755 });
  for (let slot = 0; slot < cachesPerTeam; slot++) {
    const release = await tryLock(join(teamDir, `${slot}.lock`));
    if (release !== null) return await openCache(join(teamDir, String(slot)), release);
  }
  const extra = join(teamDir, `extra-${randomUUID()}`);
  const unlock = await tryLock(`${extra}.lock`);
  const release = async () => {
    await removeTree(extra);
    await unlock?.();
  };
  return await openCache(extra, release);
}

async function openCache(from: string, release: () => Promise<void>): Promise<CacheLease> {
  await mkdir(from, { recursive: true, mode: 0o755 });
  await utimes(from, new Date(), new Date());
  return { mount: { from, at: '/cache', writable: true }, empty: () => removeTree(from), release };
}

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
    const names = await readdir(join(home, team)).catch((error: unknown) => {
      failures.push(error);
      return [];
    });
    for (const name of names.filter((each) => !each.includes('.lock'))) {
      signal.throwIfAborted();
      try {
        if (await removeIfOldOrLarge(join(home, team, name), limits, signal)) removed++;
      } catch (error) {
        failures.push(error);
      }
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} package caches could not be cleaned up.`);
  return removed;
}

async function removeIfOldOrLarge(path: string, { olderThan, maxMb }: CacheLimits, signal: AbortSignal): Promise<boolean> {
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
