import type { ModelUsage, ModelUsageReport } from '@paddock/contract';
import { addModelSums } from '@paddock/contract/model-sums';
import { dayMs } from '@paddock/contract/time';

type Sums = ModelUsageReport['totals'];
export interface UsageGroup extends Sums {
  key: string;
  /** The first of the rows. */
  row: ModelUsage;
}

export const noCalls: Sums = { calls: 0, input_tokens: 0, cached_tokens: 0, cache_write_tokens: 0, output_tokens: 0, cost_usd: null };

/** Rows with the same key together: the most expensive first, those without a cost by their tokens. */
export function sumUsage(rows: readonly ModelUsage[], keyOf: (row: ModelUsage) => string): UsageGroup[] {
  const groups = new Map<string, UsageGroup>();
  for (const row of rows) {
    const key = keyOf(row);
    const known = groups.get(key) ?? { ...noCalls, key, row };
    groups.set(key, { ...known, ...addModelSums(known, row) });
  }
  const tokens = ({ input_tokens, output_tokens }: Sums) => input_tokens + output_tokens;
  return [...groups.values()].toSorted((a, b) => (b.cost_usd ?? 0) - (a.cost_usd ?? 0) || tokens(b) - tokens(a));
}

/** The sums of each day of a report; a day without calls has none, and so costs nothing. */
export function sumByDay({ date_from, date_to, model_usage }: ModelUsageReport): (Sums & { at: number })[] {
  const days = new Map(sumUsage(model_usage, ({ day }) => day).map((group) => [group.key, group]));
  const first = Date.parse(date_from);
  const count = Math.round((Date.parse(date_to) - first) / dayMs) + 1;
  return Array.from({ length: count }, (_, n) => {
    const at = first + n * dayMs;
    const { key: _key, row: _row, ...sums } = days.get(new Date(at).toISOString().slice(0, 10)) ?? { ...noCalls, key: '', row: null };
    return { ...sums, at };
  });
}
