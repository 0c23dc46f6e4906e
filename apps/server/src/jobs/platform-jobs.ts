import type { Sql } from '../db/connect.ts';
import { removeOldTraffic } from '../gateway/traffic.ts';
import { removeOldKeys } from '../http/idempotency.ts';
import { removeOldCounts } from '../http/rate-limit.ts';
import { mailStore } from '../mail/store.ts';
import { type PeriodicJob, removeOldJobs } from './periodic.ts';

/** What no feature has for itself. */
export const platformJobs = (sql: Sql): PeriodicJob[] => [
  { name: 'mail.sweep', every_s: 3600, run: () => mailStore(sql).sweep() },
  { name: 'rate-limit.sweep', every_s: 600, run: () => removeOldCounts(sql) },
  { name: 'idempotency-key.sweep', every_s: 600, run: () => removeOldKeys(sql) },
  { name: 'traffic.retain', every_s: 3600, run: () => removeOldTraffic(sql) },
  { name: 'periodic-job.sweep', every_s: 3600, run: () => removeOldJobs(sql) },
];
