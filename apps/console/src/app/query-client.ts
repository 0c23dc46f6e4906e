import { ApiError } from '@paddock/contract/errors';
import { QueryClient } from '@tanstack/react-query';

const worthRetrying = (error: unknown) => error instanceof ApiError && (error.code === 'network' || error.status >= 500);

/** One cache of the server's state. Works without the internet too: a platform in a local network is not 'offline'. */
export const consoleQueries = () =>
  new QueryClient({
    defaultOptions: {
      queries: { networkMode: 'always', staleTime: 5000, retry: (failures, error) => failures < 2 && worthRetrying(error) },
      mutations: { networkMode: 'always' },
    },
  });
