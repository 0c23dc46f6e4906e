import type { DatabaseType, System } from '@paddock/contract';
import type { Availability, DatabaseDriver } from '@paddock/database-driver';

/** Results are reused for this long: programs are rarely installed or removed within it. */
const freshMs = 10_000;

/** Caches the availability for a while: each deployment and each page requests it, and a check starts a program. */
export function cachedAvailability(
  ask: DatabaseDriver['available'],
  now: () => number = performance.now.bind(performance),
): DatabaseDriver['available'] {
  const known = new Map<DatabaseType, { at: number; answer: Promise<Availability> }>();
  return (type) => {
    const before = known.get(type);
    if (before && now() - before.at < freshMs) return before.answer;
    const answer = ask(type);
    known.set(type, { at: now(), answer });
    answer.catch(() => known.delete(type)); // the caller gets the error; the next call checks again
    return answer;
  };
}

/** For `GET /system`. */
export async function databaseProblems(available: DatabaseDriver['available']): Promise<System['database_problems']> {
  const [postgresql, redis] = await Promise.all([available('postgresql'), available('redis')]);
  const problem = (state: Availability) => (state.ok ? null : { reason: state.reason, remedy: state.remedy });
  return { postgresql: problem(postgresql), redis: problem(redis) };
}
