import { ApiError } from '@paddock/contract';
import { createSemaphore, type Semaphore } from '@paddock/network';

/** Each one occupies a connection and a core of the database; this limit leaves other teams most of both. */
const atOnce = 2;
const maxWaiting = 10;
const waitMs = 10_000;

export type TeamSemaphore = ReturnType<typeof createTeamSemaphore>;

/** Runs a few operations per team at a time; further ones wait. Throws too_many_requests when too many wait, or one waits too long. */
export function createTeamSemaphore() {
  const teams = new Map<string, { inTurn: Semaphore; operations: number }>();

  return async <T>(team_id: string, work: () => Promise<T>): Promise<T> => {
    const team = teams.get(team_id) ?? { inTurn: createSemaphore(atOnce), operations: 0 };
    const refusal = new ApiError('too_many_requests', { retry_after_s: 2 });
    if (team.operations >= atOnce + maxWaiting) throw refusal;
    teams.set(team_id, team);
    team.operations += 1;
    const waiting = new AbortController();
    const timer = setTimeout(() => waiting.abort(refusal), waitMs);
    const begin = () => {
      clearTimeout(timer);
      return work();
    };
    try {
      return await team.inTurn(begin, { signal: waiting.signal });
    } finally {
      clearTimeout(timer);
      team.operations -= 1;
      if (team.operations === 0) teams.delete(team_id);
    }
  };
}
