const dayMs = 86_400_000;
/** Packers that know no date write 1980, and nobody wrote agents before this year. */
const earliestMs = Date.UTC(2005, 0, 1);

/** The newest date that can be true, as `YYYY-MM-DD`: none of the future, and none that packers write for lack of another. */
export function newestDate(entries: { modified: number }[], nowMs: number): string | null {
  let newest = 0;
  for (const { modified } of entries) if (modified >= earliestMs && modified <= nowMs + dayMs) newest = Math.max(newest, modified);
  return newest === 0 ? null : new Date(newest).toISOString().slice(0, 10);
}
