import type { Log } from '../log.ts';
import { isConnectionError, isOverload } from './connect.ts';

/** The database is away or too busy just now: worth another try, and nothing to look for. Whatever else is thrown is a fault of ours. */
export const isOutage = (error: unknown): boolean => isConnectionError(error) || isOverload(error);

/** For work that is taken again by itself: an outage is passed over, since its beginning is told elsewhere, and a fault is told each time. */
export const unlessOutage = (log: Pick<Log, 'error'>, message: string) => (error: unknown) => {
  if (!isOutage(error)) log.error({ err: error }, message);
};
