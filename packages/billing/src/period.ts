/** Milliseconds since 1970 in UTC. Always passed in; this package never reads a clock. */
export type Instant = number;
/** From `start` (inclusive) until `end` (exclusive). */
export interface Period {
  start: Instant;
  end: Instant;
}

const secondMs = 1000;
/** JavaScript dates end beyond this: about 8,000 years of months. */
const maxPeriods = 100_000;

/**
 * The period number `n` (0 is the first) of a subscription that began at `anchor`. All periods begin at the anchor's day and time of day in
 * UTC, or on the last day of a month without that day. Each is computed from the anchor, so that 31 January, 28 February, 31 March do not
 * drift.
 */
export function periodAt(anchor: Instant, n: number): Period {
  if (!Number.isSafeInteger(n) || n < 0 || n > maxPeriods) throw new RangeError(`A period is numbered 0 to ${maxPeriods}, not ${n}.`);
  return { start: monthsAfter(anchor, n), end: monthsAfter(anchor, n + 1) };
}

/** The period that contains an instant, and its number. Throws a RangeError for an instant before the anchor. */
export function findPeriod(anchor: Instant, instant: Instant): Period & { n: number } {
  if (!(instant >= anchor)) throw new RangeError('There is no period before the subscription began.');
  const months = monthNumber(instant) - monthNumber(anchor);
  // The period began in the month of the instant, or in the previous one.
  const n = instant >= monthsAfter(anchor, months) ? months : months - 1;
  return { ...periodAt(anchor, n), n };
}

/** The remaining whole seconds of a period at an instant, and its total seconds. */
export function countSeconds(period: Period, at: Instant): { left: number; whole: number } {
  if (!(at >= period.start && at <= period.end)) throw new RangeError('The instant is not in the period.');
  return { left: Math.floor((period.end - at) / secondMs), whole: Math.round((period.end - period.start) / secondMs) };
}

/** Subscriptions begin at a whole second, so that each period has whole seconds. */
export function wholeSecond(at: Instant): Instant {
  return Math.floor(at / secondMs) * secondMs;
}

function monthsAfter(anchor: Instant, months: number): Instant {
  const date = new Date(anchor);
  if (Number.isNaN(date.getTime())) throw new RangeError(`${anchor} is not an instant.`);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + months];
  const day = Math.min(date.getUTCDate(), daysIn(year, month));
  date.setUTCFullYear(year, month, day);
  return date.getTime();
}

function daysIn(year: number, month: number): number {
  // The day before the first of the next month.
  return new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
}

function monthNumber(instant: Instant): number {
  const date = new Date(instant);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}
