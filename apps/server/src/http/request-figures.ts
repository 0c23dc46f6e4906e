/** Upper bounds of the duration buckets, in seconds. They never change, because dashboards name them. */
export const durationBounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60] as const;

/** Calls that wait for a change or for an upload: their duration does not measure the API's speed. */
const waiting = new Set(['GET /api/v1/changes', 'POST /api/v1/deployments', 'POST /api/v1/deployments/:id/try']);

interface Answered {
  method: string;
  /** The pattern of the path; undefined if there is no such call. */
  route: string | undefined;
  status: number;
  ms: number;
}

export interface RequestCount {
  method: string;
  route: string;
  /** 2xx, 4xx, … */
  code: string;
  count: number;
}

export type RequestFigures = ReturnType<typeof requestFigures>;

/** Figures of this process's responses since its start. Their number is bounded by the number of calls: other paths count as one. */
export function requestFigures() {
  const counts = new Map<string, RequestCount>();
  const buckets: number[] = durationBounds.map(() => 0);
  let [timed, seconds] = [0, 0];
  return {
    note({ method, route = 'other', status, ms }: Answered): void {
      const code = `${Math.floor(status / 100)}xx`;
      const key = `${method} ${route} ${code}`;
      const known = counts.get(key) ?? { method, route, code, count: 0 };
      known.count += 1;
      counts.set(key, known);
      if (!route.startsWith('/api/') || waiting.has(`${method} ${route}`)) return;
      timed += 1;
      seconds += ms / 1000;
      const bucket = durationBounds.findIndex((bound) => ms <= bound * 1000);
      if (bucket >= 0) buckets[bucket]! += 1;
    },
    counts: (): RequestCount[] => [...counts.values()],
    /** Cumulative buckets: each counts the requests that took at most its bound. */
    durations() {
      let below = 0;
      return { count: timed, seconds, buckets: durationBounds.map((bound, n) => ({ bound, count: (below += buckets[n]!) })) };
    },
  };
}
