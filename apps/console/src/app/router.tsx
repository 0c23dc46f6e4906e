import type { QueryClient } from '@tanstack/react-query';
import { createRouter, type RouterHistory } from '@tanstack/react-router';
import { readSession, watchSession } from '../api/session.ts';
import { readQuery, writeQuery } from '../navigation/search.ts';
import { Skeleton } from '../ui/feedback/Skeleton.tsx';
import { RouteError } from './RouteError.tsx';
import { routeTree } from './routes.tsx';
import { followTyping } from './typed-text.ts';

/** The console's router; it uses the address bar unless another history is given. */
export const consoleRouter = (history?: RouterHistory) =>
  createRouter({
    routeTree,
    ...(history ? { history } : {}),
    // Parameters that a page's parser drops are removed from the address, too.
    search: { strict: true },
    parseSearch: readQuery,
    stringifySearch: writeQuery,
    defaultPreload: 'intent',
    // The skeleton itself appears after 300 ms, and goes as soon as the page is there.
    defaultPendingMs: 0,
    defaultPendingMinMs: 0,
    defaultPendingComponent: () => <Skeleton />,
    // An error is confined to the page that threw it: the shell around it keeps working.
    defaultErrorComponent: RouteError,
    scrollRestoration: true,
  });
export type ConsoleRouter = ReturnType<typeof consoleRouter>;

/**
 * Reruns the route guards at every sign-in, sign-out and 401, and clears the cache, so that one person's data is never shown to the next.
 * Text that was typed on a page is there again for the person whose session the server ended.
 * Returns a function that stops it.
 */
export function followSession(router: ConsoleRouter, queries: QueryClient): () => void {
  let token = readSession()?.token;
  const typing = followTyping(() => router.state.location.pathname);
  const stop = watchSession(() => {
    const next = readSession()?.token;
    if (next === token) return;
    token = next;
    // Clear the cache before the next page loads: clearing later would drop the queries that it waits for.
    queries.clear();
    typing.sessionChanged();
    void router.invalidate();
  });
  return () => {
    stop();
    typing.stop();
  };
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ConsoleRouter;
  }
  interface StaticDataRouteOption {
    /** Window title while this page is open. */
    title?: string;
  }
}
