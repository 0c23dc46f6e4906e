import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api } from '../../api/api.ts';
import { useSession } from '../../api/session.ts';

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
  awake,
  pause,
  signal,
}: {
  /** Resolves with the version once it differs from the given one, or after a timeout. */
  wait: (after: number, signal: AbortSignal) => Promise<number>;
  onChange: () => void;
  /** Resolves at once while the page is visible, else when it becomes visible. */
  awake: (signal: AbortSignal) => Promise<void>;
  pause: (ms: number, signal: AbortSignal) => Promise<void>;
  signal: AbortSignal;
}): Promise<void> {
  let version = 0;
  let failures = 0;
  while (!signal.aborted) {
    try {
      await awake(signal);
      const next = await wait(version, signal);
      failures = 0;
      // The first response counts as a change too: something may have happened between loading a list and this request.
      if (next !== version) onChange();
      version = next;
      // Pause without a change too: a server that responds at once must not make the loop spin.
      await pause(settleMs, signal);
    } catch (cause) {
      if (signal.aborted) return;
      // The failure is not shown: each list reports its own failure, and this loop only refreshes them sooner.
      console.warn('Changes cannot be watched at the moment; trying again.', cause);
      await pause(backoffMs[Math.min(failures, backoffMs.length - 1)] ?? 30_000, signal);
      failures += 1;
    }
  }
}

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
      awake,
      pause,
      signal: stop.signal,
    });
    return () => stop.abort();
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
