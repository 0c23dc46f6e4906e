import type { Claimed, ClaimOrder } from '../leases.ts';

/** What a deployment that is under way takes: the machine for its build, or only patience until its agent answers. */
export type Phase = 'build' | 'start';

/** Archives that are planned at the same time while they wait for a build, each in a thread; a few more for teams that have none under way. */
const plansAtOnce = 2;
const sparePlans = 2;

/** Agents that are waited for at the same time: each may take as long as its plan allows, and costs next to nothing meanwhile. */
const maxStarts = 16;
/** More of each, for teams that have none under way: nobody waits until somebody else's builds end, or agents that never answer. */
const reservedSlots: Record<Phase, number> = { build: 2, start: 16 };
/** Teams whose last turn is remembered. */
const maxServed = 1000;

/** What may be planned while it waits for its build; undefined if nothing. `planning`: the teams of what is planned now. */
export function planTurn(planning: string[]): ClaimOrder | undefined {
  if (planning.length >= plansAtOnce + sparePlans) return undefined;
  return { not_built: planning.length < plansAtOnce ? [] : planning, not_started: [], busy: planning, served: [] };
}

/** Which deployments one worker has under way, and what it may take up next. */
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
    /** Its build is over, and it only waits for its agent. */
    built(id: string) {
      const one = taken.get(id);
      if (one) one.phase = 'start';
    },
    leave: (id: string) => taken.delete(id),
    /** What may be taken up now: everything, restarts alone, or nothing. */
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
