import { dayMs } from '@paddock/contract/time';

/** Packers without a date write 1980, and nobody wrote agents before this year. */
const earliestMs = Date.UTC(2005, 0, 1);

/** The newest plausible date, as `YYYY-MM-DD`: not in the future, and not a packer's placeholder date. */
export function newestDate(entries: { modified: number }[], nowMs: number): string | null {
  let newest = 0;
  for (const { modified } of entries) if (modified >= earliestMs && modified <= nowMs + dayMs) newest = Math.max(newest, modified);
  return newest === 0 ? null : new Date(newest).toISOString().slice(0, 10);
}
