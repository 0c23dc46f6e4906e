import type { Sql } from '../db/connect.ts';
import { removeOldTraffic } from '../gateway/traffic.ts';
import { removeOldKeys } from '../http/idempotency.ts';
import { removeOldCounts } from '../http/rate-limit.ts';
import { mailStore } from '../mail/store.ts';
import { type PeriodicJob, removeOldJobs } from './periodic.ts';

/** Periodic jobs that belong to no feature. */
export const platformJobs = (sql: Sql): PeriodicJob[] => [
  { name: 'mail.sweep', everySeconds: 3600, run: () => mailStore(sql).sweep() },
  { name: 'rate-limit.sweep', everySeconds: 600, run: () => removeOldCounts(sql) },
  { name: 'idempotency-key.sweep', everySeconds: 600, run: () => removeOldKeys(sql) },
  { name: 'traffic.retain', everySeconds: 3600, run: () => removeOldTraffic(sql) },
  { name: 'periodic-job.sweep', everySeconds: 3600, run: () => removeOldJobs(sql) },
];
