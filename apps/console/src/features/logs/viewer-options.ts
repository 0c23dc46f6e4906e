import { useState } from 'react';
import { readPreference, storePreference } from '../../ui/preferences/preference.ts';

/** A switch of the viewer, stored in this browser. */
export function useRememberedSwitch(name: string, initial: boolean): [boolean, (next: boolean) => void] {
  const key = `paddock_log_${name}`;
  const [isOn, setIsOn] = useState(() => (readPreference(key) ?? String(initial)) === 'true');
  return [
    isOn,
    (next) => {
      setIsOn(next);
      storePreference(key, String(next));
    },
  ];
}
