import { type RefObject, useEffect, useRef, useState } from 'react';
import { toast } from 'react-hot-toast/headless';
import { indexOfNumber, stepMatch } from './log-search.ts';
import { runWithToast } from './run-with-toast.ts';
import type { WhichError } from './session/find-error.ts';
import { noFilter } from './session/log-filter.ts';
import type { LogSession } from './session/log-session.ts';
import type { LogSnapshot } from './session/log-snapshot.ts';
import type { Follow } from './use-follow.ts';
import type { LogRows } from './use-log-rows.ts';
import type { LogView, LogViewState } from './use-log-view.ts';

interface Viewer {
  session: LogSession | null;
  snapshot: LogSnapshot;
  view: LogView;
  edit: LogViewState;
  box: RefObject<HTMLElement | null>;
  follow: Follow;
  rows: LogRows;
}

/** The marked line, and navigation to other lines: by link, by key, from match to match, to the first or last error. */
export function useLogPlaces({ session, snapshot, view: { search, line }, edit, box, follow, rows }: Viewer) {
  const { lines, filter, before } = snapshot;
  const [marked, setMarked] = useState<number | null>(line);
  const [target, setTarget] = useState<number | null>(null);
  const reached = useRef<number>(null);

  const mark = (number: number) => {
    setMarked(number);
    // The reader already sees the line: writing it to the address must not scroll to it.
    reached.current = number;
    edit.change({ line: number });
  };
  const goTo = (number: number) => {
    follow.stop();
    mark(number);
    rows.scrollToIndex(indexOfNumber(lines, number), { align: 'center' });
  };
  const reach = async (number: number) => {
    if (!session) return;
    follow.stop();
    if (await session.reach(number)) setTarget(number);
    else toast.error(`Line ${number.toLocaleString('en')} cannot be shown here. Download the log to read it.`);
  };
  /** Removes the filter and shows a line among all lines. */
  const showAround = async (number: number) => {
    await session?.filter(noFilter);
    edit.change({ ...noFilter, line: number });
    await reach(number);
  };
  const stepToMatch = async (direction: 1 | -1) => {
    const isFirst = filter.search !== '' && marked !== null && marked === lines[0]?.line.number;
    if (direction === -1 && isFirst && before !== null) await session?.loadOlder();
    const numbers = session?.snapshot().lines.map((held) => held.line.number) ?? [];
    const next = filter.search === '' ? null : stepMatch(numbers, marked, direction);
    if (next !== null) setTarget(next);
  };
  const isSearched = !edit.isTyping && snapshot.isLoaded && filter.search === search;
  const askForMatch = useStepOnceSearched(isSearched, (direction) => runWithToast(stepToMatch(direction)));

  // Scrolls to the target after the virtualizer has received its rows.
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
    runWithToast(reach(line));
    // oxlint-disable-next-line react/exhaustive-deps -- once the lines are there, and for another line in the address
  }, [line, snapshot.isLoaded]);

  return {
    marked,
    mark,
    showAround: (number: number) => runWithToast(showAround(number)),
    goToError: (which: WhichError) => runWithToast(showError(session, which, showAround)),
    goToMatch(direction: 1 | -1) {
      if (edit.isTyping) edit.change({ search: edit.typed });
      askForMatch(direction);
    },
    /** Moves to the line beside the marked one; without a marked line, to the first or the last. */
    goToNeighbour(direction: 1 | -1) {
      const at = marked === null ? lines.length - (direction === 1 ? 1 : 0) : indexOfNumber(lines, marked) + direction;
      const next = lines[Math.min(Math.max(0, at), lines.length - 1)];
      if (next) goTo(next.line.number);
    },
  };
}

/** Enter may be pressed before the typed text is searched: the step waits for the search. */
function useStepOnceSearched(isSearched: boolean, step: (direction: 1 | -1) => void) {
  const [wanted, setWanted] = useState<1 | -1 | null>(null);
  useEffect(() => {
    if (wanted === null || !isSearched) return;
    setWanted(null);
    step(wanted);
    // oxlint-disable-next-line react/exhaustive-deps -- once per step
  }, [wanted, isSearched]);
  return setWanted;
}

async function showError(session: LogSession | null, which: WhichError, show: (number: number) => Promise<void>) {
  const found = await session?.findError(which);
  if (!found) return;
  const { number, searchedTo } = found;
  if (number !== null) await show(number);
  else if (searchedTo === null) toast('No errors in this log.');
  else if (which === 'first')
    toast(`No errors up to line ${searchedTo.toLocaleString('en')}. Later lines were not searched because that takes too long.`);
  else toast(`No errors since line ${searchedTo.toLocaleString('en')}. Earlier lines were not searched because that takes too long.`);
}
