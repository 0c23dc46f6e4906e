import type { Log } from '../log.ts';
import { isConnectionError, isOverload } from './connect.ts';

/** The database is away or too busy just now, so that another try is worth while. Any other error is a fault of ours. */
export const isOutage = (error: unknown): boolean => isConnectionError(error) || isOverload(error);

/** For work that is tried again by itself: logs a fault each time, and no outage, whose beginning is logged elsewhere. */
export const logUnlessOutage = (log: Pick<Log, 'error'>, message: string) => (error: unknown) => {
  if (!isOutage(error)) log.error({ err: error }, message);
};
