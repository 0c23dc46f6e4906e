import { useSyncExternalStore } from 'react';
import { readPreference, storePreference } from './preference.ts';

export const themeChoices = ['system', 'light', 'dark'] as const;
export type ThemeChoice = (typeof themeChoices)[number];

// The same key is read by public/theme.js before the first paint.
const key = 'paddock_theme';
const watchers = new Set<() => void>();
const stored = readPreference(key);
let choice: ThemeChoice = stored === 'light' || stored === 'dark' ? stored : 'system';

export const useThemeChoice = (): ThemeChoice =>
  useSyncExternalStore(
    (changed) => {
      watchers.add(changed);
      return () => watchers.delete(changed);
    },
    () => choice,
  );

export function setThemeChoice(next: ThemeChoice) {
  choice = next;
  storePreference(key, next === 'system' ? null : next);
  if (next === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = next;
  for (const tell of watchers) tell();
}
