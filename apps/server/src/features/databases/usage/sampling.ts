import type { DatabaseDriver, DatabaseFigures } from '@paddock/database-driver';
import type { LiveDatabase } from '../rows.ts';
import type { Sample, SamplesStore } from './samples-store.ts';

/** Counters at a time, from which the next sample computes the difference. */
export interface Counted {
  at_ms: number;
  figures: DatabaseFigures;
}

/**
 * Longer than a minute, because samples are a little late. Without an earlier sample, only a server younger than this has counts that
 * belong to this minute.
 */
const freshMs = 90_000;

/**
 * Activity between two measurements. A server started in between counts from 0, so all its counts are new. Without an earlier measurement
 * the time of the counts is unknown, so they are null.
 */
export function since(before: Counted | undefined, { at_ms, figures }: Counted): Sample {
  const { size_bytes, memory_bytes, connections, keys } = figures;
  const isSame = before?.figures.started_ms === figures.started_ms;
  const isNew = figures.started_ms > (before?.at_ms ?? at_ms - freshMs);
  const count = (name: 'transactions' | 'cache_hits' | 'cache_reads' | 'evictions'): number | null => {
    const value = figures[name];
    if (value === null) return null;
    if (isSame) return Math.max(0, value - (before.figures[name] ?? 0));
    return isNew ? value : null;
  };
  return {
    size_bytes,
    memory_bytes,
    connections,
    keys,
    transactions: count('transactions'),
    cache_hits: count('cache_hits'),
    cache_reads: count('cache_reads'),
    evictions: count('evictions'),
  };
}

/** Measures databases. A database that does not respond gives no sample: that minute is a gap. */
export function createSampler(driver: Pick<DatabaseDriver, 'measure'>, store: Pick<SamplesStore, 'add' | 'seen'>) {
  const before = new Map<string, Counted>();
  return {
    /** Throws when the database does not respond. `isMinute`: stores a sample of the activity since the previous one. */
    async measure({ row, spec, address }: LiveDatabase, isMinute: boolean): Promise<DatabaseFigures> {
      const figures = await driver.measure(spec, address);
      await store.seen(row.id, figures.size_bytes);
      if (!isMinute) return figures;
      const now = { at_ms: Date.now(), figures };
      const sample = since(before.get(row.id), now);
      await store.add(row.id, sample);
      before.set(row.id, now);
      return figures;
    },
    /** Forgets all other databases. */
    keepOnly(ids: Set<string>) {
      for (const id of before.keys()) if (!ids.has(id)) before.delete(id);
    },
  };
}
