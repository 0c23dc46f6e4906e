import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { offerCommands } from './command-registry.ts';
import { listenForShortcuts, nextKeys, setShortcutsEnabled } from './shortcuts.ts';

const run = vi.fn();
const openPalette = vi.fn();
const openSheet = vi.fn();
let stop: (() => void)[] = [];

beforeEach(() => {
  vi.clearAllMocks();
  setShortcutsEnabled(true);
  stop = [
    listenForShortcuts(openPalette, openSheet),
    offerCommands([{ id: 'go:projects', group: 'Go to', label: 'Projects', keys: 'g p', run }]),
  ];
});
afterEach(() => {
  for (const each of stop) each();
  setShortcutsEnabled(true);
  document.body.replaceChildren();
});

test('a sequence of keys runs its command', async () => {
  await userEvent.keyboard('gp');
  expect(run).toHaveBeenCalledOnce();
});

test('keys typed into a field run nothing, but the palette still opens', async () => {
  const field = document.createElement('input');
  document.body.append(field);
  field.focus();
  await userEvent.keyboard('gp?');
  expect(field.value).toBe('gp?');
  expect(run).not.toHaveBeenCalled();
  expect(openSheet).not.toHaveBeenCalled();
  await userEvent.keyboard('{Control>}k{/Control}');
  expect(openPalette).toHaveBeenCalledOnce();
});

test('single keys can be turned off', async () => {
  setShortcutsEnabled(false);
  await userEvent.keyboard('gp?');
  expect(run).not.toHaveBeenCalled();
  expect(openSheet).not.toHaveBeenCalled();
});

test('a wrong second key starts anew instead of being lost', () => {
  expect(nextKeys(['g'], 'g', ['g p'])).toEqual({ pressed: ['g'] });
  expect(nextKeys(['g'], 'p', ['g p'])).toEqual({ pressed: [], match: 'g p' });
  expect(nextKeys(['g'], 'x', ['g p', '/'])).toEqual({ pressed: [] });
});
