import { ApiError } from '@paddock/contract';

/** Limits concurrent tries. A try leaves when its signal aborts, which also happens when the call is over. */
export function tryQuota({ perTeam, atOnce }: { perTeam: number; atOnce: number }) {
  const ofTeams = new Map<string, number>();
  let all = 0;
  return (team_id: string, signal: AbortSignal): void => {
    if (signal.aborted) return; // the client is already gone, and the try ends before it begins
    const ofTeam = ofTeams.get(team_id) ?? 0;
    if (ofTeam >= perTeam) throw full(`${perTeam} requests of your team to its agents are under way. Wait for one of them, or cancel it.`);
    if (all >= atOnce) throw full('This server makes as many requests to agents as it may. Try again in a moment.');
    ofTeams.set(team_id, ofTeam + 1);
    all += 1;
    const leave = () => {
      all -= 1;
      const left = (ofTeams.get(team_id) ?? 0) - 1;
      if (left > 0) ofTeams.set(team_id, left);
      else ofTeams.delete(team_id);
    };
    signal.addEventListener('abort', leave, { once: true });
  };
}

const full = (detail: string) => new ApiError('too_many_requests', { detail, retry_after_s: 1 });
