import { routeTaps, type Tap } from '../taps/tap.ts';
import type { Route } from './route.ts';
import { type RouteRow, toRoute } from './route-rows.ts';

/** The last known routes, in memory. */
export function createRouteCache(parts: {
  /** Called for a target to which no route leads any more. */
  onTargetGone: (key: string) => void;
  /** The taps of a route; called each time the route is read. */
  tapsOf: (route: Omit<Route, 'taps'>) => readonly Tap[];
}) {
  let routes = new Map<string, Route>();

  return { find: (label: string) => routes.get(label), replaceAll, replaceSome, isLike };

  function replaceAll(rows: RouteRow[]): void {
    const before = [...routes.values()];
    routes = new Map(rows.map((row) => [row.label, withTaps(row)]));
    tellGone(before);
  }

  /** Replaces the routes of these labels. `rows` are all rows of the table with these labels. */
  function replaceSome(labels: string[], rows: RouteRow[]): void {
    const before = labels.flatMap((label) => routes.get(label) ?? []);
    const next = rows.map(withTaps);
    for (const label of labels) routes.delete(label);
    for (const route of next) routes.set(route.label, route);
    tellGone(before);
  }

  function withTaps(row: RouteRow): Route {
    const route = toRoute(row);
    return { ...route, taps: routeTaps(parts.tapsOf(route)) };
  }

  function tellGone(before: Route[]): void {
    const old = new Set(before.flatMap((route) => route.target?.key ?? []));
    for (const route of routes.values()) {
      if (old.size === 0) return;
      if (route.target) old.delete(route.target.key);
    }
    for (const key of old) parts.onTargetGone(key);
  }

  /** Whether the table has exactly the cached routes. */
  function isLike(table: { count: number; sum: string }): boolean {
    let sum = 0n;
    for (const route of routes.values()) sum += BigInt(route.version);
    return table.count === routes.size && table.sum === String(sum);
  }
}
