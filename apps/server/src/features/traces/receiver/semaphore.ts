import { fairQueue } from '@paddock/network';

export type Turns = <T>(team_id: string, work: () => Promise<T>) => Promise<T>;

/** Runs `max` tasks at a time. The others wait: teams take turns, and the tasks of one team run in order of arrival. */
export function createSemaphore(max: number): Turns {
  let running = 0;
  const waiting = fairQueue<() => void>();

  return async (team_id, work) => {
    if (running >= max) await new Promise<void>((resolve) => waiting.push(team_id, resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      // The slot is passed directly to the next one.
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
