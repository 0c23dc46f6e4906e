import { ArrowDown } from 'lucide-react';
import { Button } from '../../ui/Button.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { Icon } from '../../ui/Icon.tsx';
import type { HeldLine } from './log-buffer.ts';
import type { LogSnapshot } from './log-session.ts';

/** How many lines stand before the first one held, and the way to them. */
export function EarlierLines({ snapshot, onLoad }: { snapshot: LogSnapshot; onLoad: () => void }) {
  const first = snapshot.lines[0]?.line.number ?? 1;
  if (first <= 1) return null;
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 border border-b-0 border-border bg-surface px-3 py-1 text-sm text-muted">
      {(first - 1).toLocaleString('en')} earlier {first === 2 ? 'line' : 'lines'}
      {snapshot.isFull ? (
        <span>The viewer is full. Download the log to read them.</span>
      ) : (
        <Button variant="ghost" busy={snapshot.isLoadingOlder} onClick={onLoad}>
          Load earlier lines
        </Button>
      )}
    </p>
  );
}

/** What stands where no line does. */
export function NoLines({ snapshot, isFiltered, onClear }: { snapshot: LogSnapshot; isFiltered: boolean; onClear: () => void }) {
  if (!snapshot.isLoaded) return null;
  return (
    <div className="flex flex-col items-start gap-2 p-3 font-sans text-base text-muted">
      {isFiltered ? (
        <>
          <p>None of the {snapshot.lines.length.toLocaleString('en')} lines held here has a chosen level.</p>
          <Button onClick={onClear}>Clear filters</Button>
        </>
      ) : (
        <p>{snapshot.state === 'ended' ? 'This deployment wrote nothing.' : 'Nothing written yet. Lines appear here as they come.'}</p>
      )}
    </div>
  );
}

/** The way back to the newest line, once the reader has scrolled up. */
export function NewLines({ isFollowing, count, onFollow }: { isFollowing: boolean; count: number; onFollow: () => void }) {
  if (isFollowing) return null;
  return (
    <div className="pointer-events-none absolute inset-x-0 bottom-3 flex justify-center">
      <span className="pointer-events-auto shadow-menu">
        <Button variant={count > 0 ? 'primary' : 'secondary'} icon={<Icon of={ArrowDown} />} onClick={onFollow}>
          {count === 0 ? 'To the end' : `${count.toLocaleString('en')} new ${count === 1 ? 'line' : 'lines'}`}
        </Button>
      </span>
    </div>
  );
}

/** What can be done with the marked line, and how to mark one. */
export function MarkedLine({ held, deploymentId, total }: { held: HeldLine | undefined; deploymentId: string; total: number }) {
  return (
    <div className="flex min-h-9 flex-wrap items-center gap-x-2 gap-y-1 pt-1 text-sm text-muted">
      {held ? (
        <>
          <span role="status" className="mr-1">
            Line {held.line.number.toLocaleString('en')} marked
          </span>
          <CopyButton text={held.text} label="Copy line" word="Copy line" />
          <CopyButton
            text={`${location.origin}/deployments/${deploymentId}#L${held.line.number}`}
            label="Copy link to the line"
            word="Copy link"
          />
        </>
      ) : (
        <span className="pointer-coarse:hidden">Click a number, or press j and k in the lines, to mark a line.</span>
      )}
      <span className="ml-auto">
        {total.toLocaleString('en')} {total === 1 ? 'line' : 'lines'} here
      </span>
    </div>
  );
}
