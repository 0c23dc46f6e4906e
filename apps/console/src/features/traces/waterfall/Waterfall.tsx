import type { Span } from '@paddock/contract';
import { latencyText } from '@paddock/contract/figures';
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type RefObject, useEffect, useId, useMemo, useRef } from 'react';
import { computeFrame, type Frame } from './bars.ts';
import { rowLook, SpanRow } from './SpanRow.tsx';
import { hasInner } from './tree.ts';
import type { Tree } from './use-tree.ts';

/** The height of the head, including its border. */
const headPx = 37;

interface Props {
  tree: Tree;
  spans: readonly Span[];
  durationMs: number;
  onOpen: (row: number) => void;
}

/**
 * The spans as a tree with their times. Only rows in view and the active one are rendered: the focus stays on the grid, which refers screen
 * readers to the active row.
 */
export function Waterfall({ tree, spans, durationMs, onOpen }: Props) {
  const { rows, shown, active, isOpen, choose, fold, keys } = tree;
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const frame = useMemo(() => computeFrame(spans, durationMs), [spans, durationMs]);
  const virtualizer = useSpanRows(box, shown, shown.indexOf(active));
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.metaKey || event.ctrlKey || event.altKey || event.target !== event.currentTarget) return;
    const act = event.key === 'Enter' || event.key === ' ' ? () => onOpen(active) : keys[event.key];
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  };
  return (
    <div
      ref={box}
      role="treegrid"
      aria-label="Spans"
      aria-rowcount={shown.length + 1}
      aria-activedescendant={`${id}-${active}`}
      tabIndex={0}
      onKeyDown={onKeyDown}
      className="@container group/grid max-h-[min(44rem,75dvh)] overflow-x-hidden overflow-y-auto border border-border bg-surface"
    >
      <Head frame={frame} />
      <div role="rowgroup" className="relative" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ key, index, start }) => {
          const row = shown[index] ?? 0;
          const treeRow = rows[row];
          return treeRow ? (
            <SpanRow
              key={key}
              id={`${id}-${row}`}
              measure={virtualizer.measureElement}
              index={index}
              top={start}
              row={treeRow}
              frame={frame}
              isActive={row === active}
              isOpen={hasInner(rows, row) ? isOpen(row) : undefined}
              onFold={(isFolded) => {
                choose(row);
                fold(row, isFolded);
              }}
              onOpen={() => {
                choose(row);
                onOpen(row);
              }}
            />
          ) : null;
        })}
      </div>
    </div>
  );
}

/** The rows in view, and always the active one, since the grid refers to it. */
function useSpanRows(box: RefObject<HTMLDivElement | null>, shown: readonly number[], active: number) {
  // oxlint-disable-next-line react/incompatible-library -- its functions change with each render, and nothing here keeps them
  const virtualizer = useVirtualizer<HTMLDivElement, Element>({
    count: shown.length,
    getScrollElement: () => box.current,
    estimateSize: () => 32,
    getItemKey: (index) => shown[index] ?? index,
    overscan: 12,
    // The head covers this much of the box.
    scrollPaddingEnd: headPx,
    rangeExtractor: (range) => [...new Set([...defaultRangeExtractor(range), Math.max(0, active)])].toSorted((a, b) => a - b),
  });
  useEffect(() => {
    virtualizer.scrollToIndex(active, { align: 'auto' });
    // The box itself may extend below the window.
    if (document.activeElement === box.current) box.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
    // oxlint-disable-next-line react/exhaustive-deps -- once for each active row
  }, [active]);
  return virtualizer;
}

const Head = ({ frame: { from, ms } }: { frame: Frame }) => (
  <div role="rowgroup" className="sticky top-0 z-1 border-b border-border bg-surface">
    <div role="row" aria-rowindex={1} className={`${rowLook} h-9 text-xs font-semibold text-muted`}>
      <span role="columnheader">Span</span>
      <span role="columnheader" className="text-right @max-[44rem]:sr-only">
        Tokens and cost
      </span>
      <span role="columnheader" className="text-right">
        Duration
      </span>
      <span role="columnheader" className="flex justify-between gap-2 font-normal @max-[44rem]:sr-only">
        <span className="sr-only">Time, from </span>
        <span>{latencyText(from)}</span>
        <span className="sr-only"> to </span>
        <span>{latencyText(from + ms)}</span>
      </span>
    </div>
  </div>
);
