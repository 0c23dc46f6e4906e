import { measuredDatabases } from '../src/features/databases/usage/measured-databases.ts';
import { shortageStore } from '../src/features/governance/trail/shortages/shortage-store.ts';
import { rollUp } from '../src/features/metrics/roll-up.ts';
import { rollUpStore } from '../src/features/metrics/roll-up-store.ts';
import { agentStore } from '../src/features/system/prometheus/agent-store.ts';
import { exposition, type Most } from '../src/features/system/prometheus/exposition.ts';
import { platformReads } from '../src/features/system/prometheus/platform-reads.ts';
import { requestFigures } from '../src/http/request-figures.ts';
import { databaseRows } from './database-rows.ts';
import { readSeries } from './exposition.ts';
import { metricsRows, type Visit } from './metrics-rows.ts';

/** A platform's rows, and the metrics that Prometheus gets of them. */
export async function observedRows(t: Parameters<typeof databaseRows>[0]) {
  const rows = await databaseRows(t);
  const { sql } = rows;
  const rolling = rollUpStore(sql);
  /** Caches like a server; `read` starts with an empty cache. */
  const reader = (most?: Most) => {
    const text = exposition({
      agents: agentStore(sql),
      platform: platformReads(sql, { shortages: shortageStore(sql).counts, databases: (limit) => measuredDatabases(sql, limit) }),
      requests: requestFigures(),
      disks: async () => [],
      version: '1.2.3',
      ...(most ? { most } : {}),
    });
    return async () => readSeries(await text());
  };
  return {
    ...rows,
    ...metricsRows(rows),
    reader,
    rolling,
    /** A turn of the roll-up. */
    rollUp: () => rollUp(rolling)(new AbortController().signal),
    read: (most?: Most) => reader(most)(),

    /** The usage that a node measured in one minute, with a limit of one and a half cores. */
    used: (deployment_id: string, at: Date, cpu_ms: number) => sql`
      insert into usage_minutes ${sql({
        ...{ deployment_id, at: at.toISOString(), cpu_ms, measured_ms: 60_000, cpu_limit_ms: 90_000 },
        ...{ memory_bytes: 64 * 1024 ** 2, memory_limit_bytes: 512 * 1024 ** 2 },
      })}`,

    /** Resets the roll-up, because tests write into hours that another test has rolled up already. */
    async forget() {
      await sql`update rolled_up set until = '-infinity'`;
      await sql`delete from deployments`;
    },
  };
}
export type Observed = Awaited<ReturnType<typeof observedRows>>;

export const minute = 60_000;
export const hour = 60 * minute;
export const day = 24 * hour;
export const ago = (ms: number) => new Date(Date.now() - ms);

/** The given number of responses of each status, each of which took 100 ms. */
export const answers = (statuses: Record<number, number>): Visit[] =>
  Object.entries(statuses).flatMap(([status, count]) =>
    Array.from({ length: count }, () => ({ status: Number(status), us: 100_000, bytes_in: 10, bytes_out: 1000 })),
  );
