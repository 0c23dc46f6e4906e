import type { SyntheticEvent } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { steadyPopup } from './steady-popup.ts';

afterEach(() => {
  vi.restoreAllMocks();
  document.body.replaceChildren();
});

test('a dialog that is pressed often waits once for another size of the window, and moves freely after it', () => {
  const listen = vi.spyOn(window, 'addEventListener');
  const waits = () => listen.mock.calls.filter(([type]) => type === 'resize').length;
  const popup = document.createElement('div');
  document.body.append(popup);
  const press = () => steadyPopup.onPointerDownCapture({ currentTarget: popup, target: popup } as unknown as SyntheticEvent<HTMLElement>);
  for (let presses = 0; presses < 3; presses += 1) press();
  expect(waits()).toBe(1);
  expect(popup.style.top).not.toBe('');
  window.dispatchEvent(new Event('resize'));
  expect(popup.style.top).toBe('');
  press();
  expect(waits()).toBe(2);
  window.dispatchEvent(new Event('resize'));
  expect(popup.style.top).toBe('');
});
