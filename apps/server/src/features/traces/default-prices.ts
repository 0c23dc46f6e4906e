import type { ModelPrice } from '@paddock/contract';

/**
 * The providers' list prices for the standard tier and prompts of ordinary length, in US dollars for a million tokens: input, input read from a
 * cache, input written to a cache (for five minutes), output. OpenAI's and Google's are those of June 2026, Anthropic's those of October 2026.
 * Prices change: a team's own entry takes precedence over the default, and the date is displayed. A model without a confirmed price is not listed:
 * 'no price' is better than a wrong one.
 */
export const defaultsFrom = '2026-06-30';

const table: [model: string, input: number, cached: number | null, written: number | null, output: number][] = [
  ['gpt-5.5', 5, 0.5, null, 30],
  ['gpt-5.4', 2.5, 0.25, null, 15],
  ['gpt-5.4-mini', 0.75, 0.075, null, 4.5],
  ['gpt-5.4-nano', 0.2, 0.02, null, 1.25],
  ['gpt-5.1', 1.25, 0.125, null, 10],
  ['gpt-5', 1.25, 0.125, null, 10],
  ['gpt-5-mini', 0.25, 0.025, null, 2],
  ['gpt-5-nano', 0.05, 0.005, null, 0.4],
  ['gpt-4.1', 2, 0.5, null, 8],
  ['gpt-4.1-mini', 0.4, 0.1, null, 1.6],
  ['gpt-4.1-nano', 0.1, 0.025, null, 0.4],
  ['gpt-4o', 2.5, 1.25, null, 10],
  ['gpt-4o-mini', 0.15, 0.075, null, 0.6],
  ['o3', 2, 0.5, null, 8],
  ['o4-mini', 1.1, 0.275, null, 4.4],
  ['text-embedding-3-small', 0.02, null, null, 0],
  ['text-embedding-3-large', 0.13, null, null, 0],
  ['claude-opus-5-5', 4, 0.2, 5, 20],
  ['claude-opus-5', 5, 0.5, 6.25, 25],
  ['claude-opus-4-7', 5, 0.5, 6.25, 25],
  ['claude-opus-4-6', 5, 0.5, 6.25, 25],
  ['claude-opus-4-5', 5, 0.5, 6.25, 25],
  ['claude-opus-4-1', 15, 1.5, 18.75, 75],
  ['claude-sonnet-5-5', 2, 0.1, 2.5, 10],
  ['claude-sonnet-5', 2, 0.2, 2.5, 10],
  ['claude-sonnet-4-6', 3, 0.3, 3.75, 15],
  ['claude-sonnet-4-5', 3, 0.3, 3.75, 15],
  ['claude-haiku-5-5', 0.1, 0.01, 0.125, 0.5],
  ['claude-haiku-4-5', 1, 0.1, 1.25, 5],
  ['gemini-2.5-pro', 1.25, 0.125, null, 10],
  ['gemini-2.5-flash', 0.3, 0.03, null, 2.5],
  ['gemini-2.5-flash-lite', 0.1, 0.01, null, 0.4],
  ['gemini-2.0-flash', 0.1, 0.025, null, 0.4],
];

export const defaultPrices: readonly ModelPrice[] = table.map(([model, input_usd, cached_input_usd, cache_write_usd, output_usd]) => ({
  model,
  input_usd,
  cached_input_usd,
  cache_write_usd,
  output_usd,
}));
