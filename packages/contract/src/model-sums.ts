import type { ModelUsageReport } from './traces.ts';

type Sums = ModelUsageReport['totals'];

/** Sums of model calls together. The cost is null while no price is known, and else without the calls that have none. */
export const addModelSums = (to: Sums, more: Sums): Sums => ({
  calls: to.calls + more.calls,
  input_tokens: to.input_tokens + more.input_tokens,
  cached_tokens: to.cached_tokens + more.cached_tokens,
  cache_write_tokens: to.cache_write_tokens + more.cache_write_tokens,
  output_tokens: to.output_tokens + more.output_tokens,
  cost_usd: more.cost_usd === null ? to.cost_usd : (to.cost_usd ?? 0) + more.cost_usd,
});
