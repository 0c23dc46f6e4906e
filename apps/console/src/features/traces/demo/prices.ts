import type { ModelPrice, ModelPrices, Span } from '@paddock/contract';

export const defaultsFrom = '2026-11-01';

const price = (model: string, [input_usd, output_usd, cached_input_usd]: [number, number, number?]): ModelPrice => ({
  model,
  input_usd,
  cached_input_usd: cached_input_usd ?? null,
  cache_write_usd: null,
  output_usd,
});

const defaults: readonly ModelPrice[] = [
  { ...price('claude-haiku-4-5', [1, 5, 0.1]), cache_write_usd: 1.25 },
  { ...price('claude-sonnet-4-5', [3, 15, 0.3]), cache_write_usd: 3.75 },
  price('gemini-2.5-flash', [0.3, 2.5, 0.03]),
  price('gpt-5', [1.25, 10, 0.125]),
  price('gpt-5-mini', [0.25, 2, 0.025]),
  price('gpt-5-nano', [0.05, 0.4, 0.005]),
  price('text-embedding-3-large', [0.13, 0]),
  price('text-embedding-3-small', [0.02, 0]),
];

/** The demo team's own price for its own provider. */
export const sampleModelPrices = (): ModelPrice[] => [price('acme-embed-2', [0.01, 0])];

/** The team's own prices, and the defaults for all other models. */
export function allPrices(own: readonly ModelPrice[]): ModelPrices {
  const model_prices = [
    ...own.map((each) => ({ ...each, is_default: false })),
    ...defaults.filter(({ model }) => own.every((each) => each.model !== model)).map((each) => ({ ...each, is_default: true })),
  ];
  return { model_prices, defaults_from: defaultsFrom };
}

type Counted = Pick<Span, 'model' | 'input_tokens' | 'cached_tokens' | 'cache_write_tokens' | 'output_tokens'>;

/** Cost of a span; null if it is not a model call, or its model has no price. */
export function computeSpanCost(span: Counted, prices: ModelPrices['model_prices']): number | null {
  const found = prices.find(({ model }) => model === span.model);
  if (!found || span.input_tokens === null) return null;
  const { input_usd, cached_input_usd, cache_write_usd, output_usd } = found;
  const cached = span.cached_tokens ?? 0;
  const written = span.cache_write_tokens ?? 0;
  const fresh = span.input_tokens - cached - written;
  const usd =
    fresh * input_usd +
    cached * (cached_input_usd ?? input_usd) +
    written * (cache_write_usd ?? input_usd) +
    (span.output_tokens ?? 0) * output_usd;
  return usd / 1_000_000;
}
