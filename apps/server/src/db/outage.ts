import type { Log } from '../log.ts';
import { isConnectionError, isOverload } from './connect.ts';

/** The database is temporarily unreachable or overloaded, so a retry is worthwhile. Any other error is a bug. */
export const isOutage = (error: unknown): boolean => isConnectionError(error) || isOverload(error);

/** For work that is retried automatically: logs every error except outages, whose beginning is logged elsewhere. */
export const logUnlessOutage = (log: Pick<Log, 'error'>, message: string) => (error: unknown) => {
  if (!isOutage(error)) log.error({ err: error }, message);
};
