/** A transition of a deployment (`moves`), as it is read for uptime. */
export interface Move {
  deployment_id: string;
  from_status: string | null;
  to_status: string;
  why: string;
  at: Date;
}

export interface Interval {
  from: number;
  to: number;
}

export interface Timeline {
  /** When any deployment was able to respond, in ms since 1970; sorted, without touching intervals. */
  up: Interval[];
  /** When none was expected to: before the first deployment, after a person's stop, after a job's end. */
  off: Interval[];
  /** For each deployment, from its start on: the billed time. Overlaps if one drains while the next one serves. */
  running: Interval[];
}

/** Reasons that end the process of a deployment that stays active: it responds again with its next 'ready'. */
const outages = new Set(['crashed', 'out_of_memory', 'lost', 'node_died']);
/** Reasons that end an active deployment intentionally. */
const wishes = new Set(['stopped', 'completed', 'project_deleted', 'cancelled']);

/** The timeline of an environment's deployments until `now`, from all their transitions in order of time. */
export function buildTimeline(moves: readonly Move[], now: number): Timeline {
  const up = recorder();
  const off = recorder();
  const running = new Map<string, ReturnType<typeof recorder>>();
  const serving = new Set<string>();
  off.begin(Number.NEGATIVE_INFINITY);
  for (const { deployment_id, from_status, to_status, why, at } of moves) {
    const ms = at.getTime();
    const serves = to_status === 'active' && !outages.has(why);
    if (serves) serving.add(deployment_id);
    else serving.delete(deployment_id);
    const own = running.get(deployment_id) ?? recorder();
    running.set(deployment_id, own);
    if (serves || to_status === 'deploying') own.begin(ms);
    else own.end(ms);
    if (serving.size > 0) up.begin(ms);
    // Its replacement is ready at the same moment, according to the next transition.
    else if (why !== 'replaced') up.end(ms);
    if (serving.size > 0) off.end(ms);
    else if ((from_status === 'active' || from_status === 'deploying') && wishes.has(why)) off.begin(ms);
  }
  for (const each of [up, off, ...running.values()]) each.end(now);
  return { up: up.intervals, off: off.intervals, running: [...running.values()].flatMap(({ intervals }) => intervals) };
}

/** Milliseconds of the intervals within a span. */
export const within = (intervals: readonly Interval[], span: Interval): number =>
  intervals.reduce((ms, { from, to }) => ms + Math.max(0, Math.min(to, span.to) - Math.max(from, span.from)), 0);

/** Uptime, and the time in which it should have been up. */
export function uptime({ up, off }: Timeline, span: Interval): { up_ms: number; wanted_ms: number } {
  return { up_ms: within(up, span), wanted_ms: Math.max(0, span.to - span.from - within(off, span)) };
}

function recorder() {
  const intervals: Interval[] = [];
  let begun: number | undefined;
  return {
    intervals,
    begin(ms: number) {
      begun ??= ms;
    },
    end(ms: number) {
      if (begun !== undefined && ms > begun) intervals.push({ from: begun, to: ms });
      begun = undefined;
    },
  };
}
