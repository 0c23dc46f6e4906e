import * as z from 'zod';
import { Environment } from './deployments.ts';
import { modelUsageLimits, textLimits, traceLimits } from './limits.ts';
import { id, nextCursor, page, timestamp } from './lists.ts';
import { route } from './route.ts';

export const spanKinds = ['internal', 'server', 'client', 'producer', 'consumer'] as const;
/** The operation of a span: the visitor's request at the gateway, a call of a model or a tool, an agent's turn, or anything else. */
export const spanTypes = ['request', 'model', 'embedding', 'tool', 'agent', 'retrieval', 'other'] as const;
export const traceStatuses = ['ok', 'error'] as const;

export const TraceId = z
  .string()
  .regex(/^[0-9a-f]{32}$/, '32 hexadecimal digits')
  .meta({ description: 'The answer’s x-trace-id' });

const tokens = z.number().int().min(0).nullable();
const usd = z.number().min(0).nullable();

export const Trace = z.object({
  trace_id: TraceId,
  deployment_id: id('dep'),
  name: z.string(),
  started_at: timestamp,
  duration_ms: z.number().min(0),
  status: z.enum(traceStatuses).meta({ description: 'error: at least one of its spans failed' }),
  span_count: z.number().int().min(0),
  input_tokens: tokens.meta({ description: 'Of all model calls, cached ones among them; null where no call told its tokens' }),
  output_tokens: tokens,
  cost_usd: usd.meta({ description: 'By the model prices as they are now; null without a call whose price is known' }),
  unpriced_models: z.array(z.string()).meta({ description: 'Models that were called and have no price: cost_usd is without them' }),
  models: z.array(z.string()),
});
export type Trace = z.infer<typeof Trace>;

const scalar = z.union([z.string(), z.number(), z.boolean()]);
const attributes = z.record(z.string(), z.union([scalar, z.array(scalar)]));

export const SpanEvent = z.object({ name: z.string(), at_ms: z.number().meta({ description: 'Since the trace began' }), attributes });
export const Span = z.object({
  span_id: z.string(),
  parent_span_id: z.string().nullable(),
  name: z.string(),
  kind: z.enum(spanKinds),
  type: z.enum(spanTypes),
  origin: z.enum(['gateway', 'agent']).meta({ description: 'Who measured it' }),
  started_at: timestamp,
  offset_ms: z.number().meta({ description: 'Since the trace began' }),
  duration_ms: z.number().min(0),
  status: z.enum(['unset', 'ok', 'error']),
  status_message: z.string().nullable(),
  provider: z.string().nullable(),
  model: z.string().nullable().meta({ description: 'The model that answered, else the one that was asked for' }),
  input_tokens: tokens.meta({ description: 'With cached_tokens and cache_write_tokens' }),
  cached_tokens: tokens,
  cache_write_tokens: tokens,
  output_tokens: tokens.meta({ description: 'With reasoning_tokens' }),
  reasoning_tokens: tokens,
  first_chunk_ms: z.number().nullable().meta({ description: 'From its beginning to the first part of the answer' }),
  cost_usd: usd,
  is_counted: z.boolean().meta({
    description: 'Whether its tokens are: not where a span within this one tells of the same call, nor those that an agent sums up',
  }),
  attributes,
  events: z.array(SpanEvent),
  dropped: z.number().int().min(0).meta({ description: 'Attributes and events that were too many or too large' }),
  content_dropped: z.number().int().min(0).meta({ description: 'Attributes with prompts, answers, arguments or results: none is stored' }),
});
export type Span = z.infer<typeof Span>;

export const TraceDetail = Trace.extend({
  spans: z.array(Span).meta({ description: `In the order of their beginnings, ${traceLimits.spansPerTrace} at most` }),
});
export type TraceDetail = z.infer<typeof TraceDetail>;

/** Received data that was dropped in the last 24 hours. */
export const TraceLosses = z.object({
  spans: z.number().int().min(0).meta({ description: 'More spans or bytes a minute than are taken, or spans that make no sense' }),
  requests: z.number().int().min(0).meta({ description: 'Sendings that were refused: too large, not valid' }),
  content: z.number().int().min(0).meta({ description: 'Attributes with content of messages, which is not stored' }),
  unused: z.number().int().min(0).meta({ description: 'Sendings of metrics and logs, of which nothing is kept' }),
});
export type TraceLosses = z.infer<typeof TraceLosses>;

export const ModelPrice = z.strictObject({
  model: z.string().trim().min(1).max(textLimits.modelName),
  input_usd: z.number().min(0).max(100_000).meta({ description: 'US dollars for a million tokens that were not in a cache' }),
  cached_input_usd: z.number().min(0).max(100_000).nullable().meta({ description: 'Read from a cache; null: as input_usd' }),
  cache_write_usd: z.number().min(0).max(100_000).nullable().meta({ description: 'Written to a cache; null: as input_usd' }),
  output_usd: z.number().min(0).max(100_000),
});
export type ModelPrice = z.infer<typeof ModelPrice>;

export const KnownModelPrice = z.object({ ...ModelPrice.shape, is_default: z.boolean() });
export const ModelPrices = z.object({
  model_prices: z.array(KnownModelPrice).meta({ description: 'The team’s own prices, and the defaults for all other models' }),
  defaults_from: z.iso.date().meta({ description: 'When the defaults were looked up' }),
});
export type ModelPrices = z.infer<typeof ModelPrices>;

const sum = z.number().int().min(0);
const modelSums = {
  calls: sum.meta({ description: 'Counted as in traces: not where a span within this one tells of the same call' }),
  input_tokens: sum.meta({ description: 'With cached_tokens and cache_write_tokens' }),
  cached_tokens: sum,
  cache_write_tokens: sum,
  output_tokens: sum,
  cost_usd: usd.meta({ description: 'By the model prices as they are now; null where no price is known, or no call told its tokens' }),
};

/** Model calls of an agent on a day. */
export const ModelUsage = z.object({
  day: z.iso.date().meta({ description: 'UTC' }),
  project_id: id('prj')
    .nullable()
    .meta({
      description: `Null, as is model: all but the ${modelUsageLimits.pairs} pairs of an agent and a model with the most tokens of the range`,
    }),
  project_name: z.string().nullable().meta({ description: 'Null for a deleted project' }),
  model: z.string().nullable(),
  ...modelSums,
});
export type ModelUsage = z.infer<typeof ModelUsage>;

export const ModelUsageReport = z.object({
  date_from: z.iso.date(),
  date_to: z.iso.date(),
  model_usage: z
    .array(ModelUsage)
    .max(modelUsageLimits.days * (modelUsageLimits.pairs + 1))
    .meta({ description: 'By day, the earliest first; days without calls have no rows. The rows add up to the totals' }),
  totals: z.object(modelSums),
  unpriced_models: z
    .array(z.string())
    .max(modelUsageLimits.models + 1)
    .meta({ description: 'Models with tokens and without a price: cost_usd is without them' }),
});
export type ModelUsageReport = z.infer<typeof ModelUsageReport>;

const deployment = z.strictObject({ id: id('dep') });

export const traces = {
  list: route({
    method: 'GET',
    path: '/deployments/:id/traces',
    access: 'agents:read',
    summary: 'Traces of a deployment, newest first',
    errors: ['deployment_not_found', 'cursor_invalid'],
    renamed: { since: 'date_from' },
    input: deployment.extend({
      ...page.shape,
      date_from: timestamp.optional(),
      min_duration_ms: z.coerce.number<number>().min(0).max(86_400_000).optional(),
      status: z.enum(traceStatuses).optional(),
      model: z.string().min(1).max(textLimits.modelName).optional(),
      search: z.string().max(200).optional().meta({ description: 'Part of the name, or the beginning of the trace’s id' }),
    }),
    output: z.object({
      traces: z.array(Trace),
      next_cursor: nextCursor,
      models: z.array(z.string()).meta({ description: 'Models that the deployment called in the last 7 days, to choose from' }),
      lost: TraceLosses,
    }),
  }),
  get: route({
    method: 'GET',
    path: '/deployments/:id/traces/:trace_id',
    access: 'agents:read',
    summary: 'A trace with its spans',
    errors: ['deployment_not_found', 'trace_not_found'],
    input: deployment.extend({ trace_id: TraceId }),
    output: TraceDetail,
  }),
  usage: route({
    method: 'GET',
    path: '/metrics/model-usage',
    access: 'agents:read',
    summary: 'Tokens and cost of model calls, by day, agent and model',
    note: `Days are in UTC and included. Sums are kept for ${modelUsageLimits.keptDays} days, also those of deleted projects.`,
    errors: ['project_not_found'],
    input: z.strictObject({
      date_from: z.iso.date().optional().meta({ description: 'Without it, the 30 days up to date_to' }),
      date_to: z.iso
        .date()
        .optional()
        .meta({ description: `Without it, today. At most ${modelUsageLimits.days} days from date_from` }),
      project_id: id('prj').optional(),
      environment: Environment.optional(),
    }),
    output: ModelUsageReport,
  }),
  prices: route({
    method: 'GET',
    path: '/metrics/model-prices',
    access: 'agents:read',
    summary: 'What tokens of each model cost',
    input: z.strictObject({}),
    output: ModelPrices,
  }),
  setPrices: route({
    method: 'PUT',
    path: '/metrics/model-prices',
    access: 'agents:write',
    summary: 'Replace the team’s own prices; models that are left out have the default again, if there is one',
    audit: 'model-prices.update',
    input: z.strictObject({ model_prices: z.array(ModelPrice).max(500) }),
    output: ModelPrices,
  }),
};
