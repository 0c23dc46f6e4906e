import { pluralWord } from '@paddock/contract/plural';
import { ArrowDown } from 'lucide-react';
import { Button } from '../../ui/controls/Button.tsx';
import { CopyButton } from '../../ui/controls/CopyButton.tsx';
import { Icon } from '../../ui/theme/Icon.tsx';
import type { HeldLine } from './session/log-buffer.ts';
import { countText } from './session/log-counts.ts';
import { isFiltering, type LogFilter } from './session/log-filter.ts';
import type { LogSnapshot } from './session/log-snapshot.ts';

/** How many earlier lines are not loaded or not searched, and a button that loads them. */
export function EarlierLines({ snapshot, onLoad }: { snapshot: LogSnapshot; onLoad: () => void }) {
  const { before, filter, isFull, isLoadingOlder, lines } = snapshot;
  if (before === null) return null;
  const earlier = before - 1;
  const isFound = isFiltering(filter);
  const loadMatches = lines.length === 0 ? 'Keep searching' : 'Load earlier matches';
  const areUnseen = isFull ? 'are not shown' : 'have not been searched yet';
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 border border-b-0 border-border bg-surface px-3 py-1 text-sm text-muted">
      {isFound
        ? `Lines before ${before.toLocaleString('en')} ${areUnseen}`
        : `${earlier.toLocaleString('en')} earlier ${pluralWord(earlier, 'line')}`}
      {isFull ? (
        <span>The viewer is full. Download the log to read them.</span>
      ) : (
        <Button variant="ghost" busy={isLoadingOlder} onClick={onLoad}>
          {isFound ? loadMatches : 'Load earlier lines'}
        </Button>
      )}
    </p>
  );
}

/** Content of an empty log or an empty search result. */
export function NoLines({ snapshot, onClear }: { snapshot: LogSnapshot; onClear: () => void }) {
  const { isLoaded, filter, before, all, state } = snapshot;
  if (!isLoaded) return isFiltering(filter) ? <p className="p-3 font-sans text-base text-muted">Searching all lines…</p> : null;
  if (!isFiltering(filter))
    return (
      <p className="p-3 font-sans text-base text-muted">
        {state === 'ended' ? 'This deployment did not log anything.' : 'No log lines yet. New lines appear here as they arrive.'}
      </p>
    );
  const lines = all ? `the ${countText(all.total, all.isComplete)} lines of this log` : 'the lines of this log';
  return (
    <div className="flex flex-col items-start gap-2 p-3 font-sans text-base text-muted">
      <p className="wrap-anywhere">
        {before === null ? `None of ${lines} ${wanted(filter)}.` : `No line from ${before.toLocaleString('en')} on ${wanted(filter)}.`}
      </p>
      <Button onClick={onClear}>Clear filters</Button>
    </div>
  );
}

function wanted({ search, levels }: LogFilter): string {
  const holds = search ? `contains “${search}”` : '';
  const has = levels.length > 0 ? `has the level ${levels.join(' or ')}` : '';
  return [holds, has].filter(Boolean).join(' and ');
}

/** A button that returns to the newest line, shown when the reader has scrolled up. */
export function NewLines({ isFollowing, count, onFollow }: { isFollowing: boolean; count: number; onFollow: () => void }) {
  if (isFollowing) return null;
  return (
    <div className="pointer-events-none absolute inset-x-0 bottom-3 flex justify-center">
      <span className="pointer-events-auto shadow-menu">
        <Button variant={count > 0 ? 'primary' : 'secondary'} icon={<Icon of={ArrowDown} />} onClick={onFollow}>
          {count === 0 ? 'Jump to end' : `${count.toLocaleString('en')} new ${pluralWord(count, 'line')}`}
        </Button>
      </span>
    </div>
  );
}

interface MarkedProps {
  held: HeldLine | undefined;
  snapshot: LogSnapshot;
  /** The address of the current view with the line marked. */
  link: (number: number) => string;
  /** Shows the line among its neighbours, without the filter. */
  onAround: (number: number) => void;
}

/** Actions on the marked line, or a hint on how to mark one. */
export function MarkedLine({ held, snapshot, link, onAround }: MarkedProps) {
  const { lines, all, filter } = snapshot;
  return (
    <div className="flex min-h-9 flex-wrap items-center gap-x-2 gap-y-1 pt-1 text-sm text-muted">
      {held ? (
        <>
          <span role="status" className="mr-1">
            Line {held.line.number.toLocaleString('en')} marked
          </span>
          <CopyButton text={held.text} label="Copy line" word="Copy line" />
          <CopyButton text={link(held.line.number)} label="Copy link to the line" word="Copy link" />
          {isFiltering(filter) ? <Button onClick={() => onAround(held.line.number)}>Show lines around it</Button> : null}
        </>
      ) : (
        <span className="pointer-coarse:hidden">To mark a line, click its number or press j and k in the log.</span>
      )}
      <span className="ml-auto">
        {lines.length.toLocaleString('en')}
        {all ? ` of ${countText(all.total, all.isComplete)}` : ''} {lines.length === 1 && !all ? 'line' : 'lines'} shown
      </span>
    </div>
  );
}
