import type { Route } from './route.ts';

interface Bounds {
  /** Minimum time between two reads of a label. */
  pauseMs: number;
  /** Maximum labels read within that time. */
  max: number;
}

/** Reads routes again for visitors, with bounds on how often a label is read and how many labels are. */
export function createRouteRefresh({ pauseMs, max }: Bounds, readRoute: (label: string) => Promise<Route | undefined>) {
  /** Labels read within the pause, with the read in progress. */
  const recent = new Map<string, Promise<Route | undefined> | undefined>();

  return { look };

  /** The route as it is now; undefined when it, or too many others, were read within the pause. */
  function look(label: string): Promise<Route | undefined> | undefined {
    if (recent.has(label)) return recent.get(label);
    if (recent.size >= max) return undefined;
    const looking = readRoute(label).then((route) => {
      recent.set(label, undefined);
      setTimeout(() => recent.delete(label), pauseMs).unref();
      return route;
    });
    recent.set(label, looking);
    return looking;
  }
}
