import { useCallback, useEffect, useState } from 'react';
import { toast } from 'react-hot-toast/headless';
import { api } from '../../../api/api.ts';
import { messages } from '../messages.ts';

export type Connection = Awaited<ReturnType<typeof api.databases.connectionString>>;

/** The connection string: fetched when its dialog opens, dropped when it closes, and never cached. */
export function useConnectionString(id: string) {
  const [attempt, setAttempt] = useState(0);
  const [state, setState] = useState<{ connection?: Connection; error?: unknown }>({});
  // oxlint-disable-next-line react/exhaustive-deps -- each attempt asks anew
  useEffect(() => {
    const stop = new AbortController();
    setState({});
    api.databases.connectionString({ id }, { signal: stop.signal }).then(
      (connection) => stop.signal.aborted || setState({ connection }),
      (error: unknown) => {
        if (stop.signal.aborted) return;
        setState({ error });
        toast.error(messages.connection, { id: 'connection-string' });
      },
    );
    return () => stop.abort();
  }, [id, attempt]);
  return { ...state, retry: useCallback(() => setAttempt((before) => before + 1), []) };
}
