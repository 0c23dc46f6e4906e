import { ApiError } from '@paddock/contract/errors';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api } from '../../api/api.ts';
import { useSession } from '../../api/session.ts';
import { nudged, retryNow, setReachable } from './reachability.ts';

/** Changes often come in bursts; one refetch covers a burst. */
const settleMs = 250;
const backoffMs = [1000, 2000, 4000, 8000, 15_000, 30_000] as const;

/**
 * Long-polls for changes of the team until the signal aborts, and calls back after each change. Sends no request before `awake` resolves.
 * After a failure it backs off, up to 30 s.
 */
export async function followChanges({
  wait,
  onChange,
  onReachable,
  awake,
  pause,
  nudge = () => signal,
  signal,
}: {
  /** Resolves with the version once it differs from the given one, or after a timeout. */
  wait: (after: number, signal: AbortSignal) => Promise<number>;
  onChange: () => void;
  /** Called with `false` from the second request on that no server answered, and with `true` after each answered one. */
  onReachable: (isReachable: boolean) => void;
  /** Resolves at once while the page is visible, else when it becomes visible. */
  awake: (signal: AbortSignal) => Promise<void>;
  pause: (ms: number, signal: AbortSignal) => Promise<void>;
  /** A signal that aborts the current request or pause, so that the next request follows at once. */
  nudge?: () => AbortSignal;
  signal: AbortSignal;
}): Promise<void> {
  let version = 0;
  let failures = 0;
  while (!signal.aborted) {
    const current = AbortSignal.any([signal, nudge()]);
    try {
      await awake(signal);
      const next = await wait(version, current);
      // The first response counts as a change too: something may have happened between loading a list and this request. While no server
      // answered, lists may have failed.
      if (next !== version || failures > 0) onChange();
      failures = 0;
      onReachable(true);
      version = next;
      // Pause without a change too: a server that responds at once must not make the loop spin.
      await pause(settleMs, signal);
    } catch (cause) {
      if (signal.aborted) return;
      if (current.aborted) continue;
      // The failure is not shown: each list reports its own failure, and this loop only refreshes them sooner.
      console.warn('Changes cannot be watched at the moment; trying again.', cause);
      failures += 1;
      if (failures > 1 && isAway(cause)) onReachable(false);
      await pause(backoffMs[Math.min(failures, backoffMs.length) - 1] ?? 30_000, current);
    }
  }
}

/** No server answered, or only a proxy in front of it. */
const isAway = (cause: unknown) => cause instanceof ApiError && (cause.code === 'network' || [502, 503, 504].includes(cause.status));

/** Keeps every list and detail on the page up to date while somebody is signed in and the page is visible. */
export function useLiveRefresh() {
  const client = useQueryClient();
  const token = useSession()?.token;
  useEffect(() => {
    if (token === undefined) return undefined;
    const stop = new AbortController();
    void followChanges({
      wait: (after, signal) => api.system.changes({ after }, { signal }).then(({ version }) => version),
      onChange: () => void client.invalidateQueries({ predicate: ({ queryKey: [first] }) => first !== 'me' && first !== 'system' }),
      onReachable: setReachable,
      awake,
      pause,
      nudge: nudged,
      signal: stop.signal,
    });
    for (const event of ['online', 'offline']) window.addEventListener(event, retryNow, { signal: stop.signal });
    return () => {
      stop.abort();
      setReachable(true);
    };
  }, [client, token]);
}

const awake = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (document.visibilityState === 'visible') return resolve();
    const done = new AbortController();
    const finish = () => {
      done.abort();
      resolve();
    };
    document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && finish(), { signal: done.signal });
    signal.addEventListener('abort', finish, { signal: done.signal });
  });

const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
