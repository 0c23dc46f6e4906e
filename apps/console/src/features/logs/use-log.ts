import { useEffect, useState, useSyncExternalStore } from 'react';
import { api } from '../../api/api.ts';
import { type LogSession, openLogSession } from './session/log-session.ts';
import { emptySnapshot } from './session/log-snapshot.ts';
import { openStream } from './session/open-stream.ts';

/** A socket that slept this long with its tab may look open and be dead. */
const sleepMs = 10_000;

/** The log of one deployment for as long as the component is there; picks up again when the tab comes back. */
export function useLog(deploymentId: string): LogSession | null {
  const [session, setSession] = useState<LogSession | null>(null);
  useEffect(() => {
    const opened = openLogSession({
      deploymentId,
      list: (input, options) => api.logs.list(input, options),
      count: (input, options) => api.logs.counts(input, options),
      open: openStream,
    });
    // oxlint-disable-next-line react/set-state-in-effect -- what the effect opens it must also close; it cannot be made while rendering
    setSession(opened);
    let hiddenAt = 0;
    const onVisibility = () => {
      if (document.visibilityState === 'hidden') hiddenAt = Date.now();
      else if (opened.snapshot().state !== 'connected' || Date.now() - hiddenAt > sleepMs) opened.resume();
    };
    document.addEventListener('visibilitychange', onVisibility);
    return () => {
      document.removeEventListener('visibilitychange', onVisibility);
      opened.close();
    };
  }, [deploymentId]);
  return session;
}

const silent = () => () => undefined;

export const useLogSnapshot = (session: LogSession | null) =>
  useSyncExternalStore(session?.subscribe ?? silent, session ? session.snapshot : () => emptySnapshot);
