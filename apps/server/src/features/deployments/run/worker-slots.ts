import type { Claimed, ClaimOrder } from '../leases.ts';

/** The resource that a deployment in progress occupies: the machine for its build, or only time until its agent responds. */
export type Phase = 'build' | 'start';

/** Concurrent plans of archives that wait for a build, each in a thread; spare ones for teams that have none in progress. */
const plansAtOnce = 2;
const sparePlans = 2;

/** Maximum concurrent starts: each may take as long as its plan allows, and costs next to nothing while waiting. */
const maxStarts = 16;
/**
 * Extra slots of each kind for teams with none in progress, so that nobody waits for other teams' builds, or for agents that never respond.
 */
const reservedSlots: Record<Phase, number> = { build: 2, start: 16 };
/** Maximum teams whose last turn is remembered. */
const maxServed = 1000;

/** The order for claiming plans; undefined if nothing may be planned. `planning`: the teams of current plans. */
export function planTurn(planning: string[]): ClaimOrder | undefined {
  if (planning.length >= plansAtOnce + sparePlans) return undefined;
  return { not_built: planning.length < plansAtOnce ? [] : planning, not_started: [], busy: planning, served: [] };
}

/** Tracks a worker's deployments in progress, and what it may claim next. */
export function createWorkerSlots(buildsAtOnce: number) {
  const taken = new Map<string, { team_id: string; phase: Phase }>();
  const served = new Set<string>();
  const teamsIn = (phase: Phase) => [...taken.values()].filter((one) => one.phase === phase).map((one) => one.team_id);
  return {
    take({ id, team_id, status }: Pick<Claimed, 'id' | 'team_id' | 'status'>) {
      taken.set(id, { team_id, phase: status === 'active' || status === 'deploying' ? 'start' : 'build' });
      served.delete(team_id);
      served.add(team_id);
      for (const team of served) if (served.size > maxServed) served.delete(team);
    },
    /** The build is over; the deployment only waits for its agent. */
    built(id: string) {
      const one = taken.get(id);
      if (one) one.phase = 'start';
    },
    leave: (id: string) => taken.delete(id),
    /** The next permitted claims: everything, only restarts, or nothing. */
    next(): { what: 'all' | 'restarts' | 'nothing'; turn: ClaimOrder } {
      const building = teamsIn('build');
      const starting = teamsIn('start');
      const not_started = starting.length < maxStarts ? [] : starting;
      const not_built = building.length < buildsAtOnce ? not_started : [...building, ...not_started];
      const turn = { not_built, not_started, busy: [...building, ...starting], served: [...served] };
      if (starting.length >= maxStarts + reservedSlots.start) return { what: 'nothing', turn };
      return { what: building.length < buildsAtOnce + reservedSlots.build ? 'all' : 'restarts', turn };
    },
  };
}
