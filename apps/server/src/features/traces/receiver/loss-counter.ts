import type { TraceLosses } from '@paddock/contract';
import type { SpanStore } from './span-store.ts';

export type LossCounter = ReturnType<typeof lossCounter>;

/** Counts data that did not become a span, and writes the counts periodically. */
export function lossCounter({ store, most, warn }: { store: Pick<SpanStore, 'addLosses'>; most: number; warn: (err: unknown) => void }) {
  let counted = new Map<string, TraceLosses>();
  let isFailing = false;

  return { add, flush };

  function add(deployment_id: string, more: Partial<TraceLosses>): void {
    const known = counted.get(deployment_id) ?? { spans: 0, requests: 0, content: 0, unused: 0 };
    if (!counted.has(deployment_id) && counted.size >= most) return;
    for (const kind of Object.keys(known) as (keyof TraceLosses)[]) known[kind] += more[kind] ?? 0;
    counted.set(deployment_id, known);
  }

  /** Never rejects: counts that cannot be written are kept for the next time. */
  async function flush(): Promise<void> {
    if (counted.size === 0) return;
    const writing = counted;
    counted = new Map();
    try {
      await store.addLosses([...writing].map(([deployment_id, lost]) => ({ deployment_id, ...lost })));
      isFailing = false;
    } catch (error) {
      for (const [deployment_id, lost] of writing) add(deployment_id, lost);
      if (!isFailing) warn(error);
      isFailing = true;
    }
  }
}
