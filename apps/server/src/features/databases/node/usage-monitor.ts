import { setTimeout as sleep } from 'node:timers/promises';
import type { DatabaseFigures } from '@paddock/database-driver';
import type { Log } from '../../../log.ts';
import type { LiveDatabase } from '../rows.ts';

const lookMs = 10_000;
/** A database that uses more than this share of its limit is looked at each time, the others once a minute. */
const closelyFrom = 0.9;
/** A measurement may take five seconds when a database hangs. */
const atOnce = 4;

export interface MonitorDeps {
  /** What runs on this node, ready to be spoken to. */
  live: () => LiveDatabase[];
  /** Whether something else is done with it right now: then its limits wait for the next look. */
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

/** Measures each database once a minute and holds it to its limits, more often while it is nearly full. */
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
    // What was known of the limits before is better than not to look.
    if (all.length > 0)
      await limits.follow().catch((error: unknown) => log.warn({ err: error }, 'the limits of databases could not be brought up to date'));
    // A new one soon shows its size.
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
      // Said once: one that is just restarted or restored does not answer for a while.
      if (!silent.has(id) && !closing.signal.aborted)
        log.warn({ err: error, database: id }, 'a database could not be measured; tried again each minute');
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
        if (!failed && !closing.signal.aborted) log.warn({ err: error }, 'databases could not be measured; tried again');
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
