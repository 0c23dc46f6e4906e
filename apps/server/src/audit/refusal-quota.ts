/** Refusals of one actor that are recorded within a minute; of the others their number alone. */
const perMinute = 60;
const windowMs = 60_000;
/** Actors that are counted; beyond this the one that came first begins anew. */
const maxActors = 10_000;

interface Window<Of> {
  endsMs: number;
  written: number;
  leftOut: number;
  /** The last one that was left out. */
  last?: Of;
}

/** Counts the refusals of each actor. `tellLeftOut` hears at the end of an actor's minute how many had no place in it. */
export function refusalQuota<Of>(tellLeftOut: (last: Of, leftOut: number) => void) {
  const windows = new Map<string, Window<Of>>();

  function end(actor: string, { last, leftOut }: Window<Of>): void {
    windows.delete(actor);
    if (last !== undefined) tellLeftOut(last, leftOut);
  }

  function endThose(until: number): void {
    for (const [actor, window] of windows) if (window.endsMs <= until) end(actor, window);
  }
  const timer = setInterval(() => endThose(performance.now()), windowMs / 4);
  timer.unref();

  return {
    /** False when the actor's minute is full. */
    take(actor: string, of: Of): boolean {
      const nowMs = performance.now();
      const before = windows.get(actor);
      if (before && before.endsMs > nowMs) {
        if (before.written >= perMinute) {
          before.leftOut += 1;
          before.last = of;
          return false;
        }
        before.written += 1;
        return true;
      }
      if (before) end(actor, before);
      windows.set(actor, { endsMs: nowMs + windowMs, written: 1, leftOut: 0 });
      const [first] = windows;
      if (first && windows.size > maxActors) end(...first);
      return true;
    },
    close(): void {
      clearInterval(timer);
      endThose(Number.POSITIVE_INFINITY);
    },
  };
}
