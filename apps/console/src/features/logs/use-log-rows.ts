import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import { type RefObject, useEffect } from 'react';
import type { HeldLine } from './session/log-buffer.ts';
import type { LogFilter } from './session/log-filter.ts';
import type { Follow } from './use-follow.ts';

type Box = RefObject<HTMLDivElement | null>;
export type LogRows = Virtualizer<HTMLDivElement, Element>;

/** The virtualized rows: only those in view are rendered. */
export const useLogRows = (box: Box, lines: readonly HeldLine[], follow: Follow): LogRows =>
  // oxlint-disable-next-line react/incompatible-library -- its functions change with each render, and nothing here keeps them
  useVirtualizer<HTMLDivElement, Element>({
    count: lines.length,
    getScrollElement: () => box.current,
    estimateSize: () => 20,
    getItemKey: (index) => lines[index]?.line.number ?? index,
    overscan: 20,
    anchorTo: 'end',
    followOnAppend: follow.isOn,
    scrollEndThreshold: 24,
  });

interface Shown {
  box: Box;
  follow: Follow;
  rows: LogRows;
  wrap: boolean;
  showTime: boolean;
  filter: LogFilter;
  isLoaded: boolean;
}

/** Keeps the last line in view while following, whatever changes the rows or the box. */
export function useStayAtEnd({ box, follow, rows, wrap, showTime, filter, isLoaded }: Shown) {
  useEffect(() => {
    if (follow.isOn) rows.scrollToEnd();
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- each of these changes how high the rows are
  }, [follow.isOn, wrap, showTime, filter, isLoaded, rows]);
  // Resizing the box, for example by turning a phone, must not scroll away from the end.
  useEffect(() => {
    if (!follow.isOn || !box.current) return undefined;
    const resized = new ResizeObserver(() => rows.scrollToEnd());
    resized.observe(box.current);
    return () => resized.disconnect();
  }, [box, follow.isOn, rows]);
}
