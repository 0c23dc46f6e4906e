import type { Logger } from 'pino';
import type { Limits } from '../limits.ts';
import type { Histogram } from './histogram.ts';

/** The figures of a deployment in one minute. */
export interface MinuteRow {
  deploymentId: string;
  /** Since 1970. */
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

/** The rows of all deployments that are not written yet, or whose minute is not over. `now` returns the time in milliseconds. */
export function minuteRows({ limits, log, now }: { limits: Limits; log: Logger; now: () => number }) {
  /** Rows by minute, then by deployment; both in the order of their creation. */
  const minutes = new Map<number, Map<string, MinuteRow>>();
  let count = 0;
  /** Cache of the current minute: every request needs a row, nearly always of the same minute as the request before. */
  let latestMinute = -1;
  let latest = new Map<string, MinuteRow>();

  return { findOrAddRow, dirty, forgetPast };

  /** The row of the deployment in the present minute. */
  function findOrAddRow(deploymentId: string): MinuteRow {
    const minute = Math.floor(now() / 60_000);
    if (minute !== latestMinute) enter(minute);
    return latest.get(deploymentId) ?? add(deploymentId, minute);
  }

  function enter(minute: number): void {
    latestMinute = minute;
    latest = minutes.get(minute) ?? new Map<string, MinuteRow>();
    minutes.set(minute, latest);
  }

  function add(deploymentId: string, minute: number): MinuteRow {
    const row = emptyRow(deploymentId, minute);
    latest.set(deploymentId, row);
    count += 1;
    if (count > limits.trafficRows) giveUpOldest();
    return row;
  }

  function giveUpOldest(): void {
    for (const rows of minutes.values())
      for (const row of rows.values()) {
        tellGivenUp(row);
        remove(rows, row);
        return;
      }
  }

  function tellGivenUp({ deploymentId, minute }: MinuteRow): void {
    log.error({ row: `${minute} ${deploymentId}` }, 'traffic figures dropped: the database has been unavailable for too long');
  }

  function remove(rows: Map<string, MinuteRow>, { deploymentId }: MinuteRow): void {
    rows.delete(deploymentId);
    count -= 1;
  }

  /** The rows that have changed since they were written. */
  function dirty(): MinuteRow[] {
    return [...minutes.values()].flatMap((rows) => [...rows.values()].filter((row) => row.isDirty));
  }

  /** Removes past minutes that are written, and those that could not be written for too long. */
  function forgetPast(): void {
    const current = Math.floor(now() / 60_000);
    for (const [minute, rows] of minutes) {
      if (minute >= current) continue;
      for (const row of rows.values()) {
        if (row.isDirty && current - minute <= limits.trafficMinutes) continue;
        if (row.isDirty) tellGivenUp(row);
        remove(rows, row);
      }
      if (rows.size === 0) minutes.delete(minute);
    }
    // The clock may be set back to a minute that has just been removed.
    latestMinute = -1;
  }
}

function emptyRow(deploymentId: string, minute: number): MinuteRow {
  return {
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
}
