import type { Span } from '@paddock/contract';
import { countText, latencyText } from '@paddock/contract/figures';
import type { TreeRow } from '@paddock/contract/span-tree';
import { shownText } from '@paddock/contract/terminal-text';
import { ChevronDown } from 'lucide-react';
import { Glyph } from '../../../ui/theme/Glyph.tsx';
import { Icon } from '../../../ui/theme/Icon.tsx';
import { costText } from '../words.ts';
import { computeBar, type Frame } from './bars.ts';
import { spanTypes } from './span-types.ts';

/** The columns of the waterfall; on a narrow screen the bar is on a separate line. */
export const rowLook =
  'grid items-center gap-x-2 px-3 grid-cols-[minmax(0,1fr)_auto] @min-[44rem]:gap-x-4 @min-[44rem]:grid-cols-[minmax(0,5fr)_10rem_4.5rem_minmax(0,4fr)]';

/** Maximum indented depth: a name must have room on a phone, too. */
const maxIndented = 10;

interface Props {
  id: string;
  measure: (element: Element | null) => void;
  index: number;
  top: number;
  row: TreeRow;
  frame: Frame;
  isActive: boolean;
  /** Undefined for a span without children. */
  isOpen: boolean | undefined;
  onFold: (isFolded: boolean) => void;
  onOpen: () => void;
}

export function SpanRow({ id, measure, index, top, row, frame, isActive, isOpen, onFold, onOpen }: Props) {
  const { span, level, position, siblings } = row;
  const { word, icon } = spanTypes[span.type];
  const name = shownText(span.name, 120) || 'Unnamed';
  const isFailed = span.status === 'error';
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the grid has the focus and the keys
    <div
      id={id}
      ref={measure}
      data-index={index}
      role="row"
      aria-rowindex={index + 2}
      aria-level={level}
      aria-posinset={position}
      aria-setsize={siblings}
      aria-expanded={isOpen}
      aria-selected={isActive}
      onClick={onOpen}
      style={{ top }}
      className={`absolute inset-x-0 min-h-8 cursor-pointer py-1 text-base pointer-coarse:min-h-11 ${rowLook} ${isActive ? 'bg-accent-soft group-focus-visible/grid:outline-2 group-focus-visible/grid:-outline-offset-2 group-focus-visible/grid:outline-focus' : 'hover:bg-canvas'}`}
    >
      <span role="gridcell" className="flex min-w-0 items-center gap-1.5 [--indent:0.375rem] @min-[44rem]:[--indent:0.875rem]">
        <span aria-hidden="true" className="shrink-0" style={{ width: `calc(var(--indent) * ${Math.min(level - 1, maxIndented)})` }} />
        {isOpen === undefined ? (
          <span className="size-6 shrink-0 pointer-coarse:w-9" />
        ) : (
          <button
            type="button"
            tabIndex={-1}
            aria-label={`${isOpen ? 'Collapse' : 'Expand'} ${name}`}
            onClick={(event) => {
              event.stopPropagation();
              onFold(isOpen);
            }}
            className="inline-flex size-6 shrink-0 items-center justify-center rounded-control text-muted hover:bg-neutral-bg hover:text-text pointer-coarse:size-9"
          >
            <span className={isOpen ? '' : '-rotate-90'}>
              <Icon of={ChevronDown} />
            </span>
          </button>
        )}
        <span className="inline-flex shrink-0 items-center gap-1.5 text-xs text-muted" title={word}>
          <Icon of={icon} />
          <span className="w-16 @max-[56rem]:sr-only">{word}</span>
        </span>
        {isFailed ? (
          <span className="inline-flex shrink-0 items-center gap-1 text-xs font-semibold text-error-fg">
            <Glyph name="cross" />
            <span className="@max-[56rem]:sr-only">Error</span>
          </span>
        ) : null}
        <span className={`truncate ${level === 1 ? 'font-semibold' : ''}`}>{name}</span>
      </span>
      <span role="gridcell" className="text-right text-sm whitespace-nowrap text-muted @max-[44rem]:sr-only">
        {usedText(span)}
      </span>
      <span role="gridcell" className="text-right text-sm whitespace-nowrap">
        {latencyText(span.duration_ms)}
      </span>
      <span role="gridcell" className="@max-[44rem]:col-span-2">
        <TimeBar span={span} frame={frame} />
      </span>
    </div>
  );
}

/** '1.7K → 212 · $0.01' for a model call; only the tokens if they are counted in another span. */
function usedText({ input_tokens, output_tokens, cost_usd, model, is_counted }: Span): string {
  if (input_tokens === null && output_tokens === null) return '';
  const tokens = `${countText(input_tokens)} → ${countText(output_tokens)}`;
  if (!is_counted || model === null) return tokens;
  return `${tokens} · ${costText(cost_usd)}`;
}

function TimeBar({ span, frame }: { span: Span; frame: Frame }) {
  const { left, width, waited } = computeBar(span, frame);
  const look = span.status === 'error' ? 'bg-error-dot' : spanTypes[span.type].bar;
  return (
    <span className="relative block h-3">
      <span className="sr-only">
        From {latencyText(span.offset_ms)}
        {waited === null ? '' : `, first part after ${latencyText(span.first_chunk_ms)}`}
      </span>
      <span
        aria-hidden="true"
        className="absolute inset-y-0 min-w-0.5 overflow-hidden rounded-[1px]"
        style={{ left: `min(${left}%, calc(100% - 2px))`, width: `${width}%` }}
      >
        {waited === null ? null : (
          <span className={`absolute inset-y-1 left-0 ${look} forced-colors:bg-[CanvasText]`} style={{ width: `${waited}%` }} />
        )}
        <span
          className={`absolute inset-y-0 right-0 ${look} ${waited === null ? '' : 'border-l-2 border-text'} forced-colors:bg-[CanvasText]`}
          style={{ left: `${waited ?? 0}%` }}
        />
      </span>
    </span>
  );
}
