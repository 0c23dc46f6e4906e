import { createRouter } from '@tanstack/react-router';
import { Skeleton } from '../ui/Skeleton.tsx';
import { RouteError } from './RouteError.tsx';
import { routeTree } from './routes.tsx';

export const router = createRouter({
  routeTree,
  defaultPreload: 'intent',
  defaultPendingMs: 0,
  defaultPendingComponent: () => <Skeleton />,
  // An error stays within the page that threw it: the shell around it keeps working.
  defaultErrorComponent: RouteError,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
  interface StaticDataRouteOption {
    /** What the window is called while this page is open. */
    title?: string;
  }
}
