import { ApiError } from '@paddock/contract/errors';
import { useDeferredValue, useEffect, useRef } from 'react';
import { useCommands } from '../../commands/command-registry.ts';
import { ErrorState } from '../../ui/feedback/ErrorState.tsx';
import { useZone } from '../../ui/preferences/zone.ts';
import { downloadLog } from './download-log.ts';
import { foundText } from './found-text.ts';
import { LogLines } from './LogLines.tsx';
import { EarlierLines, MarkedLine, NewLines, NoLines } from './LogNotes.tsx';
import { LogState } from './LogState.tsx';
import { LogToolbar } from './LogToolbar.tsx';
import { indexOfNumber } from './log-search.ts';
import { messageOf, runWithToast } from './run-with-toast.ts';
import type { HeldLine } from './session/log-buffer.ts';
import { isFiltering, noFilter } from './session/log-filter.ts';
import type { LogSession } from './session/log-session.ts';
import { useFollow } from './use-follow.ts';
import { useLog, useLogSnapshot } from './use-log.ts';
import { useLogPlaces } from './use-log-places.ts';
import { useLogRows, useStayAtEnd } from './use-log-rows.ts';
import { type LogView, useLogView } from './use-log-view.ts';
import { useRememberedSwitch } from './viewer-options.ts';

interface Props {
  deploymentId: string;
  /** The view from the address: the search, the levels and the marked line. */
  view: LogView;
  onView: (view: LogView) => void;
  /** The address of the current view with a line marked. */
  link: (line: number) => string;
  /** Height of the box. `small` has no toolbar: no search, levels, switches or download. */
  height?: 'page' | 'dialog' | 'small';
}

/** The live log of a deployment. Set its `key` to the deployment's id, so that it remounts for another one. */
export function LogViewer({ deploymentId, view, onView, link, height = 'page' }: Props) {
  const session = useLog(deploymentId);
  const snapshot = useLogSnapshot(session);
  const { lines, error, filter, before } = snapshot;
  const edit = useLogView(view, onView);
  const [wrap, setWrap] = useRememberedSwitch('wrap', true);
  const [showTime, setShowTime] = useRememberedSwitch('time', true);
  const zone = useZone();
  const searchBox = useRef<HTMLInputElement>(null);
  const box = useRef<HTMLDivElement>(null);
  useFilter(session, view);
  const follow = useFollow(box, lines, view.line === null);
  const rows = useLogRows(box, lines, follow);
  // Marking matches in long lines is slow: new lines are rendered first.
  const sought = useDeferredValue(filter.search);
  const places = useLogPlaces({ session, snapshot, view, edit, box, follow, rows });
  useStayAtEnd({ box, follow, rows, wrap, showTime, filter, isLoaded: snapshot.isLoaded });
  const isSmall = height === 'small';
  const search = { id: 'log.search', label: 'Search the log', group: 'Log', keys: '/', run: () => searchBox.current?.focus() };
  useCommands([
    ...(isSmall ? [] : [search]),
    { id: 'log.wrap', label: 'Toggle wrapping of long log lines', group: 'Log', keys: 'w', run: () => setWrap(!wrap) },
    { id: 'log.end', label: 'Follow the end of the log', group: 'Log', run: follow.start },
  ]);

  const loadOlder = () => runWithToast(session?.loadOlder());
  const onScroll = () => {
    const isReaderGoingUp = follow.onScroll();
    if (isReaderGoingUp && before !== null && lines.length > 0 && (box.current?.scrollTop ?? 0) < 40) loadOlder();
  };
  if (error) return <Failure error={error} onRetry={() => session?.resume()} />;
  return (
    <section aria-label="Log" className="flex min-w-0 flex-col">
      <LogToolbar
        isSmall={isSmall}
        state={<LogState snapshot={snapshot} isFollowing={follow.isOn} onRetry={() => session?.resume()} />}
        counts={snapshot.found}
        chosen={view.levels}
        onChoose={edit.setLevels}
        search={edit.typed}
        onSearch={edit.typeSearch}
        searchRef={searchBox}
        found={edit.isTyping && edit.typed !== '' ? '…' : foundText(snapshot, places.marked)}
        onStep={places.goToMatch}
        onError={places.goToError}
        mayHaveError={snapshot.all === null || snapshot.all.levels.error > 0 || !snapshot.all.isComplete}
        wrap={wrap}
        onWrap={setWrap}
        showTime={showTime}
        onShowTime={setShowTime}
        isFiltered={isFiltering(filter)}
        onDownload={(wish) => runWithToast(downloadLog(deploymentId, wish, filter))}
      />
      <EarlierLines snapshot={snapshot} onLoad={loadOlder} />
      <div className="relative min-w-0">
        <LogLines
          deploymentId={deploymentId}
          boxRef={box}
          virtualizer={rows}
          shown={lines}
          height={height}
          zone={zone}
          showTime={showTime}
          wrap={wrap}
          search={sought}
          marked={places.marked}
          onMark={places.mark}
          onStep={places.goToNeighbour}
          onScroll={onScroll}
        >
          <NoLines snapshot={snapshot} onClear={() => edit.change(noFilter)} />
        </LogLines>
        <NewLines isFollowing={follow.isOn} count={follow.unseen} onFollow={follow.start} />
      </div>
      <MarkedLine held={heldAt(lines, places.marked)} snapshot={snapshot} link={link} onAround={places.showAround} />
    </section>
  );
}

/** Applies the address's filter to the log. */
function useFilter(session: LogSession | null, { search, levels }: LogView) {
  const levelsText = levels.join();
  useEffect(() => {
    if (session) runWithToast(session.filter({ search, levels }));
    // oxlint-disable-next-line react/exhaustive-deps -- the text stands for the levels, which are a new list with each render
  }, [session, search, levelsText]);
}

/** The error, with Retry unless the deployment does not exist. */
function Failure({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const known = error instanceof ApiError ? error : undefined;
  return (
    <ErrorState
      message={`The log could not be loaded. ${messageOf(error)}`}
      requestId={known?.request_id}
      onRetry={known?.code === 'deployment_not_found' ? undefined : onRetry}
    />
  );
}

function heldAt(lines: readonly HeldLine[], number: number | null): HeldLine | undefined {
  if (number === null) return undefined;
  const held = lines[indexOfNumber(lines, number)];
  return held?.line.number === number ? held : undefined;
}
