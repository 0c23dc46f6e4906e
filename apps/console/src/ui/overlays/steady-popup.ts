import type { SyntheticEvent } from 'react';

const edgePx = 16;
/** Below this width a dialog fills the window and cannot move. */
const floating = '(min-width: 640px)';

/**
 * Keeps the pressed control in place while its dialog grows or shrinks. A centred dialog moves both of its edges; after a press on its
 * buttons it grows upwards instead, and after a press anywhere else downwards.
 */
export const steadyPopup = {
  onPointerDownCapture: (event: SyntheticEvent<HTMLElement>) => hold(event.currentTarget, isAmongButtons(event.target) ? 'bottom' : 'top'),
  // A form within the dialog has its own buttons, far from the dialog's lower edge.
  onSubmitCapture: (event: SyntheticEvent<HTMLElement>) => hold(event.currentTarget, hasButtons(event.target) ? 'bottom' : 'top'),
};

/** The element with a dialog's buttons carries this attribute. */
export const dialogButtons = { 'data-dialog-buttons': '' } as const;

const isAmongButtons = (target: EventTarget) => target instanceof Element && target.closest('[data-dialog-buttons]') !== null;

const hasButtons = (target: EventTarget) => target instanceof Element && target.querySelector('[data-dialog-buttons]') !== null;

/** Popups that are held until the window is resized. */
const waiting = new WeakSet<HTMLElement>();

const held = ['top', 'bottom', 'translate', 'max-height', 'transition'] as const;

function hold(popup: HTMLElement, edge: 'top' | 'bottom') {
  if (!matchMedia(floating).matches) return;
  const { top, bottom, height } = popup.getBoundingClientRect();
  const { style } = popup;
  // A scrolling dialog keeps its height: if it grew, it would scroll less, and the pressed control would move.
  const isFull = height >= Number.parseFloat(getComputedStyle(popup).maxHeight) - 1;
  const room = (edge === 'top' ? innerHeight - top : bottom) - edgePx;
  // Exclude the translation from the transition: it must jump, not move over 180 ms.
  style.setProperty('transition', 'opacity 180ms');
  style.setProperty('translate', '-50% 0');
  style.setProperty('top', edge === 'top' ? `${top}px` : 'auto');
  style.setProperty('bottom', edge === 'bottom' ? `${innerHeight - bottom}px` : 'auto');
  style.setProperty('max-height', `${isFull ? height : room}px`);
  if (waiting.has(popup)) return;
  waiting.add(popup);
  // A closed dialog must not live until the next resize.
  const ref = new WeakRef(popup);
  const release = () => {
    const open = ref.deref();
    if (!open) return;
    waiting.delete(open);
    for (const name of held) open.style.removeProperty(name);
  };
  window.addEventListener('resize', release, { once: true });
}
