import type { Virtualizer } from '@tanstack/react-virtual';
import { type ReactNode, type Ref, useState } from 'react';
import type { Zone } from '../../ui/preferences/zone.ts';
import { LogRow } from './LogRow.tsx';
import type { HeldLine } from './session/log-buffer.ts';

const boxLook = {
  page: 'min-h-24 max-h-[min(36rem,70dvh)]',
  small: 'min-h-24 max-h-56',
  dialog: 'h-[calc(100dvh-27rem)] sm:h-[min(30rem,calc(100dvh-23rem))] min-h-52',
} as const;

interface Props {
  deploymentId: string;
  boxRef: Ref<HTMLDivElement>;
  virtualizer: Virtualizer<HTMLDivElement, Element>;
  shown: readonly HeldLine[];
  height: keyof typeof boxLook;
  zone: Zone;
  showTime: boolean;
  wrap: boolean;
  search: string;
  marked: number | null;
  onMark: (number: number) => void;
  /** j and k: moves to the line after or before the marked one. */
  onStep: (direction: 1 | -1) => void;
  onScroll: () => void;
  /** Content shown when there are no lines. */
  children: ReactNode;
}

/** The scrolling box; only the lines in view are rendered. */
export function LogLines({
  deploymentId,
  boxRef,
  virtualizer,
  shown,
  height,
  zone,
  showTime,
  wrap,
  search,
  marked,
  onMark,
  onStep,
  onScroll,
  children,
}: Props) {
  const rows = virtualizer.getVirtualItems();
  // The box never becomes lower: a filter that leaves few lines must not move its own controls.
  const [tallest, setTallest] = useState(0);
  const linesPx = virtualizer.getTotalSize();
  if (linesPx > tallest) setTallest(linesPx);
  const [unfolded, setUnfolded] = useState<ReadonlySet<number>>(new Set());
  const toggle = (number: number) => setUnfolded(new Set([number]).symmetricDifference(unfolded));
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- j and k do what a click on a number does
    <div
      ref={boxRef}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be scrollable by keyboard
      tabIndex={0}
      role="region"
      aria-label="Log lines"
      onScroll={onScroll}
      onClick={(event) => {
        const target = event.target as Element;
        const number = Number(target.closest<HTMLElement>('[data-line]')?.dataset.line);
        const folded = Number(target.closest<HTMLElement>('[data-fold]')?.dataset.fold);
        if (number > 0) onMark(number);
        if (folded > 0) toggle(folded);
      }}
      onKeyDown={(event) => {
        const step = { j: 1, k: -1 }[event.key];
        if (step === undefined || event.metaKey || event.ctrlKey || event.altKey) return;
        event.stopPropagation();
        onStep(step as 1 | -1);
      }}
      className={`overflow-auto overscroll-contain border border-border bg-sunken font-mono text-mono [overflow-anchor:none] ${boxLook[height]}`}
      style={height === 'page' ? { minHeight: `min(${tallest}px, 36rem, 70dvh)` } : undefined}
    >
      {shown.length === 0 ? children : null}
      <div className={wrap ? 'w-full' : 'w-max min-w-full'} style={{ height: virtualizer.getTotalSize() }}>
        <div style={{ transform: `translateY(${rows[0]?.start ?? 0}px)` }}>
          {rows.map(({ key, index }) => {
            const held = shown[index];
            return held ? (
              <div key={key} ref={virtualizer.measureElement} data-index={index}>
                <LogRow
                  deploymentId={deploymentId}
                  held={held}
                  zone={zone}
                  showTime={showTime}
                  wrap={wrap}
                  search={search}
                  isMarked={held.line.number === marked}
                  isUnfolded={unfolded.has(held.line.number)}
                />
              </div>
            ) : null;
          })}
        </div>
      </div>
    </div>
  );
}
