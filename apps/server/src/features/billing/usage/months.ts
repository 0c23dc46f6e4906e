import { countHours } from '@paddock/billing';
import { dayMs, hourMs } from '@paddock/contract/time';

/** A day of the UTC calendar as `2026-11-30`. */
export const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

/** The first day of the UTC month of a day, moved by whole months. */
export function toMonth(day: string, months = 0): string {
  const [year = 0, month = 1] = day.split('-').map(Number);
  return dayOf(new Date(Date.UTC(year, month - 1 + months, 1)));
}

const startMs = (day: string) => Date.parse(`${day}T00:00:00Z`);

/** The first and the last day of a month. */
export const daysOf = (month: string) => ({ from: toMonth(month), to: dayOf(new Date(startMs(toMonth(month, 1)) - hourMs)) });

/** Hours of the month of a day, from 672 in February to 744. */
export const lengthOf = (day: string): number => countHours(day.slice(0, 7));

/** Elapsed hours of the month, from 0 to all of them. */
export const hoursSince = (month: string, at: Date): number =>
  Math.min(lengthOf(month), Math.max(0, (at.getTime() - startMs(toMonth(month))) / hourMs));

/** Sources are kept for this many months before the last closed one. */
export const keptMonths = 2;

/** The same days, in chunks. */
export function splitDays({ from, to }: { from: string; to: string }, days: number): { from: string; to: string }[] {
  const chunks = [];
  for (let first = startMs(from); first <= startMs(to); first += days * dayMs)
    chunks.push({ from: dayOf(new Date(first)), to: dayOf(new Date(Math.min(startMs(to), first + (days - 1) * dayMs))) });
  return chunks;
}
