import type { Route } from './route.ts';

interface Bounds {
  /** Of one label. */
  pauseMs: number;
  /** Labels within that time. */
  max: number;
}

/** Lets visitors ask for a route anew, who may not ask the database more often than every so many ms, nor for more labels meanwhile. */
export function createRouteRefresh({ pauseMs, max }: Bounds, readRoute: (label: string) => Promise<Route | undefined>) {
  /** Labels that were asked for a moment ago, with the look that is under way. */
  const recent = new Map<string, Promise<Route | undefined> | undefined>();

  return { look };

  /** The route as it is now; undefined when it was read a moment ago, or too many others were. */
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
