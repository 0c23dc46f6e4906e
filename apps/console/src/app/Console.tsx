import { CSPProvider } from '@base-ui/react/csp-provider';
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { offerDemo } from '../api/api.ts';
import type { ConsoleRouter } from './router.tsx';

offerDemo(() => import('../demo/demo-api.ts').then(({ demoApi }) => demoApi()));

/** The whole console, with its router and query cache. */
export const Console = ({ router, queries }: { router: ConsoleRouter; queries: QueryClient }) => (
  <StrictMode>
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </CSPProvider>
  </StrictMode>
);
