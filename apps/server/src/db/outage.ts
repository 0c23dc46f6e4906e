import type { Log } from '../log.ts';
import { isConnectionError, isOverload } from './connect.ts';

/** Whether the database is unavailable or overloaded, so that a retry makes sense. Any other error is a bug. */
export const isOutage = (error: unknown): boolean => isConnectionError(error) || isOverload(error);

/** For work that is retried anyway: logs errors other than outages, whose beginning is logged elsewhere. */
export const logUnlessOutage = (log: Pick<Log, 'error'>, message: string) => (error: unknown) => {
  if (!isOutage(error)) log.error({ err: error }, message);
};
