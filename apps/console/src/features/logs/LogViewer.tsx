import { ApiError } from '@paddock/contract/errors';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { toast } from 'react-hot-toast/headless';
import { useCommands } from '../../commands/command-registry.ts';
import { ErrorState } from '../../ui/feedback/ErrorState.tsx';
import { useZone } from '../../ui/preferences/zone.ts';
import { downloadLog } from './download-log.ts';
import { foundText } from './found-text.ts';
import { LogLines } from './LogLines.tsx';
import { EarlierLines, MarkedLine, NewLines, NoLines } from './LogNotes.tsx';
import { LogState } from './LogState.tsx';
import { LogToolbar } from './LogToolbar.tsx';
import { indexOfNumber, stepMatch } from './log-search.ts';
import type { HeldLine } from './session/log-buffer.ts';
import { isFiltering, noFilter } from './session/log-filter.ts';
import { useFollow } from './use-follow.ts';
import { useLog, useLogSnapshot } from './use-log.ts';
import { type LogView, useLogView } from './use-log-view.ts';
import { useRememberedSwitch } from './viewer-options.ts';

interface Props {
  deploymentId: string;
  /** What the address says: the search, the levels and the marked line. */
  view: LogView;
  onView: (view: LogView) => void;
  /** The address of what is shown, with a line marked. */
  link: (line: number) => string;
  /** How high the lines stand. */
  height?: 'page' | 'dialog';
}

/** The live log of a deployment. Give it the deployment's id as its `key`: it starts anew for another one. */
export function LogViewer({ deploymentId, view, onView, link, height = 'page' }: Props) {
  const { search, levels, line } = view;
  const session = useLog(deploymentId);
  const snapshot = useLogSnapshot(session);
  const { lines, error, filter, before } = snapshot;
  const { typed, isTyping, change, choose, type } = useLogView(view, onView);
  const [marked, setMarked] = useState<number | null>(line);
  const [target, setTarget] = useState<number | null>(null);
  const [wanted, setWanted] = useState<1 | -1 | null>(null);
  const [wrap, setWrap] = useRememberedSwitch('wrap', true);
  const [showTime, setShowTime] = useRememberedSwitch('time', true);
  const zone = useZone();
  const searchBox = useRef<HTMLInputElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const reached = useRef<number>(null);

  const levelsText = levels.join();
  useEffect(() => {
    if (session) run(session.filter({ search, levels }));
    // oxlint-disable-next-line react/exhaustive-deps -- the text stands for the levels, which are a new list with each render
  }, [session, search, levelsText]);
  const follow = useFollow(box, lines, line === null);
  const virtualizer = useVirtualizer<HTMLDivElement, Element>({
    count: lines.length,
    getScrollElement: () => box.current,
    estimateSize: () => 20,
    getItemKey: (index) => lines[index]?.line.number ?? index,
    overscan: 20,
    anchorTo: 'end',
    followOnAppend: follow.isOn,
    scrollEndThreshold: 24,
  });
  // Of long lines marking takes a moment: new ones are drawn first.
  const sought = useDeferredValue(filter.search);
  const matches = useMemo(() => (filter.search === '' ? [] : lines.map((held) => held.line.number)), [filter.search, lines]);

  const mark = (number: number) => {
    setMarked(number);
    // The reader sees it already: putting it into the address must not scroll to it.
    reached.current = number;
    change({ line: number });
  };
  const goTo = (number: number) => {
    follow.stop();
    mark(number);
    virtualizer.scrollToIndex(indexOfNumber(lines, number), { align: 'center' });
  };
  const loadOlder = () => run(session?.loadOlder());
  const reach = async (number: number) => {
    if (!session) return;
    follow.stop();
    if (await session.reach(number)) setTarget(number);
    else toast.error(`Line ${number.toLocaleString('en')} cannot be shown here. Download the log to read it.`);
  };
  /** Among all lines, at one of them. */
  const showAround = async (number: number) => {
    await session?.filter(noFilter);
    change({ ...noFilter, line: number });
    await reach(number);
  };
  const firstError = async () => {
    const first = await session?.firstError();
    if (!first) return;
    const { number, searchedTo } = first;
    if (number !== null) await showAround(number);
    else if (searchedTo === null) toast('There is no error in this log.');
    else toast(`There is no error up to line ${searchedTo.toLocaleString('en')}. Later lines were not searched: that takes too long.`);
  };
  const step = async (direction: 1 | -1) => {
    const isFirst = marked !== null && marked === matches[0];
    if (direction === -1 && isFirst && before !== null) await session?.loadOlder();
    const numbers = session?.snapshot().lines.map((held) => held.line.number) ?? [];
    const next = filter.search === '' ? null : stepMatch(numbers, marked, direction);
    if (next !== null) setTarget(next);
  };
  const askForStep = (direction: 1 | -1) => {
    if (isTyping) change({ search: typed });
    setWanted(direction);
  };
  // Enter may come before what was typed is searched: the step is made once something is found.
  const isSearched = !isTyping && snapshot.isLoaded && filter.search === search;
  useEffect(() => {
    if (wanted === null || !isSearched) return;
    setWanted(null);
    run(step(wanted));
    // oxlint-disable-next-line react/exhaustive-deps -- once per step
  }, [wanted, isSearched]);
  const onScroll = () => {
    const isReaderGoingUp = follow.onScroll();
    if (isReaderGoingUp && before !== null && lines.length > 0 && (box.current?.scrollTop ?? 0) < 40) loadOlder();
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
  }, [follow.isOn, wrap, showTime, filter, snapshot.isLoaded, virtualizer]);
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
        onRetry={error instanceof ApiError && error.code === 'deployment_not_found' ? undefined : () => session?.resume()}
      />
    );
  return (
    <section aria-label="Log" className="flex min-w-0 flex-col">
      <LogToolbar
        state={<LogState snapshot={snapshot} isFollowing={follow.isOn} onRetry={() => session?.resume()} />}
        counts={snapshot.found}
        chosen={levels}
        onChoose={choose}
        search={typed}
        onSearch={type}
        searchRef={searchBox}
        found={isTyping && typed !== '' ? '…' : foundText(snapshot, marked)}
        onStep={askForStep}
        onFirstError={() => run(firstError())}
        mayHaveError={snapshot.all === null || snapshot.all.levels.error > 0 || !snapshot.all.isComplete}
        wrap={wrap}
        onWrap={setWrap}
        showTime={showTime}
        onShowTime={setShowTime}
        isFiltered={isFiltering(filter)}
        onDownload={(wish) => run(downloadLog(deploymentId, wish, filter))}
      />
      <EarlierLines snapshot={snapshot} onLoad={loadOlder} />
      <div className="relative min-w-0">
        <LogLines
          boxRef={box}
          virtualizer={virtualizer}
          shown={lines}
          height={height}
          zone={zone}
          showTime={showTime}
          wrap={wrap}
          search={sought}
          marked={marked}
          onMark={mark}
          onStep={(direction) => {
            const at = marked === null ? lines.length - (direction === 1 ? 1 : 0) : indexOfNumber(lines, marked) + direction;
            const next = lines[Math.min(Math.max(0, at), lines.length - 1)];
            if (next) goTo(next.line.number);
          }}
          onScroll={onScroll}
        >
          <NoLines snapshot={snapshot} onClear={() => change(noFilter)} />
        </LogLines>
        <NewLines isFollowing={follow.isOn} count={follow.unseen} onFollow={follow.start} />
      </div>
      <MarkedLine
        held={marked === null ? undefined : heldAt(lines, marked)}
        snapshot={snapshot}
        link={link}
        onAround={(number) => run(showAround(number))}
      />
    </section>
  );
}

function heldAt(lines: readonly HeldLine[], number: number): HeldLine | undefined {
  const held = lines[indexOfNumber(lines, number)];
  return held?.line.number === number ? held : undefined;
}

const messageOf = (cause: unknown) => (cause instanceof Error ? cause.message : 'Something unexpected went wrong.');
const run = (work: Promise<unknown> | undefined) => void work?.catch((cause: unknown) => toast.error(messageOf(cause)));
