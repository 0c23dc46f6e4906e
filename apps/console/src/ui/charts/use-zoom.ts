import { useRef, useState } from 'react';
import type { ChartPoint, ChartView, ChartZoom } from './chart-shape.ts';

interface Deps {
  points: readonly ChartPoint[];
  view: ChartView;
  zoom: ChartZoom | null;
  onZoom: ((zoom: ChartZoom | null) => void) | undefined;
  formatTime: (at: number) => string;
}

export type Zooming = ReturnType<typeof useZoom>;

/**
 * A selection that grows from a point, by pointer or by keys, and becomes the zoom. A selection belongs to one chart, the zoom to all that
 * share it.
 */
export function useZoom({ points, view, zoom, onZoom, formatTime }: Deps) {
  const [span, setSpan] = useState<{ anchor: number; head: number } | null>(null);
  const [told, tell] = useState('');
  const lookedAt = useRef<number>(null);
  const inView = (index: number) => Math.min(view.last, Math.max(view.first, index));
  const selection = span ? { first: inView(Math.min(span.anchor, span.head)), last: inView(Math.max(span.anchor, span.head)) } : null;

  const zoomTo = (first: number, last: number) => {
    const [from, to] = [points[first]?.at, points[last]?.at];
    setSpan(null);
    // A single point has no width to zoom to.
    if (from === undefined || to === undefined || to <= from) return;
    onZoom?.({ from, to });
    tell(`Shows ${formatTime(from)} to ${formatTime(to)}`);
  };
  const half = Math.floor((view.last - view.first) / 2);
  return {
    isOffered: onZoom !== undefined,
    isZoomed: zoom !== null,
    canZoomIn: half > 0,
    selection,
    /** Announcement of the last zoom of this chart, for screen readers. */
    told,
    /** Remembers the point under the cross-hair, around which 'Zoom in' zooms. */
    look: (index: number) => {
      lookedAt.current = index;
    },
    begin: (index: number) => onZoom && setSpan({ anchor: index, head: index }),
    extend: (from: number, to: number) => onZoom && setSpan((known) => ({ anchor: known?.anchor ?? from, head: to })),
    drop: () => setSpan(null),
    /** Zooms to the selection, or up to the given point. Without a selection it does nothing. */
    take: (head = span?.head) =>
      span && head !== undefined && zoomTo(inView(Math.min(span.anchor, head)), inView(Math.max(span.anchor, head))),
    /** Zooms to the half around the remembered point, or to the newest half. */
    zoomIn: () => {
      const centre = inView(lookedAt.current ?? view.last);
      const first = Math.min(view.last - half, Math.max(view.first, centre - Math.floor(half / 2)));
      zoomTo(first, first + half);
    },
    reset: () => {
      setSpan(null);
      onZoom?.(null);
      tell('Zoom reset');
    },
  };
}
