import { useEffect, useRef, useState } from 'react';
import type { Level, LogFilter } from './session/log-filter.ts';

/** The part of the viewer that the address keeps: the filter and the marked line. */
export interface LogView extends LogFilter {
  line: number | null;
}

/** A search is sent this long after the last key. */
const typingMs = 250;

export type LogViewEdit = ReturnType<typeof useLogView>;

/** The filter in force, what is just being typed, and the ways to change them. */
export function useLogView(view: LogView, onView: (view: LogView) => void) {
  const [typed, setTyped] = useState(view.search);
  const latest = useRef({ view, onView });
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const known = useRef(view.search);
  useEffect(() => {
    latest.current = { view, onView };
  });
  useEffect(() => () => clearTimeout(timer.current), []);
  // Another search in the address, as after Back, is not what is being typed here.
  useEffect(() => {
    if (known.current === view.search) return;
    known.current = view.search;
    // oxlint-disable-next-line react/set-state-in-effect -- the address is outside of React
    setTyped(view.search);
  }, [view.search]);

  const change = (next: Partial<LogView>) => {
    if (next.search !== undefined) {
      clearTimeout(timer.current);
      known.current = next.search;
      setTyped(next.search);
    }
    // At once, as another change may come before the address has changed.
    latest.current.view = { ...latest.current.view, ...next };
    latest.current.onView(latest.current.view);
  };
  return {
    typed,
    /** What is typed is not what is shown yet. */
    isTyping: typed !== view.search,
    change,
    choose: (levels: readonly Level[]) => change({ levels }),
    type(search: string) {
      setTyped(search);
      clearTimeout(timer.current);
      timer.current = setTimeout(() => change({ search }), typingMs);
    },
  };
}
