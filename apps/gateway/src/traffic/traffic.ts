import type { Sql } from '@paddock/database';
import type { Logger } from 'pino';
import type { Limits } from '../limits.ts';
import { repeated } from '../repeated.ts';
import { observe } from './histogram.ts';
import { minuteRows } from './minute-rows.ts';
import { trafficStore } from './traffic-store.ts';

/** A finished exchange of a deployment. */
export interface Observation {
  deploymentId: string;
  status: number;
  /** Until the end of the agent's response; for event streams and WebSockets, which have no set end, until its beginning. */
  latencyUs: number;
  isUpstreamError: boolean;
}

export interface Traffic {
  observe(observation: Observation): void;
  /** Adds bytes of bodies and WebSockets. Those of long streams count in the minute in which they pass. */
  addBytes(deploymentId: string, bytesIn: number, bytesOut: number): void;
  /** Writes changed rows. Never throws: rows that could not be written are retried next time. */
  flush(): Promise<void>;
  start(): void;
  stop(): Promise<void>;
}

/** Counts per deployment and minute. `collect` is called before each write, to add figures that are not counted yet. */
export function trafficRecorder(parts: {
  sql: Sql;
  limits: Limits;
  log: Logger;
  gatewayId: string;
  collect: () => void;
  now?: () => number;
}): Traffic {
  const { limits, log, now = Date.now } = parts;
  const rows = minuteRows({ limits, log, now });
  const store = trafficStore(parts);
  const flushing = repeated(limits.trafficFlushMs, flush);
  let isFailing = false;

  return { observe: observeOne, addBytes, flush: flushing.now, start: flushing.start, stop: flushing.stop };

  function observeOne(one: Observation): void {
    const row = rows.findOrAddRow(one.deploymentId);
    row.requests += 1;
    row.statuses[Math.min(5, Math.max(1, Math.floor(one.status / 100))) - 1]! += 1;
    if (one.isUpstreamError) row.upstreamErrors += 1;
    row.latencyUsSum += Math.round(one.latencyUs);
    observe(row.latency, one.latencyUs);
    row.isDirty = true;
  }

  function addBytes(deploymentId: string, bytesIn: number, bytesOut: number): void {
    if (bytesIn === 0 && bytesOut === 0) return;
    const row = rows.findOrAddRow(deploymentId);
    row.bytesIn += bytesIn;
    row.bytesOut += bytesOut;
    row.isDirty = true;
  }

  async function flush(): Promise<void> {
    parts.collect();
    try {
      await store.write(rows.dirty());
      if (isFailing) log.info('writing traffic figures recovered');
      isFailing = false;
    } catch (err) {
      if (!isFailing) log.warn({ err }, 'writing traffic figures failed; buffering and retrying');
      isFailing = true;
    }
    rows.forgetPast();
  }
}
