import { ApiError, type ModelUsage, type ModelUsageReport, type Received, type traces } from '@paddock/contract';
import { modelUsageLimits } from '@paddock/contract/limits';
import { dayMs } from '@paddock/contract/time';
import type { ModelUsageRow } from './model-usage-store.ts';
import type { PriceOf, Usage } from './prices.ts';

type Range = Pick<ModelUsageReport, 'date_from' | 'date_to'>;
type Sums = ModelUsageReport['totals'];

const defaultDays = 30;

/** The days of a request, both included. Throws input_invalid for a range that is too long or ends before it begins. */
export function resolveRange({ date_from, date_to }: Received<typeof traces.usage>, now: Date): Range {
  const to = date_to ?? dayName(now.getTime());
  const from = date_from ?? dayName(Date.parse(to) - (defaultDays - 1) * dayMs);
  const days = (Date.parse(to) - Date.parse(from)) / dayMs + 1;
  if (days < 1) throw new ApiError('input_invalid', { errors: [{ path: 'date_from', message: `After date_to, which is ${to}` }] });
  if (days > modelUsageLimits.days)
    throw new ApiError('input_invalid', {
      errors: [{ path: 'date_from', message: `${days} days up to ${to}; at most ${modelUsageLimits.days}` }],
    });
  return { date_from: from, date_to: to };
}

const dayName = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** Adds prices and totals to sums that are ordered by day. Sums without a project are merged into one row a day. */
export function buildUsageReport(range: Range, rows: readonly ModelUsageRow[], priceOf: PriceOf): ModelUsageReport {
  const totals = noCalls();
  const unpriced = new Set<string>();
  const model_usage: ModelUsage[] = [];
  for (const { day, project_id, project_name, model, ...sums } of rows) {
    const hasTokens = sums.input_tokens + sums.output_tokens > 0;
    const cost_usd = hasTokens ? priceOf(model, sums) : null;
    if (hasTokens && cost_usd === null) unpriced.add(model);
    const priced: Sums = { ...sums, cost_usd };
    add(totals, priced);
    const last = model_usage.at(-1);
    if (project_id !== null) model_usage.push({ day, project_id, project_name, model, ...priced });
    else if (last?.day === day && last.project_id === null) add(last, priced);
    else model_usage.push({ day, project_id, project_name, model: null, ...priced });
  }
  return { ...range, model_usage, totals, unpriced_models: [...unpriced].toSorted() };
}

const noCalls = (): Sums => ({ calls: 0, input_tokens: 0, cached_tokens: 0, cache_write_tokens: 0, output_tokens: 0, cost_usd: null });

const counted = ['calls', 'input_tokens', 'cached_tokens', 'cache_write_tokens', 'output_tokens'] as const satisfies (keyof (Usage &
  Sums))[];

function add(to: Sums, more: Sums): void {
  for (const name of counted) to[name] += more[name];
  if (more.cost_usd !== null) to.cost_usd = (to.cost_usd ?? 0) + more.cost_usd;
}
