import { isConnectionError } from '../db/connect.ts';
import { type Need, noReserve, type Reserve } from '../disk/reserve.ts';
import type { Log } from '../log.ts';

/** After this many consecutive rows without a connection the database counts as down. */
const awayAfter = 3;

export type IsolatedLoop = ReturnType<typeof createIsolatedLoop>;

/**
 * Processes the rows of many tenants one after the other. A row that fails is logged (once, until it succeeds again), and the others are processed
 * nevertheless. On a full disk a row is retried with some of the reserve. Throws when the database is down.
 */
export function createIsolatedLoop(
  log: Log,
  what: string,
  { reserve, need = 'note' }: { reserve: Reserve; need?: Need } = { reserve: noReserve },
) {
  const failing = new Set<string>();
  return async <T>(rows: Iterable<T>, idOf: (row: T) => string, work: (row: T) => PromiseLike<unknown>): Promise<void> => {
    const seen = new Set<string>();
    let away = 0;
    for (const row of rows) {
      const id = idOf(row);
      seen.add(id);
      try {
        await reserve.withRoom(need, () => work(row));
        failing.delete(id);
        away = 0;
      } catch (error) {
        away = isConnectionError(error) ? away + 1 : 0;
        if (away === awayAfter) throw error;
        if (!failing.has(id)) log.warn({ err: error, id }, `${what} failed for one row; the others continue, and it is retried`);
        failing.add(id);
      }
    }
    for (const id of failing) if (!seen.has(id)) failing.delete(id);
  };
}
