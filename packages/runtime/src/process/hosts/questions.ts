/** Questions that a team's agents on this machine ask together. A single agent cannot reach it: its kernel passes on fewer packets. */
export const questionBounds = { perSecond: 300, burst: 600 };

/** `refuse`: tell the agent so; `drop`: not even that, so that a flood costs as little as possible. */
export type Admission = 'answer' | 'refuse' | 'drop';

export interface TeamQuestions {
  admit(): Admission;
  /** Questions that are not answered yet. */
  inFlight: number;
}

/** Counts of each team; what a team asks beyond its budget costs the others nothing. */
export function questionCounts(now: () => number = () => performance.now()) {
  const teams = new Map<string, TeamQuestions>();

  return {
    of(team_id: string): TeamQuestions {
      const known = teams.get(team_id) ?? teamQuestions(now);
      teams.set(team_id, known);
      return known;
    },
    /** Forgets teams that have nothing left to ask. */
    keepOnly(used: ReadonlySet<TeamQuestions>): void {
      for (const [team_id, one] of teams) if (!used.has(one) && one.inFlight === 0) teams.delete(team_id);
    },
  };
}

function teamQuestions(now: () => number): TeamQuestions {
  const takeAnswer = bucket(now);
  const takeRefusal = bucket(now);
  const admit = (): Admission => {
    if (takeAnswer()) return 'answer';
    return takeRefusal() ? 'refuse' : 'drop';
  };
  return { admit, inFlight: 0 };
}

function bucket(now: () => number): () => boolean {
  let left = questionBounds.burst;
  let atMs = now();
  return () => {
    const ms = now();
    left = Math.min(questionBounds.burst, left + ((ms - atMs) / 1_000) * questionBounds.perSecond);
    atMs = ms;
    if (left < 1) return false;
    left -= 1;
    return true;
  };
}
