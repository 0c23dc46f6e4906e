import type { Route } from './route.ts';

interface Bounds {
  /** Minimum time between two reads of one label. */
  pauseMs: number;
  /** Labels that may be read within that time. */
  max: number;
}

/** Rereads routes that visitors request, at most once per label and pause, and for a limited number of labels. */
export function createRouteRefresh({ pauseMs, max }: Bounds, readRoute: (label: string) => Promise<Route | undefined>) {
  /** Labels that were requested recently, with the read in progress. */
  const recent = new Map<string, Promise<Route | undefined> | undefined>();

  return { look };

  /** The current route; undefined when it was read recently, or too many others were. */
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
