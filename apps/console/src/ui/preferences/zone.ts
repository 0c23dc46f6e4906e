import { useSyncExternalStore } from 'react';
import { readPreference, storePreference } from './preference.ts';

export type Zone = 'local' | 'utc';

const key = 'paddock_zone';
const watchers = new Set<() => void>();
let zone: Zone = readPreference(key) === 'utc' ? 'utc' : 'local';

/** The choice between local time and UTC, which every page and export uses. */
export const useZone = (): Zone =>
  useSyncExternalStore(
    (changed) => {
      watchers.add(changed);
      return () => watchers.delete(changed);
    },
    () => zone,
  );

export function setZone(next: Zone) {
  zone = next;
  storePreference(key, next === 'local' ? null : next);
  for (const tell of watchers) tell();
}
