/** Pressable elements; everything else under the pointer is ignored. */
const controls =
  'button, a[href], input, select, textarea, summary, label, [role="button"], [role="menuitem"], [role="option"], [role="slider"]';

/** A pointer that has moved at most this far counts as resting. */
const restPx = 12;
/** A control that moved under the resting pointer less than this ago cannot have been the intended target. */
const freshMs = 400;
/** Two presses within this time may be a double click. */
const doubleMs = 500;

/** A finger has no resting position: its last one counts while a second tap may be a double tap. */
const touchRestMs = doubleMs;

/** Time in which an overlay closes after Escape. The controls that it covered have not moved. */
const escapeMs = 500;
/** A busy machine takes longer: then what counts is that the covering element went away, within this time. */
const slowEscapeMs = 5000;

/** A press ends at most this long before its click, if a click comes at all. */
const clickMs = 500;

const pressEnds = ['pointerup', 'pointercancel', 'mouseup', 'touchend', 'touchcancel'] as const;
const wholePress = ['pointerdown', 'mousedown', 'touchstart', ...pressEnds, 'click', 'dblclick', 'auxclick'] as const;

/**
 * Blocks presses on a control that moved under the pointer. A page changes while somebody presses: an error pushes a form down, a list
 * grows, a dialog opens or closes. Two kinds of presses then hit an unintended target and are blocked: the second press of a double click
 * that hits another control than the first, and a press on a control that the page moved under the resting pointer within the last 400 ms.
 * The keyboard and controls uncovered by Escape are not affected.
 */
export function guardPresses(page: Document = document): () => void {
  const ended = new AbortController();
  /** Last position of the pointer, and the control below it. */
  let rest: { x: number; y: number; until: number } | undefined;
  let below: Element | null = null;
  let movedInAt = Number.NEGATIVE_INFINITY;
  /** Target of the first press of a possible double click. */
  let pressed = { control: null as Element | null, x: 0, y: 0, at: Number.NEGATIVE_INFINITY };
  /** Events of the current press are refused until this time: a later click does not come from the pointer. */
  let refusedUntil = Number.NEGATIVE_INFINITY;
  let isClickRefused = false;

  /** Called after the page changed: checks whether another control is now under the resting pointer. */
  function look() {
    if (rest && performance.now() > rest.until) rest = undefined;
    if (!rest || ended.signal.aborted) return;
    stand(controlOf(page.elementFromPoint(rest.x, rest.y)));
  }
  function stand(control: Element | null) {
    if (control === below) return;
    below = control;
    if (control) movedInAt = isUncovered() ? Number.NEGATIVE_INFINITY : performance.now();
  }
  function move({ clientX: x, clientY: y, target, pointerType }: PointerEvent) {
    const control = controlOf(target);
    // The page may have changed in the same frame as this event: then the control moved, and not the person.
    if (isLooking() && rest && isNear(rest, x, y)) stand(control);
    else if (control !== below || !rest || !isNear(rest, x, y)) {
      below = control;
      movedInAt = Number.NEGATIVE_INFINITY;
    }
    rest = { x, y, until: restsUntil(pointerType) };
  }
  function isMeant(event: PointerEvent | MouseEvent): boolean {
    const control = controlOf(event.target);
    // The browser counts the presses of a double click by the system's settings. It also counts quick taps of a finger that are far apart.
    if (event.type === 'mousedown' && event.detail > 1 && isNear(pressed, event.clientX, event.clientY)) return control === pressed.control;
    // A dialog opened by the first press would treat the second as a press outside, before the browser has counted it.
    const isSecond = event.timeStamp - pressed.at < doubleMs && isNear(pressed, event.clientX, event.clientY);
    if (isSecond && control === null && pressed.control !== null) return false;
    const isFresh = control !== null && performance.now() - movedInAt < freshMs;
    return !(isFresh && rest && isNear(rest, event.clientX, event.clientY));
  }
  function onPress(event: Event) {
    if (event instanceof PointerEvent && event.type === 'pointerdown') {
      if (isLooking() && rest && isNear(rest, event.clientX, event.clientY)) stand(controlOf(event.target));
      const isPress = isMeant(event);
      refusedUntil = isPress ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
      // Reset: a move under the previous position is irrelevant to the mousedown of this press, which follows.
      if (isPress) movedInAt = Number.NEGATIVE_INFINITY;
      isClickRefused = false;
      rest = { x: event.clientX, y: event.clientY, until: restsUntil(event.pointerType) };
      below = controlOf(event.target);
    } else if (event instanceof MouseEvent && event.type === 'mousedown') {
      if (!isMeant(event)) refusedUntil = Number.POSITIVE_INFINITY;
      if (event.detail <= 1 || !isNear(pressed, event.clientX, event.clientY))
        pressed = { control: controlOf(event.target), x: event.clientX, y: event.clientY, at: event.timeStamp };
    }
    if (isRefused(event)) refuse(event);
  }
  function isRefused(event: Event): boolean {
    // The dblclick event follows the click, which has ended the press.
    if (event.type === 'dblclick') return isClickRefused;
    // A click without a count comes from the keyboard or from a script.
    if (event.type === 'click' && event instanceof MouseEvent && event.detail === 0) return false;
    return event.timeStamp <= refusedUntil;
  }
  function refuse(event: Event) {
    if (pressEnds.some((type) => type === event.type)) refusedUntil = event.timeStamp + clickMs;
    if (event.type === 'click' || event.type === 'auxclick') {
      refusedUntil = Number.NEGATIVE_INFINITY;
      isClickRefused = true;
    }
    if (event.cancelable) event.preventDefault();
    event.stopImmediatePropagation();
  }

  const listening = { capture: true, passive: false, signal: ended.signal } as const;
  for (const type of wholePress) page.addEventListener(type, onPress, listening);
  page.addEventListener('pointermove', move, { capture: true, passive: true, signal: ended.signal });
  const isUncovered = afterEscape(page, ended.signal, () => rest);
  const isLooking = afterChanges(page, ended.signal, look);
  return () => ended.abort();
}

/** The returned function tells whether Escape has just closed what covered the resting pointer. */
function afterEscape(page: Document, signal: AbortSignal, pointer: () => { x: number; y: number } | undefined): () => boolean {
  let escapedAt = Number.NEGATIVE_INFINITY;
  /** The element below the resting pointer when Escape was pressed. */
  let covering: Element | null = null;
  function onKey({ key }: KeyboardEvent) {
    if (key !== 'Escape') return;
    const rest = pointer();
    escapedAt = performance.now();
    covering = rest ? page.elementFromPoint(rest.x, rest.y) : null;
  }
  page.addEventListener('keydown', onKey, { capture: true, signal });
  return () => {
    const sinceEscape = performance.now() - escapedAt;
    const isGone = covering?.isConnected === false && sinceEscape < slowEscapeMs;
    if (isGone) covering = null;
    return isGone || sinceEscape < escapeMs;
  };
}

/** Calls `look` in the next frame after each change of the page. The returned function tells whether a call is pending. */
function afterChanges(page: Document, signal: AbortSignal, look: () => void): () => boolean {
  let isDue = false;
  const changes = new MutationObserver(() => {
    if (isDue) return;
    isDue = true;
    requestAnimationFrame(() => {
      isDue = false;
      look();
    });
  });
  changes.observe(page, { subtree: true, childList: true, characterData: true, attributes: true });
  signal.addEventListener('abort', () => changes.disconnect());
  return () => isDue;
}

const restsUntil = (pointerType: string) => (pointerType === 'touch' ? performance.now() + touchRestMs : Number.POSITIVE_INFINITY);

const controlOf = (target: EventTarget | null): Element | null => (target instanceof Element ? target.closest(controls) : null);

const isNear = (rest: { x: number; y: number }, x: number, y: number) => Math.hypot(x - rest.x, y - rest.y) <= restPx;
