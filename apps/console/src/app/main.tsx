import '../ui/styles.css';
import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from './query-client.ts';
import { router } from './router.tsx';
import { readSession, watchSession } from './session.ts';

// A sign-in, a sign-out or a 401 lets the routes decide anew where this person may be; what was loaded for one is not shown to the next.
let token = readSession()?.token;
watchSession(() => {
  const next = readSession()?.token;
  if (next === token) return;
  token = next;
  void router.invalidate().then(() => queryClient.clear());
});

const place = document.getElementById('root');
if (!place) throw new Error('index.html has no #root.');
createRoot(place).render(
  <StrictMode>
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </CSPProvider>
  </StrictMode>,
);
