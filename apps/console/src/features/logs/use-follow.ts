import { type RefObject, useEffect, useRef, useState } from 'react';
import { indexOfNumber } from './log-search.ts';
import type { HeldLine } from './session/log-buffer.ts';

/** Distance in pixels from the end that still counts as the end. */
const nearPx = 24;
/** Scrolling within this time after a jump is caused by the jump, not by the reader. */
const jumpMs = 400;

export type Follow = ReturnType<typeof useFollow>;

/**
 * Whether the view follows the newest line. Scrolling up or selecting text stops it, so that nothing moves under the reader; scrolling down
 * to the end, or the button, resumes it.
 */
export function useFollow(box: RefObject<HTMLElement | null>, shown: readonly HeldLine[], initially: boolean) {
  const [isOn, setIsOn] = useState(initially);
  const [seen, setSeen] = useState(0);
  const latest = useRef(shown);
  const lastTop = useRef(0);
  const jumpedAt = useRef(0);
  useEffect(() => {
    latest.current = shown;
  });

  const letGo = () => {
    if (!isOn) return;
    setIsOn(false);
    setSeen(latest.current.at(-1)?.line.number ?? 0);
  };
  const letGoNow = useRef(letGo);
  useEffect(() => {
    letGoNow.current = letGo;
  });
  useEffect(() => {
    const onSelection = () => {
      const selection = document.getSelection();
      if (selection && !selection.isCollapsed && box.current?.contains(selection.anchorNode)) letGoNow.current();
    };
    document.addEventListener('selectionchange', onSelection);
    return () => document.removeEventListener('selectionchange', onSelection);
  }, [box]);

  return {
    isOn,
    /** Number of lines that arrived since the view stopped following. */
    unseen: isOn || seen === 0 ? 0 : shown.length - indexOfNumber(shown, seen + 1),
    start: () => setIsOn(true),
    stop() {
      jumpedAt.current = performance.now();
      letGo();
    },
    /** Returns true if the reader scrolled up. */
    onScroll(): boolean {
      const { scrollTop = 0, scrollHeight = 0, clientHeight = 0 } = box.current ?? {};
      const isUp = scrollTop < lastTop.current - 1;
      const isDown = scrollTop > lastTop.current;
      lastTop.current = scrollTop;
      const isAtEnd = scrollHeight - clientHeight - scrollTop <= nearPx;
      const isReader = performance.now() - jumpedAt.current > jumpMs;
      if (isDown && isAtEnd && isReader) setIsOn(true);
      else if (isUp && !isAtEnd) letGo();
      return isUp && isReader;
    },
  };
}
