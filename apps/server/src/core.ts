import type { DatabaseDriver } from '@paddock/database-driver';
import type { Config } from './config/config.ts';
import type { Changes } from './db/changes.ts';
import type { Sql } from './db/connect.ts';
import type { Reserve } from './disk/reserve.ts';
import { type RateLimit, rateLimit } from './http/rate-limit.ts';
import { type RequestFigures, requestFigures } from './http/request-figures.ts';
import type { RouteSet as Routes } from './http/serve.ts';
import type { PeriodicJob } from './jobs/periodic.ts';
import type { Log } from './log.ts';
import type { SendMail } from './mail/mails.ts';
import { mailQueue } from './mail/queue.ts';
import type { Seal } from './secrets/seal.ts';

/** The parts that every feature may use. */
export interface Core {
  /** The settings of this installation, frozen. A feature names those that it uses. */
  config: Config;
  sql: Sql;
  /** The database address for threads of features. */
  databaseUrl: string;
  changes: Changes;
  seal: Seal;
  /** Space for work that must be done on a full disk. */
  reserve: Reserve;
  log: Log;
  sendMail: SendMail;
  limit: RateLimit;
  /** Counts of this process's API responses. */
  requests: RequestFigures;
  /** Whether this machine can run managed databases of a type. */
  available: DatabaseDriver['available'];
  /** The addresses of the platform's own services, such as its database. */
  services: { host?: string; port: number }[];
}

export const buildCore = (given: Omit<Core, 'sendMail' | 'limit' | 'requests'>): Core => ({
  ...given,
  sendMail: mailQueue(given.sql, given.seal),
  limit: rateLimit(given.sql),
  requests: requestFigures(),
});

/** A composed feature: its API calls, its periodic jobs, and its exports for other features. */
export interface Feature<Exports> {
  routes: Routes[];
  jobs: PeriodicJob[];
  exports: Exports;
}
