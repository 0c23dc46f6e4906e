import { Remembering } from './scan.ts';

interface Held {
  values: Remembering;
  /** How many there were when it was kept. */
  size: number;
  until: number;
}

export interface KnownLimits {
  maxTraces: number;
  /** Of all traces: what a stranger can make this process remember. */
  maxValues: number;
  keptMs: number;
}

/** Values that were found in a trace, for a while: they are masked wherever the same trace brings them again. */
export function knownValues({ maxTraces, maxValues, keptMs }: KnownLimits) {
  const traces = new Map<string, Held>();
  let total = 0;
  return { of, keep, size: () => total };

  /** Those of a trace; none yet in one that is new. */
  function of(traceId: string): Remembering {
    const held = traces.get(traceId);
    return held !== undefined && held.until > performance.now() ? held.values : new Remembering();
  }

  /** Something was found: later requests of the trace are to know of it. The traces that were kept longest ago are forgotten. */
  function keep(traceId: string, values: Remembering): void {
    const { size } = values;
    if (size === 0) return;
    forget(traceId);
    traces.set(traceId, { values, size, until: performance.now() + keptMs });
    total += size;
    for (const oldest of traces.keys()) {
      if ((traces.size <= maxTraces && total <= maxValues) || oldest === traceId) return;
      forget(oldest);
    }
  }

  function forget(traceId: string): void {
    total -= traces.get(traceId)?.size ?? 0;
    traces.delete(traceId);
  }
}

export type KnownValues = ReturnType<typeof knownValues>;
