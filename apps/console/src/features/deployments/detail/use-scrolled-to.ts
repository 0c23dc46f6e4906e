import { type RefObject, useEffect } from 'react';

/** Parts of the page that come later than this do not move it any more. */
const maxMs = 5_000;
/** A reader who moves the page, or presses something, keeps it where it is. */
const takeovers = ['wheel', 'touchmove', 'keydown', 'pointerdown'] as const;

/** Scrolls to a place, and stays there while parts of the page are still coming in, until the reader does something. */
export function useScrolledTo(place: RefObject<HTMLElement | null>, isWanted: boolean) {
  useEffect(() => {
    if (!isWanted) return undefined;
    const over = new AbortController();
    const resized = new ResizeObserver(() => place.current?.scrollIntoView());
    resized.observe(document.body);
    const stop = () => {
      resized.disconnect();
      over.abort();
    };
    for (const name of takeovers) addEventListener(name, stop, { signal: over.signal, passive: true });
    const timer = setTimeout(stop, maxMs);
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [place, isWanted]);
}
