import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from '@paddock/database';
import type { Logger } from 'pino';
import type { Limits } from '../limits.ts';
import { knownValues } from '../protection/known-values.ts';
import type { redactors } from '../protection/redactor.ts';
import { repeated } from '../repeated.ts';
import type { Route } from '../routes/route.ts';
import { budget } from '../taps/body-copy.ts';
import type { Exchange, Tap } from '../taps/tap.ts';
import { gapCounter } from './gaps.ts';
import { ExchangeRecord, type RouteRecording } from './records/exchange-record.ts';
import { recordLines } from './records/record-lines.ts';
import { shortageReporter } from './shortage/report-shortage.ts';
import { shortageStore } from './shortage/shortage-store.ts';
import { createShipper } from './spool/shipper.ts';
import { Spool, spoolFolder } from './spool/spool.ts';
import { spoolStore } from './spool/spool-store.ts';

export interface AuditParts {
  sql: Sql;
  limits: Limits;
  log: Logger;
  /** The folder of all spools of this installation, and this process's maximum size there. */
  spoolDir: string;
  spoolBytes: number;
  redactors: ReturnType<typeof redactors>;
}

export interface Audit {
  /** The tap of a route; called when the route is read. */
  createTap(route: Omit<Route, 'taps'>): Tap;
  /** The record of an exchange in progress; undefined if it is not recorded. */
  recordOf(exchange: Exchange): ExchangeRecord | undefined;
  /** Ships all spooled records. Never throws: records that the database did not take stay in the spool. */
  flush(): Promise<void>;
  start(): void;
  stop(): Promise<void>;
}

/** How long a gateway that shuts down tries to ship its last records; after that they stay in the spool. */
const farewellMs = 5_000;

/**
 * Records the request and the response of each exchange with an agent in this process's spool; from there the records are shipped to PostgreSQL.
 * A visitor waits only for one write to a file, which survives the end of this process.
 */
export function auditRecorder({ sql, limits, log, spoolDir, spoolBytes, redactors }: AuditParts): Audit {
  const id = `spl_${randomUUID()}`;
  const spool = new Spool({ folder: spoolFolder(spoolDir, id), maxBytes: spoolBytes, segmentBytes: limits.auditSegmentBytes, log });
  const shortages = shortageStore(sql, limits.databaseMs);
  const shortage = shortageReporter({ id, spool, store: shortages, limits, log });
  const store = { ...spoolStore(sql, limits.databaseMs), endShortage: shortages.end };
  const handing = createShipper({ id, spool, root: spoolDir, store, limits, log });
  const memory = budget(limits.auditCopiesBytes);
  const known = knownValues({ maxTraces: limits.auditTraces, maxValues: limits.auditTraceValues, keptMs: limits.auditTraceMs });
  const gaps = gapCounter();
  const shipping = repeated(limits.auditShipMs, handing.submit);
  const records = new WeakMap<Exchange, ExchangeRecord>();
  let ticking: NodeJS.Timeout | undefined;

  return { createTap, recordOf: (exchange) => records.get(exchange), flush: shipping.now, start, stop };

  function createTap(route: Omit<Route, 'taps'>): Tap {
    const { protection } = route;
    const recording: RouteRecording = {
      owner: route,
      lines: recordLines(route),
      redactor: redactors.of(protection, route.project_id),
      knownValues: known,
      excerpts: { maxFirst: limits.auditFirstBytes, maxLast: limits.auditLastBytes },
      memory,
      writeRequest: (line) => spool.add(line, (isRecorded) => written('requests', isRecorded)),
      writeAnswer: (line) => {
        written('responses', spool.write(line));
        if (handing.isManyWaiting()) void shipping.now();
      },
    };
    const written = (kind: 'requests' | 'responses', isRecorded: boolean) => {
      spool.promise(-1);
      if (!isRecorded) gaps.add(route, kind);
    };
    return { refuses, watch: (exchange) => watch(exchange, recording) };

    function refuses() {
      if (spool.room !== 'full' || protection.when_unrecorded !== 'refuse') return '';
      shortage.affects(route);
      return 'audit_unavailable';
    }
  }

  function watch(exchange: Exchange, recording: RouteRecording): ExchangeRecord | undefined {
    const { room } = spool;
    if (room !== 'roomy') shortage.affects(recording.owner);
    if (room === 'full') {
      records.delete(exchange);
      if (recording.owner.protection.when_unrecorded === 'refuse') return undefined;
      gaps.add(recording.owner, 'requests');
      gaps.add(recording.owner, 'responses');
      return undefined;
    }
    spool.promise(2);
    const record = new ExchangeRecord(recording, exchange, room);
    records.set(exchange, record);
    return record;
  }

  function tick(): void {
    // Observed before `tick` makes room, so that a shortage since the last tick counts.
    shortage.observe();
    spool.tick();
    if (spool.room !== 'full') gaps.flush(spool.write.bind(spool));
  }

  function start(): void {
    ticking = setInterval(tick, limits.auditSyncMs);
    shipping.start();
    shortage.start();
  }

  async function stop(): Promise<void> {
    clearInterval(ticking);
    tick();
    await Promise.race([Promise.all([shipping.stop(), shortage.stop()]), sleep(farewellMs, undefined, { ref: false })]);
    spool.close(handing.isEmpty());
  }
}
