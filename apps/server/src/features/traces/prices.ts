import type { ModelPrice } from '@paddock/contract';
import { defaultPrices } from './default-prices.ts';

export interface Usage {
  input_tokens: number;
  cached_tokens: number;
  cache_write_tokens: number;
  output_tokens: number;
}
/** Cost of a model's tokens in US dollars; null if no price is known. */
export type PriceOf = (model: string, usage: Usage) => number | null;

/** A team's own prices take precedence over the defaults. */
export function createPriceLookup(own: readonly ModelPrice[]): PriceOf {
  const all = [...defaultPrices, ...own];
  const exact = new Map(all.map((price) => [price.model.toLowerCase(), price]));
  const prices = new Map(all.map((price) => [plainName(price.model), price]));
  return (model, usage) => {
    const price = exact.get(model.toLowerCase()) ?? find(prices, plainName(model));
    return price === undefined ? null : cost(price, usage);
  };
}

/** Prefixes of a model's name: the server (`openai/`, `models/`, `openai:`), and its region and maker (`us-gov.anthropic.`). */
const server = /^(?:openai|anthropic|google|google-gla|google-vertex|gemini|vertex_ai|azure|azure_ai|bedrock|mistral|groq|openrouter):/;
const maker = /^(?:[a-z]{2,6}(?:-[a-z]{2,10})?\.)?(?:anthropic|mistral|deepseek|amazon|meta|cohere)\./;
/** Suffixes: the date of a version, a word for the newest, a version number, or the maximum prompt length. */
const version =
  /(?:-\d{4}-\d{2}-\d{2}|-\d{8}|-\d{4}|-00\d|-latest|-preview(?:-\d{2}-(?:\d{4}|\d{2}))?|-v\d{1,2}(?::\d{1,2})?|@\d{8}|@default|\[1m\])$/;
/** Claude's family and version in the other order: `claude-4-5-sonnet`. */
const turned = /^claude-(\d{1,2}(?:-\d{1,2})?)-(opus|sonnet|haiku)\b/;

/** The name without its prefixes, with one separator between the parts of its version. */
function plainName(model: string): string {
  const name = model.toLowerCase();
  return name
    .slice(name.lastIndexOf('/') + 1)
    .replace(server, '')
    .replace(maker, '')
    .replaceAll('.', '-')
    .replace(turned, 'claude-$2-$1');
}

/** The price of the longest known name, after removing suffixes. */
function find(prices: Map<string, ModelPrice>, model: string): ModelPrice | undefined {
  for (let name = model; ; ) {
    const price = prices.get(name);
    const shorter = name.replace(version, '');
    if (price !== undefined || shorter === name) return price;
    name = shorter;
  }
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
