import { useEffect, useRef, useState } from 'react';
import type { Level, LogFilter } from './session/log-filter.ts';

/** The state of the viewer that is kept in the address: the filter and the marked line. */
export interface LogView extends LogFilter {
  line: number | null;
}

/** A search starts this long after the last key. */
const typingMs = 250;

export type LogViewState = ReturnType<typeof useLogView>;

/** The current filter, the text being typed, and functions to change them. */
export function useLogView(view: LogView, onView: (view: LogView) => void) {
  const [typed, setTyped] = useState(view.search);
  const latest = useRef({ view, onView });
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const appliedSearch = useRef(view.search);
  useEffect(() => {
    latest.current = { view, onView };
  });
  useEffect(() => () => clearTimeout(timer.current), []);
  // A search that changed in the address, for example by Back, replaces the typed text.
  useEffect(() => {
    if (appliedSearch.current === view.search) return;
    appliedSearch.current = view.search;
    // oxlint-disable-next-line react/set-state-in-effect -- the address is outside of React
    setTyped(view.search);
  }, [view.search]);

  const change = (next: Partial<LogView>) => {
    if (next.search !== undefined) {
      clearTimeout(timer.current);
      appliedSearch.current = next.search;
      setTyped(next.search);
    }
    // Update at once, since another change may happen before the address has changed.
    latest.current.view = { ...latest.current.view, ...next };
    latest.current.onView(latest.current.view);
  };
  return {
    typed,
    /** The typed text is not applied yet. */
    isTyping: typed !== view.search,
    change,
    setLevels: (levels: readonly Level[]) => change({ levels }),
    typeSearch(search: string) {
      setTyped(search);
      clearTimeout(timer.current);
      timer.current = setTimeout(() => change({ search }), typingMs);
    },
  };
}
