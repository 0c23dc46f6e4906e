import { KnownValueSet } from './scan.ts';

interface Held {
  values: KnownValueSet;
  /** Number of values when the trace was stored. */
  size: number;
  until: number;
}

/** The traces of one team, oldest first. */
interface Team {
  traces: Map<string, Held>;
  /** Number of values of all traces. */
  total: number;
}

export interface KnownLimits {
  maxTraces: number;
  /** Limit over all traces: the most that strangers can make this process remember. */
  maxValues: number;
  keptMs: number;
}

export interface TraceKey {
  team_id: string;
  project_id: string;
  traceId: string;
}

/**
 * Remembers values found in a trace for a while: they are masked wherever they occur again in the same trace and project. The sender chooses
 * the trace id, so another team or project with the same id has separate values.
 */
export function knownValues({ maxTraces, maxValues, keptMs }: KnownLimits) {
  const teams = new Map<string, Team>();
  let count = 0;
  let total = 0;
  return { of, keep, size: () => total };

  /** The values of a trace; none yet in a new one. */
  function of(key: TraceKey): KnownValueSet {
    const held = teams.get(key.team_id)?.traces.get(nameOf(key));
    return held !== undefined && held.until > performance.now() ? held.values : new KnownValueSet();
  }

  /** Stores found values for later requests of the trace. The oldest traces of the team with the most are evicted. */
  function keep(key: TraceKey, values: KnownValueSet): void {
    const { size } = values;
    if (size === 0) return;
    forget(key.team_id, nameOf(key));
    const team = teams.get(key.team_id) ?? { traces: new Map<string, Held>(), total: 0 };
    teams.set(key.team_id, team);
    team.traces.set(nameOf(key), { values, size, until: performance.now() + keptMs });
    team.total += size;
    total += size;
    count += 1;
    makeRoom(team);
  }

  /** Evicts traces until the limits hold. The newest trace of the current team stays. */
  function makeRoom(current: Team): void {
    while (count > maxTraces || total > maxValues) {
      const sizeOf = count > maxTraces ? (team: Team) => team.traces.size : (team: Team) => team.total;
      let largest: [string, Team] | undefined;
      for (const entry of teams) {
        const [, team] = entry;
        if (team === current && team.traces.size === 1) continue;
        if (largest === undefined || sizeOf(team) > sizeOf(largest[1])) largest = entry;
      }
      if (largest === undefined) return;
      forget(largest[0], largest[1].traces.keys().next().value!);
    }
  }

  function forget(team_id: string, name: string): void {
    const team = teams.get(team_id);
    const held = team?.traces.get(name);
    if (team === undefined || held === undefined) return;
    team.traces.delete(name);
    team.total -= held.size;
    total -= held.size;
    count -= 1;
    if (team.traces.size === 0) teams.delete(team_id);
  }
}

const nameOf = ({ project_id, traceId }: TraceKey): string => `${project_id} ${traceId}`;

export type KnownValues = ReturnType<typeof knownValues>;
