import { query } from './managed.ts';
import { openRedis, type Reply } from './redis-wire.ts';

const pagesMost = 10_000;

/** All rows that the writing agent has made, as one text. */
export async function rowsOf(url: string): Promise<string> {
  const [row] = await query<{ all: string | null }>(url, `select string_agg(n::text, ',' order by n) as all from rows`);
  return row?.all ?? '';
}

/** All keys with their values, in order. */
export async function keysOf(url: string): Promise<string[]> {
  const redis = await openRedis(url);
  try {
    const found: string[] = [];
    let cursor = '0';
    for (let page = 0; page < pagesMost; page++) {
      const [next, keys] = (await redis.call('SCAN', cursor, 'COUNT', 1000)) as [string, string[]];
      const values = keys.length ? ((await redis.call('MGET', ...keys)) as Reply[]) : [];
      found.push(...keys.map((key, at) => `${key}=${String(values[at])}`));
      cursor = next;
      if (cursor === '0') return [...new Set(found)].sort();
    }
    throw new Error('there is no end of keys');
  } finally {
    redis.close();
  }
}
