import { ApiError } from '@paddock/contract/errors';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { toast } from 'react-hot-toast/headless';
import { useCommands } from '../../app/command-registry.ts';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { useZone } from '../../ui/zone.ts';
import { downloadLog } from './download-log.ts';
import { LogLines } from './LogLines.tsx';
import { EarlierLines, MarkedLine, NewLines, NoLines } from './LogNotes.tsx';
import { LogState } from './LogState.tsx';
import { LogToolbar } from './LogToolbar.tsx';
import type { HeldLine } from './log-buffer.ts';
import { countLevels, indexOfNumber, type Level, matchingNumbers, stepMatch, withLevels } from './log-search.ts';
import { useFollow } from './use-follow.ts';
import { useLog, useLogSnapshot } from './use-log.ts';
import { useRememberedSwitch } from './viewer-options.ts';

interface Props {
  deploymentId: string;
  /** The line that the address names. */
  line?: number | null;
  /** Puts a line into the address, where the viewer has one. */
  onLine?: (number: number) => void;
  /** How high the lines stand. */
  height?: 'page' | 'dialog';
}

/** The live log of a deployment. Give it the deployment's id as its `key`: it starts anew for another one. */
export function LogViewer({ deploymentId, line = null, onLine, height = 'page' }: Props) {
  const session = useLog(deploymentId);
  const snapshot = useLogSnapshot(session);
  const { lines, error } = snapshot;
  const [levels, setLevels] = useState<ReadonlySet<Level>>(new Set());
  const [search, setSearch] = useState('');
  const [marked, setMarked] = useState<number | null>(line);
  const [target, setTarget] = useState<number | null>(null);
  const [wrap, setWrap] = useRememberedSwitch('wrap', true);
  const [showTime, setShowTime] = useRememberedSwitch('time', true);
  const zone = useZone();
  const searchBox = useRef<HTMLInputElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const reached = useRef<number>(null);

  const shown = useMemo(() => withLevels(lines, levels), [lines, levels]);
  const counts = useMemo(() => countLevels(lines), [lines]);
  const sought = useDeferredValue(search);
  // Of fifty thousand lines a search takes a moment: new lines are drawn first.
  const searched = useDeferredValue(shown);
  const matches = useMemo(() => matchingNumbers(searched, sought), [searched, sought]);
  const follow = useFollow(box, shown, line === null);
  const virtualizer = useVirtualizer<HTMLDivElement, Element>({
    count: shown.length,
    getScrollElement: () => box.current,
    estimateSize: () => 20,
    getItemKey: (index) => shown[index]?.line.number ?? index,
    overscan: 20,
    anchorTo: 'end',
    followOnAppend: follow.isOn,
    scrollEndThreshold: 24,
  });

  const goTo = (number: number) => {
    follow.stop();
    setMarked(number);
    virtualizer.scrollToIndex(indexOfNumber(shown, number), { align: 'center' });
  };
  const loadOlder = () => run(session?.loadOlder());
  const reach = async (number: number) => {
    if (!session) return;
    follow.stop();
    if (await session.reach(number)) setTarget(number);
    else toast.error(`Line ${number.toLocaleString('en')} cannot be shown here. Download the log to read it.`);
  };
  const firstError = async () => {
    const number = (await session?.firstError()) ?? null;
    if (number === null) {
      toast('There is no error in this log.');
      return;
    }
    setLevels(new Set());
    await reach(number);
  };
  const step = (direction: 1 | -1) => {
    // Enter may come before the deferred search has caught up with the typing.
    const next = stepMatch(search === sought ? matches : matchingNumbers(shown, search), marked, direction);
    if (next !== null) goTo(next);
  };
  const onScroll = () => {
    const isReaderGoingUp = follow.onScroll();
    const first = lines[0]?.line.number ?? 1;
    if (isReaderGoingUp && first > 1 && shown.length > 0 && (box.current?.scrollTop ?? 0) < 40) loadOlder();
  };

  // A line is gone to once the rows that hold it have been given to the virtualizer.
  useEffect(() => {
    if (target === null) return;
    goTo(target);
    setTarget(null);
    // oxlint-disable-next-line react/exhaustive-deps -- once per target
  }, [target]);
  useEffect(() => {
    if (line === null || !snapshot.isLoaded || reached.current === line) return;
    reached.current = line;
    box.current?.scrollIntoView({ block: 'center' });
    run(reach(line));
    // oxlint-disable-next-line react/exhaustive-deps -- once the lines are there, and for another line in the address
  }, [line, snapshot.isLoaded]);
  useEffect(() => {
    if (follow.isOn) virtualizer.scrollToEnd();
  }, [follow.isOn, wrap, showTime, levels, snapshot.isLoaded, virtualizer]);
  // Another height or width of the box, as when a phone is turned, must not leave the end behind.
  useEffect(() => {
    if (!follow.isOn || !box.current) return undefined;
    const resized = new ResizeObserver(() => virtualizer.scrollToEnd());
    resized.observe(box.current);
    return () => resized.disconnect();
  }, [follow.isOn, virtualizer]);
  useCommands([
    { id: 'log.search', label: 'Search the log', group: 'Log', keys: '/', run: () => searchBox.current?.focus() },
    { id: 'log.wrap', label: 'Wrap long log lines, or not', group: 'Log', keys: 'w', run: () => setWrap(!wrap) },
    { id: 'log.end', label: 'Follow the end of the log', group: 'Log', run: follow.start },
  ]);

  if (error)
    return (
      <ErrorState
        message={`The log could not be loaded. ${messageOf(error)}`}
        requestId={error instanceof ApiError ? error.request_id : undefined}
        onRetry={() => session?.resume()}
      />
    );
  return (
    <section aria-label="Log" className="flex min-w-0 flex-col">
      <LogToolbar
        state={<LogState snapshot={snapshot} isFollowing={follow.isOn} onRetry={() => session?.resume()} />}
        counts={counts}
        chosen={levels}
        onChoose={setLevels}
        search={search}
        onSearch={setSearch}
        searchRef={searchBox}
        found={foundText(sought, matches, marked)}
        onStep={step}
        onFirstError={() => run(firstError())}
        mayHaveError={counts.error > 0 || (lines[0]?.line.number ?? 1) > 1}
        wrap={wrap}
        onWrap={setWrap}
        showTime={showTime}
        onShowTime={setShowTime}
        onDownload={(format) => run(downloadLog(deploymentId, format, levels.size === 1 ? [...levels][0] : undefined))}
      />
      <EarlierLines snapshot={snapshot} onLoad={loadOlder} />
      <div className="relative min-w-0">
        <LogLines
          boxRef={box}
          virtualizer={virtualizer}
          shown={shown}
          height={height}
          zone={zone}
          showTime={showTime}
          wrap={wrap}
          search={sought}
          marked={marked}
          onMark={(number) => {
            setMarked(number);
            // The reader sees it already: putting it into the address must not scroll to it.
            reached.current = number;
            onLine?.(number);
          }}
          onStep={(direction) => {
            const at = marked === null ? shown.length - (direction === 1 ? 1 : 0) : indexOfNumber(shown, marked) + direction;
            const next = shown[Math.min(Math.max(0, at), shown.length - 1)];
            if (next) goTo(next.line.number);
          }}
          onScroll={onScroll}
        >
          <NoLines snapshot={snapshot} isFiltered={levels.size > 0 && lines.length > 0} onClear={() => setLevels(new Set())} />
        </LogLines>
        <NewLines isFollowing={follow.isOn} count={follow.unseen} onFollow={follow.start} />
      </div>
      <MarkedLine held={marked === null ? undefined : heldAt(lines, marked)} deploymentId={deploymentId} total={lines.length} />
    </section>
  );
}

function heldAt(lines: readonly HeldLine[], number: number): HeldLine | undefined {
  const held = lines[indexOfNumber(lines, number)];
  return held?.line.number === number ? held : undefined;
}

/** '3 of 17', '17', 'None', or null while nothing is searched. */
function foundText(search: string, matches: readonly number[], marked: number | null): string | null {
  if (search === '') return null;
  if (matches.length === 0) return 'None';
  const at = marked === null ? -1 : matches.indexOf(marked);
  return `${at < 0 ? '' : `${at + 1} of `}${matches.length.toLocaleString('en')}`;
}

const messageOf = (cause: unknown) => (cause instanceof Error ? cause.message : 'Something unexpected went wrong.');
const run = (work: Promise<unknown> | undefined) => void work?.catch((cause: unknown) => toast.error(messageOf(cause)));
