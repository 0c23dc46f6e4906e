import { useSyncExternalStore } from 'react';
import { readPreference, storePreference } from '../ui/preferences/preference.ts';
import { readCommands } from './command-registry.ts';

const preferenceKey = 'paddock_shortcuts';
/** Maximum time between two keys of a sequence. */
const patienceMs = 1200;

/** The effect of a key after earlier keys: a completed sequence, or the keys to remember. */
export function nextKeys(
  pressed: readonly string[],
  key: string,
  sequences: readonly string[],
): { pressed: readonly string[]; match?: string } {
  const fits = (keys: readonly string[]) => sequences.some((sequence) => `${sequence} `.startsWith(`${keys.join(' ')} `));
  const continued = [...pressed, key];
  const alone = fits([key]) ? [key] : [];
  const keys = fits(continued) ? continued : alone;
  const match = sequences.find((sequence) => sequence === keys.join(' '));
  return match === undefined ? { pressed: keys } : { pressed: [], match };
}

/** Runs commands by their shortcuts until the returned function is called. ⌘K and Ctrl-K open the palette even when single keys are off. */
export function listenForShortcuts(openPalette: () => void, openSheet: () => void): () => void {
  let pressed: readonly string[] = [];
  let last = 0;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing || event.repeat) return;
    if ((event.metaKey || event.ctrlKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === 'k') {
      event.preventDefault();
      openPalette();
      return;
    }
    if (!enabled || event.metaKey || event.ctrlKey || event.altKey || event.key === 'Shift' || belongsElsewhere(event.target)) return;
    if (event.timeStamp - last > patienceMs) pressed = [];
    last = event.timeStamp;

    const commands = readCommands();
    const next = nextKeys(pressed, event.key, ['?', ...commands.flatMap(({ keys }) => (keys ? [keys] : []))]);
    pressed = next.pressed;
    if (next.match === undefined) return;
    event.preventDefault();
    if (next.match === '?') openSheet();
    else commands.find(({ keys }) => keys === next.match)?.run();
  };
  document.addEventListener('keydown', onKeyDown);
  return () => document.removeEventListener('keydown', onKeyDown);
}

/** Keys have another meaning in text fields, dialogs and menus. */
const belongsElsewhere = (target: EventTarget | null) =>
  target instanceof Element &&
  target.closest(
    'input:not([type="checkbox"], [type="radio"]), textarea, select, [contenteditable], [role="dialog"], [role="alertdialog"], [role="menu"]',
  ) !== null;

const watchers = new Set<() => void>();
let enabled = readPreference(preferenceKey) !== 'off';

export const useShortcutsEnabled = () =>
  useSyncExternalStore(
    (tell) => {
      watchers.add(tell);
      return () => watchers.delete(tell);
    },
    () => enabled,
  );

export function setShortcutsEnabled(next: boolean) {
  enabled = next;
  storePreference(preferenceKey, next ? null : 'off');
  for (const tell of watchers) tell();
}
