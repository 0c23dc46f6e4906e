import type { QueryClient } from '@tanstack/react-query';
import { createRouter, type RouterHistory } from '@tanstack/react-router';
import { readSession, watchSession } from '../api/session.ts';
import { readQuery, writeQuery } from '../navigation/search.ts';
import { Skeleton } from '../ui/feedback/Skeleton.tsx';
import { RouteError } from './RouteError.tsx';
import { routeTree } from './routes.tsx';

/** The console's router; over the address bar unless another history is given. */
export const consoleRouter = (history?: RouterHistory) =>
  createRouter({
    routeTree,
    ...(history ? { history } : {}),
    // Parameters that a page's parser drops leave the address, too.
    search: { strict: true },
    parseSearch: readQuery,
    stringifySearch: writeQuery,
    defaultPreload: 'intent',
    // The outline itself waits 300 ms before it shows, and leaves as soon as the page is there.
    defaultPendingMs: 0,
    defaultPendingMinMs: 0,
    defaultPendingComponent: () => <Skeleton />,
    // An error stays within the page that threw it: the shell around it keeps working.
    defaultErrorComponent: RouteError,
    scrollRestoration: true,
  });
export type ConsoleRouter = ReturnType<typeof consoleRouter>;

/**
 * At every sign-in, sign-out and 401 lets the routes decide anew where this person may be;
 * what was loaded for one is not shown to the next. Returns the way to stop.
 */
export function followSession(router: ConsoleRouter, queries: QueryClient): () => void {
  let token = readSession()?.token;
  return watchSession(() => {
    const next = readSession()?.token;
    if (next === token) return;
    token = next;
    // Clears before the next page loads: clearing later would drop the queries that it waits for.
    queries.clear();
    void router.invalidate();
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ConsoleRouter;
  }
  interface StaticDataRouteOption {
    /** What the window is called while this page is open. */
    title?: string;
  }
}
