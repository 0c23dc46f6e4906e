import type { Sql } from '@paddock/database';
import { within } from '../database.ts';
import type { Limits } from '../limits.ts';
import { toSparse } from './histogram.ts';
import type { MinuteRow } from './minute-rows.ts';

/**
 * Writes rows as absolute figures under the id of this process, so that a write that may or may not have reached the database can be
 * repeated.
 */
export function trafficStore({ sql, limits, gatewayId }: { sql: Sql; limits: Limits; gatewayId: string }) {
  return { write };

  /** Writes all rows, in batches. Rejects at the first statement that fails; its rows and those behind it stay dirty. */
  async function write(rows: MinuteRow[]): Promise<void> {
    for (let at = 0; at < rows.length; at += limits.trafficRowsPerStatement)
      await writeTogether(rows.slice(at, at + limits.trafficRowsPerStatement));
  }

  async function writeTogether(rows: MinuteRow[]): Promise<void> {
    const json = rows.map(asJson);
    // Requests counted during the statement make a row dirty again.
    for (const row of rows) row.isDirty = false;
    try {
      await within(
        limits.databaseMs,
        sql`
          insert into traffic_minutes (deployment_id, minute, gateway_id, requests, statuses, upstream_errors, bytes_in, bytes_out, latency_us_sum, latency)
          select deployment_id, minute, ${gatewayId}, requests, statuses, upstream_errors, bytes_in, bytes_out, latency_us_sum, latency
          from jsonb_to_recordset(${sql.json(json)}) as given (
            deployment_id text, minute timestamptz, requests bigint, statuses bigint[], upstream_errors bigint,
            bytes_in bigint, bytes_out bigint, latency_us_sum bigint, latency jsonb)
          on conflict (deployment_id, minute, gateway_id) do update set
            requests = excluded.requests, statuses = excluded.statuses, upstream_errors = excluded.upstream_errors, bytes_in = excluded.bytes_in,
            bytes_out = excluded.bytes_out, latency_us_sum = excluded.latency_us_sum, latency = excluded.latency`,
      );
    } catch (error) {
      for (const row of rows) row.isDirty = true;
      throw error;
    }
  }
}

function asJson(row: MinuteRow) {
  return {
    deployment_id: row.deploymentId,
    minute: new Date(row.minute * 60_000).toISOString(),
    requests: row.requests,
    statuses: row.statuses,
    upstream_errors: row.upstreamErrors,
    bytes_in: row.bytesIn,
    bytes_out: row.bytesOut,
    latency_us_sum: row.latencyUsSum,
    latency: toSparse(row.latency),
  };
}
