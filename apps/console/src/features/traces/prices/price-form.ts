import type { ModelPrice } from '@paddock/contract';

const maxUsd = 100_000;
const maxModelLength = 128;

/** The typed texts of a price. */
export interface PriceTexts {
  model: string;
  input_usd: string;
  cached_input_usd: string;
  cache_write_usd: string;
  output_usd: string;
}
export type PriceField = keyof PriceTexts;

export const amounts = ['input_usd', 'cached_input_usd', 'cache_write_usd', 'output_usd'] as const;
const optional: ReadonlySet<PriceField> = new Set(['cached_input_usd', 'cache_write_usd']);

/** Decimal notation: never `1e-7`, which nobody types. */
const textOf = (usd: number | null) => usd?.toLocaleString('en', { useGrouping: false, maximumFractionDigits: 12 }) ?? '';

export const toPriceTexts = (price: ModelPrice | undefined): PriceTexts => ({
  model: price?.model ?? '',
  input_usd: textOf(price?.input_usd ?? null),
  cached_input_usd: textOf(price?.cached_input_usd ?? null),
  cache_write_usd: textOf(price?.cache_write_usd ?? null),
  output_usd: textOf(price?.output_usd ?? null),
});

type Checked = { price: ModelPrice; problems?: never } | { price?: never; problems: Partial<Record<PriceField, string>> };

/** Parses the price, or returns what is wrong with each field. */
export function checkPrice(texts: PriceTexts, taken: readonly string[]): Checked {
  const problems: Partial<Record<PriceField, string>> = {};
  const model = texts.model.trim();
  if (model === '') problems.model = 'Enter the name of the model as shown in traces';
  else if (model.length > maxModelLength) problems.model = `Enter at most ${maxModelLength} characters`;
  else if (taken.some((each) => each.toLowerCase() === model.toLowerCase()))
    problems.model = 'You already have a price for this model. Edit that one';
  const usd = {} as Record<(typeof amounts)[number], number | null>;
  for (const field of amounts) {
    const text = texts[field].trim().replace(',', '.');
    const isLeftOut = text === '';
    const value = /^\d{0,6}(\.\d{0,12})?$/.test(text) && text !== '.' ? Number(text) : Number.NaN;
    usd[field] = isLeftOut ? null : value;
    if (isLeftOut && optional.has(field)) continue;
    if (isLeftOut) problems[field] = 'Enter an amount; 0 if it costs nothing';
    else if (Number.isNaN(value)) problems[field] = 'Enter an amount in US dollars, such as 0.25';
    else if (value > maxUsd) problems[field] = `Enter at most ${maxUsd.toLocaleString('en')}`;
  }
  if (Object.keys(problems).length > 0) return { problems };
  return { price: { model, ...usd, input_usd: usd.input_usd ?? 0, output_usd: usd.output_usd ?? 0 } };
}
