import { totalmem } from 'node:os';
import { deploymentBudgets } from '@paddock/contract/limits';
import * as z from 'zod';

const count = (least: number, usual: number, most = 1_000_000_000) => z.coerce.number().int().min(least).max(most).default(usual);

/** In MB: a quarter of the machine's memory. Bundlers of Node agents take more than 2 GB, and a small machine has other work too. */
export const usualBuildMemory = (bytes = totalmem()) => Math.min(4096, Math.max(2048, Math.floor(bytes / 4 / 1024 ** 2)));

/** Environment variables that limit builds. */
export const buildSettings = {
  PADDOCK_BUILD_MEMORY_MB: count(64, usualBuildMemory()),
  PADDOCK_BUILD_CPUS: z.coerce.number().min(0.05).max(256).default(2),
  PADDOCK_BUILD_PROCESSES: count(8, 1024),
  PADDOCK_BUILD_OPEN_FILES: count(256, 16_384),
  /** Large, because an environment of 5 GB is also in the package client's cache. */
  PADDOCK_BUILD_DISK_MB: count(64, 20_480),
  /** Limit of downloads and earlier builds together. */
  PADDOCK_BUILD_CACHE_MB: count(0, 8192),
  PADDOCK_BUILD_TIMEOUT_S: count(10, deploymentBudgets.buildSeconds, 86_400),
};

type Settings = { [name in keyof typeof buildSettings]: number };

export const readBuildSettings = (env: Settings) => ({
  /** Limits of each install or build step. */
  buildLimits: {
    memory_mb: env.PADDOCK_BUILD_MEMORY_MB,
    cpus: env.PADDOCK_BUILD_CPUS,
    processes: env.PADDOCK_BUILD_PROCESSES,
    disk_mb: env.PADDOCK_BUILD_DISK_MB,
    open_files: env.PADDOCK_BUILD_OPEN_FILES,
  },
  buildCacheMb: env.PADDOCK_BUILD_CACHE_MB,
  /** Timeout of a whole build. */
  buildSeconds: env.PADDOCK_BUILD_TIMEOUT_S,
});
