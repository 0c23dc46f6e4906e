import { useEffect, useState, useSyncExternalStore } from 'react';
import { api } from '../../api/api.ts';
import { type LogSession, openLogSession } from './session/log-session.ts';
import { emptySnapshot } from './session/log-snapshot.ts';
import { openStream } from './session/open-stream.ts';

/** A socket whose tab slept this long may look open but be dead. */
const sleepMs = 10_000;

/** The log of a deployment while the component is mounted; it reconnects when the tab becomes visible again. */
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
