import { ApiError, type ModelPrice, type ModelPrices, type Span, type Trace, type TraceDetail, traces } from '@paddock/contract';
import { type Handlers, serve } from '../../http/serve.ts';
import { defaultPrices, defaultsFrom } from './default-prices.ts';
import { buildUsageReport, resolveRange } from './model-usage.ts';
import type { ModelUsageStore } from './model-usage-store.ts';
import type { PriceStore } from './price-store.ts';
import type { PriceOf } from './prices.ts';
import type { ModelUsage, SpanRow, TraceRow, TraceStore } from './store.ts';

interface RouteParts {
  store: TraceStore;
  prices: PriceStore;
  usage: ModelUsageStore;
}

const traceHandlers = ({ store, prices, usage }: RouteParts): Handlers<typeof traces> => {
  const shownPrices = async (team_id: string): Promise<ModelPrices> => {
    const own = await prices.own(team_id);
    const named = new Set(own.map(({ model }) => model.toLowerCase()));
    return {
      model_prices: [
        ...own.map((price) => ({ ...price, is_default: false })),
        ...defaultPrices.filter(({ model }) => !named.has(model)).map((price) => ({ ...price, is_default: true })),
      ],
      defaults_from: defaultsFrom,
    };
  };

  return {
    async list(input, { actor }) {
      const [priceOf, { rows, next_cursor, usage, models, lost }] = await Promise.all([
        prices.priceOf(actor.team_id),
        store.list(actor.team_id, input),
      ]);
      return { traces: rows.map((row) => priced(row, usage, priceOf)), next_cursor, models, lost };
    },

    async get({ id, trace_id }, { actor }): Promise<TraceDetail> {
      const [priceOf, { trace, spans, usage }] = await Promise.all([prices.priceOf(actor.team_id), store.get(actor.team_id, id, trace_id)]);
      const beganMs = Date.parse(trace.created_at);
      return { ...priced(trace, usage, priceOf), spans: spans.map((span) => shownSpan(span, { beganMs, priceOf })) };
    },

    async usage(input, { actor: { team_id } }) {
      const { project_id, environment } = input;
      const range = resolveRange(input, new Date());
      if (project_id !== undefined) await usage.checkProject(team_id, project_id);
      const [priceOf, rows] = await Promise.all([
        prices.priceOf(team_id),
        usage.days(team_id, { from: range.date_from, to: range.date_to, project_id, environment }),
      ]);
      return buildUsageReport(range, rows, priceOf);
    },

    prices: (_, { actor }) => shownPrices(actor.team_id),

    async setPrices({ model_prices }, { actor }) {
      refuseTwice(model_prices);
      await prices.replace(actor.team_id, model_prices);
      return shownPrices(actor.team_id);
    },
  };
};

export const traceRoutes = (parts: RouteParts) => serve(traces, traceHandlers(parts));

function priced(row: TraceRow, usage: readonly ModelUsage[], priceOf: PriceOf): Trace {
  const { created_at: _created_at, id: _id, ...trace } = row;
  const calls = usage.filter(({ trace_id }) => trace_id === trace.trace_id).map((of) => ({ model: of.model, cost: priceOf(of.model, of) }));
  const known = calls.flatMap(({ cost }) => (cost === null ? [] : [cost]));
  return {
    ...trace,
    cost_usd: known.length === 0 ? null : known.reduce((sum, cost) => sum + cost, 0),
    unpriced_models: calls.filter(({ cost }) => cost === null).map(({ model }) => model),
  };
}

function shownSpan({ events, ...span }: SpanRow, { beganMs, priceOf }: { beganMs: number; priceOf: PriceOf }): Span {
  const { model, input_tokens, cached_tokens, cache_write_tokens, output_tokens } = span;
  const hasTokens = input_tokens !== null || output_tokens !== null;
  const usage = {
    input_tokens: input_tokens ?? 0,
    cached_tokens: cached_tokens ?? 0,
    cache_write_tokens: cache_write_tokens ?? 0,
    output_tokens: output_tokens ?? 0,
  };
  return {
    ...span,
    cost_usd: span.is_counted && model !== null && hasTokens ? priceOf(model, usage) : null,
    events: events.map(({ name, at_us, attributes }) => ({ name, at_ms: at_us / 1000 - beganMs, attributes })),
  };
}

function refuseTwice(prices: readonly ModelPrice[]): void {
  const seen = new Set<string>();
  for (const [index, { model }] of prices.entries()) {
    const name = model.toLowerCase();
    if (seen.has(name))
      throw new ApiError('input_invalid', { errors: [{ path: `model_prices.${index}.model`, message: `${model} is there twice` }] });
    seen.add(name);
  }
}
