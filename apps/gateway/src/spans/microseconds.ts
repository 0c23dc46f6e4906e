/**
 * Computes microseconds since 1970 from two clocks that were read at the same moment: the date, which is truncated to milliseconds, and
 * performance.now(), which is finer but drifts away from the date and stands still while the machine sleeps.
 */
export function microsecondClock(originMs = performance.timeOrigin): (dateMs: number, monotonicMs: number) => number {
  let aheadMs = originMs;
  return (dateMs, monotonicMs) => {
    const at = Math.min(Math.max(aheadMs + monotonicMs, dateMs), dateMs + 0.999);
    // Clamping to the date's millisecond corrects the clock for later moments.
    aheadMs = at - monotonicMs;
    return Math.round(at * 1_000);
  };
}

/** Formats like `2026-01-02T03:04:05.678901Z`. */
export function formatIso(us: number): string {
  const ms = Math.floor(us / 1_000);
  return `${new Date(ms).toISOString().slice(0, -1)}${String(us - ms * 1_000).padStart(3, '0')}Z`;
}
