import { type DatabaseFigures, USER } from '../../driver.ts';
import type { AdminConnection } from './admin.ts';

/** The version of Redis or Valkey. Valkey also reports the version of Redis that it is compatible with. */
export const versionOf = (info: Record<string, string>): string | undefined => info.valkey_version ?? info.redis_version;

/**
 * `size_bytes` is the memory that counts against the data limit. `transactions` counts commands, including the few of the platform.
 * `cache_reads` counts keys that were requested and not found.
 */
export async function redisFigures(admin: AdminConnection): Promise<Omit<DatabaseFigures, 'memory_bytes'>> {
  const info = await admin.info('server', 'memory', 'stats', 'keyspace');
  const clients = String(await admin.send('CLIENT', 'LIST')).split('\n');
  const figure = (name: string): number => {
    const value = Number(info[name]);
    if (info[name] === undefined || !Number.isFinite(value)) throw new Error(`Redis does not tell ${name}.`);
    return value;
  };
  const databases = Object.entries(info).filter(([name]) => /^db\d+$/.test(name));
  return {
    size_bytes: figure('used_memory'),
    connections: clients.filter((line) => line.includes(` user=${USER} `)).length,
    transactions: figure('total_commands_processed'),
    cache_hits: figure('keyspace_hits'),
    cache_reads: figure('keyspace_misses'),
    keys: databases.reduce((sum, [, value]) => sum + Number(/^keys=(\d+)/.exec(value)?.[1] ?? 0), 0),
    evictions: figure('evicted_keys'),
    // Both come from the server's own clock, read at one time, so that the result is the same in each response.
    started_ms: (Math.floor(figure('server_time_usec') / 1_000_000) - figure('uptime_in_seconds')) * 1000,
  };
}
