/** Refusals of one actor that are recorded within a minute; of the others only the number is. */
const perMinute = 60;
const windowMs = 60_000;
/** Maximum number of actors that are counted; beyond this the count of the oldest starts again. */
const maxActors = 10_000;

interface Window<Of> {
  endsMs: number;
  written: number;
  leftOut: number;
  /** The last refusal that was left out. */
  last?: Of;
}

/** Counts the refusals of each actor. `tellLeftOut` is called at the end of an actor's minute with the number of unrecorded refusals. */
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
    /** False when the actor's quota for the minute is used up. */
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
