import { ApiError } from '@paddock/contract/errors';
import { QueryClient } from '@tanstack/react-query';

const worthRetrying = (error: unknown) => error instanceof ApiError && (error.code === 'network' || error.status >= 500);

/** The query cache. It also works without the internet: a platform in a local network is not 'offline'. */
export const consoleQueries = () =>
  new QueryClient({
    defaultOptions: {
      queries: { networkMode: 'always', staleTime: 5000, retry: (failures, error) => failures < 2 && worthRetrying(error) },
      mutations: { networkMode: 'always' },
    },
  });
