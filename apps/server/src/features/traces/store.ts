import { ApiError, type Received, type Span, type Trace, type TraceLosses, traces } from '@paddock/contract';
import { traceLimits } from '@paddock/contract/limits';
import type { Sql } from '../../db/connect.ts';
import { type Position, paginate, readCursor } from '../../http/cursor.ts';
import type { Usage } from './prices.ts';

export type TraceStore = ReturnType<typeof traceStore>;

export interface TraceRow extends Position, Omit<Trace, 'cost_usd' | 'unpriced_models'> {}
/** Token usage of a trace's model calls, by model. */
export interface ModelUsage extends Usage {
  trace_id: string;
  model: string;
}
export interface SpanRow extends Omit<Span, 'cost_usd' | 'events'> {
  events: { name: string; at_us: number; attributes: Span['attributes'] }[];
}
interface LineageSpan {
  type: string;
  name: string;
  model: string | null;
  started_at: string;
  duration_ms: number;
}
type TracesInput = Received<typeof traces.list>;

const columns = (sql: Sql) => sql`
    deployment_id, trace_id, name, started_at, extract(epoch from ended_at - started_at)::float8 * 1000 as duration_ms,
    case when errors > 0 then 'error' else 'ok' end as status, span_count, input_tokens, output_tokens, models,
    to_char(started_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as created_at, 'trc_' || trace_id as id`;

async function mustExist(sql: Sql, team_id: string, deployment_id: string): Promise<void> {
  const [deployment] = await sql`
      select 1
      from deployments d
      join projects p on p.id = d.project_id
      where d.team_id = ${team_id}
        and d.id = ${deployment_id}
        and p.deleting_at is null`;
  if (!deployment) throw new ApiError('deployment_not_found');
}

const sumUsage = (sql: Sql, deployment_id: string, trace_ids: readonly string[]) => sql<ModelUsage[]>`
    select trace_id, model, coalesce(sum(input_tokens), 0)::bigint as input_tokens, coalesce(sum(cached_tokens), 0)::bigint as cached_tokens,
      coalesce(sum(cache_write_tokens), 0)::bigint as cache_write_tokens, coalesce(sum(output_tokens), 0)::bigint as output_tokens
    from spans
    where deployment_id = ${deployment_id}
      and trace_id = any(${trace_ids as string[]})
      and is_counted
      and model is not null
      and coalesce(input_tokens, output_tokens) is not null
    group by trace_id, model`;

/** The recently called models, and the losses. */
const recentModels = (sql: Sql, deployment_id: string) =>
  Promise.all([
    sql<{ model: string }[]>`
          select distinct model
          from model_usage_hours
          where deployment_id = ${deployment_id}
            and hour > now() - interval '7 days'
          order by model
          limit 100`,
    sql<[TraceLosses]>`
          select coalesce(sum(spans), 0)::bigint as spans, coalesce(sum(requests), 0)::bigint as requests,
            coalesce(sum(content), 0)::bigint as content, coalesce(sum(unused), 0)::bigint as unused
          from trace_losses
          where deployment_id = ${deployment_id}
            and hour > now() - interval '24 hours'`,
  ]);

/** All SQL that reads traces. */
export const traceStore = (sql: Sql) => ({
  async list(team_id: string, { id, limit, cursor, date_from, min_duration_ms, status, model, search }: TracesInput) {
    await mustExist(sql, team_id, id);
    const at = readCursor(cursor);
    const rows = await sql<TraceRow[]>`
        select ${columns(sql)}
        from traces
        where deployment_id = ${id}
          ${date_from === undefined ? sql`` : sql`and started_at >= ${date_from}`}
          ${min_duration_ms === undefined ? sql`` : sql`and ended_at - started_at >= ${`${min_duration_ms} milliseconds`}::interval`}
          ${status === undefined ? sql`` : sql`and (errors > 0) = ${status === 'error'}`}
          ${model === undefined ? sql`` : sql`and models @> array[${model}]`}
          ${search ? sql`and (strpos(lower(name), ${search.toLowerCase()}) > 0 or starts_with(trace_id, ${search.toLowerCase()}))` : sql``}
          ${at ? sql`and (started_at, trace_id) < (${at.created_at}::timestamptz, ${at.id.replace(/^trc_/, '')})` : sql``}
        order by started_at desc, trace_id desc
        limit ${limit + 1}`;
    const page = paginate(rows, limit);
    const trace_ids = page.rows.map(({ trace_id }) => trace_id);
    const [usage, [models, [lost]]] = await Promise.all([sumUsage(sql, id, trace_ids), recentModels(sql, id)]);
    return { ...page, usage, models: models.map((row) => row.model), lost };
  },

  /** Model and tool calls and turns of agents in a trace of the team, for its lineage; undefined if it was not recorded. */
  async lineage(team_id: string, trace_id: string) {
    const [trace] = await sql<{ deployment_id: string }[]>`
        select t.deployment_id
        from deployments d
        join traces t on t.deployment_id = d.id and t.trace_id = ${trace_id}
        where d.team_id = ${team_id}
        limit 1`;
    if (!trace) return undefined;
    const spans = await sql<LineageSpan[]>`
        select type, name, model, started_at, duration_us::float8 / 1000 as duration_ms
        from spans
        where deployment_id = ${trace.deployment_id}
          and trace_id = ${trace_id}
          and origin = 'agent'
          and type in ('agent', 'model', 'embedding', 'tool', 'retrieval')
        order by started_at
        limit ${traceLimits.spansPerTrace}`;
    return { ...trace, spans };
  },

  async get(team_id: string, deployment_id: string, trace_id: string) {
    await mustExist(sql, team_id, deployment_id);
    const [trace] = await sql<TraceRow[]>`
        select ${columns(sql)}
        from traces
        where deployment_id = ${deployment_id}
          and trace_id = ${trace_id}`;
    if (!trace) throw new ApiError('trace_not_found');
    const [spans, usage] = await Promise.all([
      sql<SpanRow[]>`
          select s.span_id, s.parent_span_id, s.name, s.kind, s.type, s.origin, s.started_at,
            extract(epoch from s.started_at - t.started_at)::float8 * 1000 as offset_ms, s.duration_us::float8 / 1000 as duration_ms,
            s.status, s.status_message, s.provider, s.model, s.input_tokens, s.cached_tokens, s.cache_write_tokens, s.output_tokens,
            s.reasoning_tokens, s.first_chunk_us::float8 / 1000 as first_chunk_ms, s.is_counted,
            case when is_shown then s.attributes else '{}' end as attributes,
            case when is_shown then s.events else '[]' end as events,
            case when is_shown then s.dropped else s.dropped + 1 end as dropped,
            s.content_dropped
          from (
            select *, sum(bytes) over (order by started_at, origin desc, span_id) <= ${traceLimits.shownBytes} as is_shown
            from spans
            where deployment_id = ${deployment_id}
              and trace_id = ${trace_id}
          ) s
          join traces t on t.deployment_id = s.deployment_id and t.trace_id = s.trace_id
          order by s.started_at, s.origin desc, s.span_id
          limit ${traceLimits.spansPerTrace}`,
      sumUsage(sql, deployment_id, [trace_id]),
    ]);
    return { trace, spans, usage };
  },
});
