import type { TraceLosses } from '@paddock/contract';
import { traceLimits } from '@paddock/contract/limits';
import type { Sql } from '../../../db/connect.ts';
import { countPii, type PiiCount } from '../../../protection/pii-hours-store.ts';
import { isCall, keyOf, type NewSpan, skipNestedCalls } from './span-rows.ts';

export type SpanStore = ReturnType<typeof spanStore>;
export type Lost = TraceLosses & { deployment_id: string };

/** Rows per statement. */
const together = 500;

/** All SQL that writes data from agents. */
export const spanStore = (sql: Sql) => ({
  /** Undefined if the deployment is gone. */
  async findTeam(deployment_id: string): Promise<string | undefined> {
    const [row] = await sql<{ team_id: string }[]>`
      select team_id
      from deployments
      where id = ${deployment_id}`;
    return row?.team_id;
  },

  /** Returns how many spans exceeded the limit of their trace. A span that is stored already stays unchanged. */
  async add(deployment_id: string, rows: NewSpan[]): Promise<number> {
    const room = await this.readRemainingSpans(deployment_id, rows);
    const fitting = rows.filter(({ trace_id }) => {
      const left = room.get(trace_id) ?? traceLimits.spansPerTrace;
      room.set(trace_id, left - 1);
      return left > 0;
    });
    skipNestedCalls(fitting, await this.toldWithin(deployment_id, fitting));
    for (let at = 0; at < fitting.length; at += together) {
      await sql`
        insert into spans (
          deployment_id, trace_id, origin, span_id, parent_span_id, name, kind, type, started_at, duration_us, status, status_message, provider,
          model, input_tokens, cached_tokens, cache_write_tokens, output_tokens, reasoning_tokens, first_chunk_us, is_counted, attributes,
          events, dropped, content_dropped, bytes)
        select
          ${deployment_id}, trace_id, 'agent', span_id, parent_span_id, name, kind, type, started_at, duration_us, status, status_message, provider,
          model, input_tokens, cached_tokens, cache_write_tokens, output_tokens, reasoning_tokens, first_chunk_us, is_counted, attributes,
          events, dropped, content_dropped, bytes
        from jsonb_to_recordset(${sql.json(fitting.slice(at, at + together) as never)}) as given (
          trace_id text, span_id text, parent_span_id text, name text, kind text, type text, started_at timestamptz, duration_us bigint,
          status text, status_message text, provider text, model text, input_tokens bigint, cached_tokens bigint, cache_write_tokens bigint,
          output_tokens bigint, reasoning_tokens bigint, first_chunk_us bigint, is_counted boolean, attributes jsonb, events jsonb, dropped int,
          content_dropped int, bytes int)
        order by trace_id, span_id
        on conflict do nothing`;
    }
    return rows.length - fitting.length;
  },

  async readRemainingSpans(deployment_id: string, rows: readonly NewSpan[]): Promise<Map<string, number>> {
    const trace_ids = [...new Set(rows.map(({ trace_id }) => trace_id))];
    const known = await sql<{ trace_id: string; span_count: number }[]>`
      select trace_id, span_count
      from traces
      where deployment_id = ${deployment_id}
        and trace_id = any(${trace_ids})`;
    return new Map(known.map(({ trace_id, span_count }) => [trace_id, traceLimits.spansPerTrace - span_count]));
  },

  /** The calls that contain a stored span with token counts. */
  async toldWithin(deployment_id: string, rows: readonly NewSpan[]): Promise<Set<string>> {
    const calls = rows.filter(isCall);
    if (calls.length === 0) return new Set();
    const found = await sql<{ trace_id: string; parent_span_id: string }[]>`
      select distinct s.trace_id, s.parent_span_id
      from spans s
      where s.deployment_id = ${deployment_id}
        and s.trace_id = any(${[...new Set(calls.map(({ trace_id }) => trace_id))]})
        and s.parent_span_id = any(${calls.map(({ span_id }) => span_id)})
        and s.type in ('model', 'embedding')
        and coalesce(s.input_tokens, s.output_tokens) is not null`;
    return new Set(found.map(({ trace_id, parent_span_id }) => keyOf(trace_id, parent_span_id)));
  },

  addFound: (counts: readonly PiiCount[]) => sql.begin((tx) => countPii(tx, counts)),

  async addLosses(lost: readonly Lost[]): Promise<void> {
    await sql`
      insert into trace_losses as l (deployment_id, hour, spans, requests, content, unused)
      select deployment_id, date_trunc('hour', now(), 'UTC'), spans, requests, content, unused
      from jsonb_to_recordset(${sql.json(lost)}) as given (deployment_id text, spans bigint, requests bigint, content bigint, unused bigint)
      order by deployment_id
      on conflict (deployment_id, hour) do update
      set spans = l.spans + excluded.spans, requests = l.requests + excluded.requests, content = l.content + excluded.content,
        unused = l.unused + excluded.unused`;
  },
});
