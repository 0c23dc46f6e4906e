import { type TypeCounts, totalOf } from '../../../protection/masking.ts';
import { hourOf, type PiiCount } from '../../../protection/pii-hours-store.ts';
import type { SpanStore } from './span-store.ts';

/** Sums up findings of scans of spans, and writes them periodically. */
export function piiCounter({ store, most, warn }: { store: Pick<SpanStore, 'addFound'>; most: number; warn: (err: unknown) => void }) {
  let counted = new Map<string, PiiCount>();
  let isFailing = false;

  return { add, flush };

  function add({ team_id, project_id }: { team_id: string; project_id: string }, types: TypeCounts): void {
    const found = totalOf(types);
    put({ team_id, project_id, hour: hourOf(Date.now()), scans: 1, detected: found, redacted: found, types });
  }

  function put(more: PiiCount): void {
    const key = `${more.team_id} ${more.project_id} ${more.hour}`;
    const known = counted.get(key);
    if (!known && counted.size >= most) return;
    const types = { ...known?.types };
    for (const [type, count] of Object.entries(more.types)) types[type] = (types[type] ?? 0) + count;
    counted.set(key, {
      ...more,
      scans: more.scans + (known?.scans ?? 0),
      detected: more.detected + (known?.detected ?? 0),
      redacted: more.redacted + (known?.redacted ?? 0),
      types,
    });
  }

  /** Never rejects: counts that cannot be written are kept for the next time. */
  async function flush(): Promise<void> {
    if (counted.size === 0) return;
    const writing = [...counted].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, count]) => count);
    counted = new Map();
    try {
      await store.addFound(writing);
      isFailing = false;
    } catch (error) {
      for (const count of writing) put(count);
      if (!isFailing) warn(error);
      isFailing = true;
    }
  }
}

export type PiiCounter = ReturnType<typeof piiCounter>;
