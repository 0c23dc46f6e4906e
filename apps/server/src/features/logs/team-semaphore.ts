import { ApiError } from '@paddock/contract';

/** Each one occupies a connection and a core of the database; this limit leaves other teams most of both. */
const atOnce = 2;
const maxWaiting = 10;
const waitMs = 10_000;

interface Team {
  running: number;
  waiting: (() => void)[];
}

export type TeamSemaphore = ReturnType<typeof createTeamSemaphore>;

/** Runs a few operations per team at a time; further ones wait. Throws too_many_requests when too many wait, or one waits too long. */
export function createTeamSemaphore() {
  const teams = new Map<string, Team>();

  return async <T>(team_id: string, work: () => Promise<T>): Promise<T> => {
    const team = teams.get(team_id) ?? { running: 0, waiting: [] };
    teams.set(team_id, team);
    if (team.running < atOnce) team.running += 1;
    else await waitForSlot(team);
    try {
      return await work();
    } finally {
      const next = team.waiting.shift();
      if (next) next();
      else team.running -= 1;
      if (team.running === 0) teams.delete(team_id);
    }
  };
}

/** Settles once a running operation has passed its slot on. */
function waitForSlot({ waiting }: Team): Promise<void> {
  const refusal = new ApiError('too_many_requests', { retry_after_s: 2 });
  if (waiting.length >= maxWaiting) return Promise.reject(refusal);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const go = () => {
    clearTimeout(timer);
    resolve();
  };
  const timer = setTimeout(() => {
    waiting.splice(waiting.indexOf(go), 1);
    reject(refusal);
  }, waitMs);
  waiting.push(go);
  return promise;
}
