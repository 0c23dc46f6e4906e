import type { ModelPrice } from '@paddock/contract';
import { defaultPrices } from './default-prices.ts';

export interface Usage {
  input_tokens: number;
  cached_tokens: number;
  cache_write_tokens: number;
  output_tokens: number;
}
/** What a model's tokens cost in US dollars; null where no price is known. */
export type PriceOf = (model: string, usage: Usage) => number | null;

/** What providers put behind a model's name: the day of a version, or a word for the newest. */
const version = /(-\d{4}-\d{2}-\d{2}|-\d{8}|-\d{4}|-latest|-preview|-v\d+(:\d+)?|@\d{8})$/;
/** And before it: `openai/gpt-4o`, `us.anthropic.claude-…`, `models/gemini-…`. */
const maker = /^(?:.*\/)?(?:(?:[a-z]{2,6}\.)?(?:anthropic|mistral|deepseek)\.)?/;

/** A team's own prices count before the defaults. */
export function pricing(own: readonly ModelPrice[]): PriceOf {
  const prices = new Map([...defaultPrices, ...own].map((price) => [price.model.toLowerCase(), price]));
  return (model, usage) => {
    const price = find(prices, model.toLowerCase());
    return price === undefined ? null : cost(price, usage);
  };
}

function find(prices: Map<string, ModelPrice>, model: string): ModelPrice | undefined {
  const plain = model.replace(maker, '');
  for (let name of [model, plain]) {
    for (;;) {
      const price = prices.get(name);
      if (price) return price;
      const shorter = name.replace(version, '');
      if (shorter === name) break;
      name = shorter;
    }
  }
  return undefined;
}

/** Input that was neither read from a cache nor written to one has the full price. */
function cost(price: ModelPrice, { input_tokens, cached_tokens, cache_write_tokens, output_tokens }: Usage): number {
  const plain = Math.max(0, input_tokens - cached_tokens - cache_write_tokens);
  return (
    (plain * price.input_usd +
      cached_tokens * (price.cached_input_usd ?? price.input_usd) +
      cache_write_tokens * (price.cache_write_usd ?? price.input_usd) +
      output_tokens * price.output_usd) /
    1e6
  );
}
