/** Maximum refusals of one actor recorded in a minute; further ones are only counted. */
const perMinute = 60;
const windowMs = 60_000;
/** Maximum actors counted; beyond this the oldest actor's count restarts. */
const maxActors = 10_000;

interface Window<Of> {
  endsMs: number;
  written: number;
  leftOut: number;
  /** The last refusal that was not recorded. */
  last?: Of;
}

/** Counts the refusals of each actor. `tellLeftOut` is called at the end of an actor's minute with the number of unrecorded ones. */
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
    /** Returns false when the actor's quota is used up. */
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
