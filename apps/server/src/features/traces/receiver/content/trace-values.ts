import { type Known, known } from '@paddock/pii';

interface TraceEntry {
  values: Known;
  until: number;
}
type Team = Map<string, TraceEntry>;

export interface TraceValueBounds {
  keptMs: number;
  /** Bounds per team: traces, and the values that were found in them. */
  traces: number;
  values: number;
  /** Values of all teams. */
  allValues: number;
}

/**
 * Values that were found in a trace, for a limited time: they are masked in later texts of the same trace, even where they are not recognisable.
 * Stored by team, so that another team that names the same trace learns nothing.
 */
export function traceValues({ keptMs, traces, values, allValues }: TraceValueBounds, now: () => number = () => performance.now()) {
  const byTeam = new Map<string, Team>();
  return { of, evict };

  /** The values of a trace, for lookups and additions. */
  function of(team_id: string, trace_id: string): Known {
    const team = byTeam.get(team_id) ?? new Map<string, TraceEntry>();
    byTeam.set(team_id, team);
    const held = team.get(trace_id);
    if (held && held.until > now()) return held.values;
    const found = known();
    team.set(trace_id, { values: found, until: now() + keptMs });
    return found;
  }

  /** Must be called after an addition. The oldest traces of the team make room, and the teams that were silent for longest. */
  function evict(team_id: string, found: ReadonlyMap<string, Known>): void {
    const team = byTeam.get(team_id) ?? new Map<string, TraceEntry>();
    const until = now() + keptMs;
    for (const [trace_id, one] of found) {
      team.delete(trace_id);
      if (one.size > 0) team.set(trace_id, { values: one, until });
    }
    let sum = sumSizes(team);
    for (const [trace_id, one] of team) {
      if (sum <= values && team.size <= traces && one.until > now()) break;
      sum -= one.values.size;
      team.delete(trace_id);
    }
    byTeam.delete(team_id);
    if (team.size > 0) byTeam.set(team_id, team);
    let all = 0;
    for (const one of byTeam.values()) all += sumSizes(one);
    for (const [id, one] of byTeam) {
      if (all <= allValues) break;
      all -= sumSizes(one);
      byTeam.delete(id);
    }
  }
}

function sumSizes(team: Team): number {
  let sum = 0;
  for (const { values } of team.values()) sum += values.size;
  return sum;
}

export type TraceValues = ReturnType<typeof traceValues>;
