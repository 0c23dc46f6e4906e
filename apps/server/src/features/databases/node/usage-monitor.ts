import { setTimeout as sleep } from 'node:timers/promises';
import type { DatabaseFigures } from '@paddock/database-driver';
import type { Log } from '../../../log.ts';
import type { LiveDatabase } from '../rows.ts';

const lookMs = 10_000;
/** A database above this share of its limit is measured at every poll, the others once a minute. */
const closelyFrom = 0.9;
/** Concurrent measurements: one may take five seconds when a database hangs. */
const atOnce = 4;

export interface MonitorDeps {
  /** This node's running databases, with addresses and credentials. */
  live: () => LiveDatabase[];
  /** Whether a step is in progress; its limits then wait for the next poll. */
  isBusy: (id: string) => boolean;
  sampling: {
    measure(live: LiveDatabase, isMinute: boolean): Promise<DatabaseFigures>;
    keepOnly(ids: Set<string>): void;
  };
  limits: {
    follow(): Promise<unknown>;
    judge(live: LiveDatabase, figures: DatabaseFigures): Promise<number | undefined>;
    keepOnly(ids: Set<string>): void;
  };
  log: Log;
}

/** Measures each database once a minute, more often while it is nearly full, and enforces its limits. */
export function startUsageMonitor({ live, isBusy, sampling, limits, log }: MonitorDeps) {
  const closing = new AbortController();
  const shares = new Map<string, number>();
  const silent = new Set<string>();
  let minute = -1;

  async function measureAll() {
    const now = Math.floor(Date.now() / 60_000);
    const isMinute = now !== minute;
    minute = now;
    const all = live();
    const ids = new Set(all.map(({ row }) => row.id));
    for (const known of [shares, silent]) for (const id of known.keys()) if (!ids.has(id)) known.delete(id);
    sampling.keepOnly(ids);
    limits.keepOnly(ids);
    // Measuring with the previously known limits is better than not measuring.
    if (all.length > 0) await limits.follow().catch((error: unknown) => log.warn({ err: error }, 'database limit refresh failed'));
    // New databases are measured at once, so that their size shows soon.
    const isNew = ({ row }: LiveDatabase) => !shares.has(row.id) && !silent.has(row.id);
    const due = all.filter((one) => isMinute || isNew(one) || (shares.get(one.row.id) ?? 0) >= closelyFrom);
    await Promise.all(Array.from({ length: atOnce }, takeOn));

    async function takeOn() {
      for (let one = due.shift(); one && !closing.signal.aborted; one = due.shift()) await measure(one, isMinute || isNew(one));
    }
  }

  async function measure(one: LiveDatabase, isMinute: boolean) {
    const { id } = one.row;
    try {
      const figures = await sampling.measure(one, isMinute);
      silent.delete(id);
      if (!isBusy(id)) shares.set(id, (await limits.judge(one, figures)) ?? 0);
    } catch (error) {
      // Logged once: a database that is being restarted or restored does not respond for a while.
      if (!silent.has(id) && !closing.signal.aborted)
        log.warn({ err: error, database: id }, 'database measurement failed; retrying each minute');
      silent.add(id);
    }
  }

  async function loop() {
    let failed = false;
    while (!closing.signal.aborted) {
      try {
        await measureAll();
        failed = false;
      } catch (error) {
        if (!failed && !closing.signal.aborted) log.warn({ err: error }, 'database usage poll failed; retrying');
        failed = true;
      }
      await sleep(lookMs, undefined, { signal: closing.signal }).catch(() => 'stopping');
    }
  }
  const looping = loop();
  return {
    async close() {
      closing.abort();
      await looping;
    },
  };
}
