import { useSyncExternalStore } from 'react';

let isReachable = true;
let nudge = new AbortController();
const watchers = new Set<() => void>();

export function setReachable(next: boolean) {
  if (next === isReachable) return;
  isReachable = next;
  for (const tell of watchers) tell();
}

/** Whether the server answers this page. */
export const useReachable = () =>
  useSyncExternalStore(
    (changed) => {
      watchers.add(changed);
      return () => watchers.delete(changed);
    },
    () => isReachable,
  );

/** Aborted by the next `retryNow`. */
export const nudged = () => nudge.signal;

/** Asks the server at once, instead of after the current pause. */
export function retryNow() {
  nudge.abort();
  nudge = new AbortController();
}
