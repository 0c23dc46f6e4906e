import { ApiError } from '@paddock/contract/errors';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect } from 'react';
import { api } from '../../api/api.ts';
import { endSession, readSession, updateUser } from '../../api/session.ts';

/** Loads the signed-in person on every page load. A refused request ends the session; an unreachable server does not. */
export function useProfile() {
  const token = readSession()?.token;
  const { data, error } = useQuery({
    queryKey: ['me', token],
    queryFn: ({ signal }) => api.accounts.me({}, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    // The page may render once more after the session has ended.
    enabled: token !== undefined,
  });
  useEffect(() => {
    if (data) updateUser(data);
  }, [data]);
  useEffect(() => {
    const away = !(error instanceof ApiError) || error.code === 'network' || error.status === 503;
    if (error && !away) endSession(token, false);
  }, [error, token]);
}

/** Ends the session on the server, with a timeout of three seconds, and then in this browser, even if the server failed. */
export function useLogout(): () => void {
  return useCallback(() => {
    const token = readSession()?.token;
    api.accounts
      .logout({}, { signal: AbortSignal.timeout(3000) })
      .catch((error: unknown) => console.warn('The server did not end the session; it ends by itself.', error))
      .finally(() => endSession(token));
  }, []);
}
