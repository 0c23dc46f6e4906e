import type { Sql } from '@paddock/database';
import { within } from '../database.ts';
import type { Limits } from '../limits.ts';

/** Bytes of a row in addition to its JSON: the common fields of these rows, and the index entry. */
const rowBytes = 100;

/** Writes spans. Each has an id, so a write that may or may not have reached the database can be repeated. */
export function spanStore({ sql, limits }: { sql: Sql; limits: Limits }) {
  return { write };

  /** Writes rows of JSON in one statement. A trigger sums them up by trace. */
  async function write(rows: readonly string[]): Promise<void> {
    await within(
      limits.databaseMs,
      sql`
        insert into spans (
          deployment_id, trace_id, origin, span_id, parent_span_id, name, kind, type, started_at, duration_us, status,
          first_chunk_us, is_counted, attributes, events, dropped, content_dropped, bytes)
        select
          deployment_id, trace_id, 'gateway', span_id, parent_span_id, name, 'server', 'request', started_at, duration_us, status,
          first_chunk_us, true, attributes, '[]', 0, 0, length(given::text) + ${rowBytes}::int
        from jsonb_array_elements(${`[${rows.join(',')}]`}::text::jsonb) as given,
          jsonb_to_record(given) as span (
            deployment_id text, trace_id text, span_id text, parent_span_id text, name text, started_at timestamptz,
            duration_us bigint, status text, first_chunk_us bigint, attributes jsonb)
        order by deployment_id, trace_id
        on conflict do nothing`,
    );
  }
}
