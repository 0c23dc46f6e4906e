import type { Sql } from '@paddock/database';
import type { Logger } from 'pino';
import { within } from '../database.ts';
import type { Limits } from '../limits.ts';
import { type Histogram, observe, toSparse } from './histogram.ts';

/** One finished exchange of a deployment. */
export interface Observation {
  deploymentId: string;
  status: number;
  /** To the end of the agent's answer; for event streams and WebSockets, which end when they like, to its beginning. */
  latencyUs: number;
  isUpstreamError: boolean;
}

export interface Traffic {
  observe(observation: Observation): void;
  /** Bytes of bodies and WebSockets. Long streams are counted while they last, in the minute in which they pass. */
  addBytes(deploymentId: string, bytesIn: number, bytesOut: number): void;
  /** Writes what has changed. Never throws: what could not be written is written next time. */
  flush(): Promise<void>;
  start(): void;
  stop(): Promise<void>;
}

interface Row {
  deploymentId: string;
  minute: number;
  requests: number;
  statuses: [number, number, number, number, number];
  upstreamErrors: number;
  bytesIn: number;
  bytesOut: number;
  latencyUsSum: number;
  latency: Histogram;
  isDirty: boolean;
}

/**
 * Counts per deployment and minute. Rows are written as absolute figures under this process's own id, so that a write
 * that may or may not have reached the database can simply be repeated. `collect` is called before each write: whoever has figures at hand adds them then.
 */
export function trafficRecorder(parts: {
  sql: Sql;
  limits: Limits;
  log: Logger;
  gatewayId: string;
  collect: () => void;
  now?: () => number;
}): Traffic {
  const { sql, limits, log, gatewayId, now = Date.now } = parts;
  const rows = new Map<string, Row>();
  let timer: NodeJS.Timeout | undefined;
  let flushing: Promise<void> | undefined;
  let isFailing = false;

  return { observe: observeOne, addBytes, flush, start, stop };

  function observeOne(one: Observation): void {
    const row = rowFor(one.deploymentId);
    row.requests += 1;
    row.statuses[Math.min(5, Math.max(1, Math.floor(one.status / 100))) - 1]! += 1;
    if (one.isUpstreamError) row.upstreamErrors += 1;
    row.latencyUsSum += Math.round(one.latencyUs);
    observe(row.latency, one.latencyUs);
    row.isDirty = true;
  }

  function addBytes(deploymentId: string, bytesIn: number, bytesOut: number): void {
    if (bytesIn === 0 && bytesOut === 0) return;
    const row = rowFor(deploymentId);
    row.bytesIn += bytesIn;
    row.bytesOut += bytesOut;
    row.isDirty = true;
  }

  function rowFor(deploymentId: string): Row {
    const minute = Math.floor(now() / 60_000);
    const key = `${minute} ${deploymentId}`;
    let row = rows.get(key);
    if (!row) {
      row = {
        deploymentId,
        minute,
        requests: 0,
        statuses: [0, 0, 0, 0, 0],
        upstreamErrors: 0,
        bytesIn: 0,
        bytesOut: 0,
        latencyUsSum: 0,
        latency: new Map(),
        isDirty: true,
      };
      rows.set(key, row);
      if (rows.size > limits.trafficRows) giveUpOldest();
    }
    return row;
  }

  function giveUpOldest(): void {
    // Rows were added in the order of time.
    const [key] = rows.keys();
    rows.delete(key!);
    log.error({ row: key }, 'traffic figures given up: the database has been away for too long');
  }

  function start(): void {
    timer = setTimeout(() => void flush().finally(() => timer && start()), limits.trafficFlushMs);
  }

  async function stop(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    await flushing;
    await flush();
  }

  function flush(): Promise<void> {
    flushing ??= flushAll().finally(() => {
      flushing = undefined;
    });
    return flushing;
  }

  async function flushAll(): Promise<void> {
    parts.collect();
    const dirty = [...rows.values()].filter((row) => row.isDirty);
    try {
      for (let i = 0; i < dirty.length; i += limits.trafficRowsPerStatement)
        await write(dirty.slice(i, i + limits.trafficRowsPerStatement));
      if (isFailing) log.info('traffic figures are written again');
      isFailing = false;
    } catch (err) {
      if (!isFailing) log.warn({ err }, 'traffic figures cannot be written; they are kept');
      isFailing = true;
    }
    forgetPast();
  }

  async function write(batch: Row[]): Promise<void> {
    const json = batch.map((row) => {
      row.isDirty = false;
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
    });
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
      for (const row of batch) row.isDirty = true;
      throw error;
    }
  }

  function forgetPast(): void {
    const current = Math.floor(now() / 60_000);
    for (const [key, row] of rows) {
      if (row.minute >= current) continue;
      if (row.isDirty && current - row.minute <= limits.trafficMinutes) continue;
      if (row.isDirty) log.error({ row: key }, 'traffic figures given up: the database has been away for too long');
      rows.delete(key);
    }
  }
}
