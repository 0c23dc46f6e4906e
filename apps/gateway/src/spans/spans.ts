import type { Sql } from '@paddock/database';
import type { Logger } from 'pino';
import type { Limits } from '../limits.ts';
import { repeated } from '../repeated.ts';
import type { Exchange, Tap } from '../taps/tap.ts';
import { hasFailed, spanWriter } from './span-row.ts';
import { spanStore } from './span-store.ts';
import { tokenBuckets } from './token-buckets.ts';

const tellEveryMs = 60_000;

export interface Spans {
  /** The tap of all routes. */
  tap: Tap;
  /** Writes the waiting spans. Never throws: failed rows are written next time. */
  flush(): Promise<void>;
  start(): void;
  stop(): Promise<void>;
}

export interface SpanParts {
  sql: Sql;
  limits: Limits;
  log: Logger;
  /** The path of a request without personal data, and without its query. */
  pathOf: (exchange: Exchange) => string;
}

/**
 * Records a span for some of the requests: up to a rate per second of each deployment, which visitors cannot influence, and for some of the
 * failed ones beyond. Spans wait in a buffer; spans that do not fit are dropped and counted, and no visitor is affected.
 */
export function spanRecorder({ sql, limits, log, pathOf }: SpanParts): Spans {
  const sampled = tokenBuckets({ perSecond: limits.spansPerSecond, burst: limits.spansAtOnce });
  const failed = tokenBuckets({ perSecond: limits.failedSpansPerSecond, burst: limits.failedSpansAtOnce });
  const store = spanStore({ sql, limits });
  const write = spanWriter(pathOf);
  const rows: string[] = [];
  let givenUp = 0;
  let toldAt = Number.NEGATIVE_INFINITY;
  let isFailing = false;
  const flushing = repeated(limits.spansFlushMs, flush);
  const tap: Tap = {
    samples: ({ deploymentId, startedAt }) => sampled.take(deploymentId, startedAt),
    ended: (exchange) => {
      if (exchange.isSampled || (hasFailed(exchange) && failed.take(exchange.deploymentId, exchange.startedAt))) add(exchange);
    },
  };

  return { tap, flush: flushing.now, start: flushing.start, stop };

  function add(exchange: Parameters<typeof write>[0]): void {
    if (rows.length < limits.spanRows) rows.push(write(exchange));
    else givenUp += 1;
  }

  async function stop(): Promise<void> {
    await flushing.stop();
    givenUp += rows.length;
    rows.length = 0;
    tellGivenUp();
  }

  async function flush(): Promise<void> {
    const now = performance.now();
    sampled.forgetFull(now);
    failed.forgetFull(now);
    // Rows that arrive meanwhile are written next time.
    for (let left = rows.length; left > 0; left -= limits.spanRowsPerStatement)
      if (!(await writeSome(Math.min(left, limits.spanRowsPerStatement)))) break;
    if (now - toldAt < tellEveryMs) return;
    if (givenUp > 0) toldAt = now;
    tellGivenUp();
  }

  /** Returns false if the database should not be used until the next time. */
  async function writeSome(count: number): Promise<boolean> {
    const some = rows.slice(0, count);
    try {
      await store.write(some);
      if (isFailing) log.info('request spans are written again');
      isFailing = false;
    } catch (err) {
      if (!isRefused(err)) {
        if (!isFailing) log.warn({ err }, 'request spans cannot be written; buffering');
        isFailing = true;
        return false;
      }
      log.error({ err, spans: count }, 'request spans dropped: rejected by the database');
    }
    rows.splice(0, count);
    return true;
  }

  function tellGivenUp(): void {
    if (givenUp > 0) log.warn({ spans: givenUp }, 'request spans dropped: not written in time');
    givenUp = 0;
  }
}

/** Data that PostgreSQL rejects once (classes 22 and 23) is rejected each time, and would block the rows behind it forever. */
const isRefused = (err: unknown): boolean => /^2[23]/.test(String((err as { code?: unknown }).code ?? ''));
