import { ApiError } from '@paddock/contract';

interface Bounds {
  perTeam: number;
  /** Bound for all teams together. */
  atOnce: number;
  detail: string;
  retry_after_s: number;
}

/** Bounds the concurrent work of each team. Entering throws too_many_requests, or returns a function that leaves; leaving twice is harmless. */
export function teamPlaces({ perTeam, atOnce, ...refusal }: Bounds) {
  const ofTeams = new Map<string, number>();
  let all = 0;
  return {
    enter(team_id: string): () => void {
      const ofTeam = ofTeams.get(team_id) ?? 0;
      if (ofTeam >= perTeam || all >= atOnce) throw new ApiError('too_many_requests', refusal);
      ofTeams.set(team_id, ofTeam + 1);
      all += 1;
      let isInside = true;
      return () => {
        if (!isInside) return;
        isInside = false;
        all -= 1;
        const left = (ofTeams.get(team_id) ?? 0) - 1;
        if (left > 0) ofTeams.set(team_id, left);
        else ofTeams.delete(team_id);
      };
    },
  };
}
