import { hoursOf } from '@paddock/billing';

/** A day of the UTC calendar as `2026-11-30`. */
export const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

/** The first day of the UTC month of a day, moved by whole months. */
export function monthOf(day: string, months = 0): string {
  const [year = 0, month = 1] = day.split('-').map(Number);
  return dayOf(new Date(Date.UTC(year, month - 1 + months, 1)));
}

const hourMs = 3_600_000;
const startMs = (day: string) => Date.parse(`${day}T00:00:00Z`);

/** The first and the last day of a month. */
export const daysOf = (month: string) => ({ from: monthOf(month), to: dayOf(new Date(startMs(monthOf(month, 1)) - hourMs)) });

/** From 672 in February to 744, of the month of a day. */
export const lengthOf = (day: string): number => hoursOf(day.slice(0, 7));

/** Hours of the month that are over at this moment, from 0 to all of them. */
export const hoursSince = (month: string, at: Date): number =>
  Math.min(lengthOf(month), Math.max(0, (at.getTime() - startMs(monthOf(month))) / hourMs));

/** What was seen is kept for so many months before the last one that was closed. */
export const keptMonths = 2;

/** The same days, so many at a time. */
export function chunksOf({ from, to }: { from: string; to: string }, days: number): { from: string; to: string }[] {
  const chunks = [];
  for (let first = startMs(from); first <= startMs(to); first += days * 24 * hourMs)
    chunks.push({ from: dayOf(new Date(first)), to: dayOf(new Date(Math.min(startMs(to), first + (days - 1) * 24 * hourMs))) });
  return chunks;
}
