import { ArrowDown, ArrowUp, Download, TriangleAlert } from 'lucide-react';
import type { ReactNode, Ref } from 'react';
import { Button } from '../../ui/controls/Button.tsx';
import { FilterChip } from '../../ui/controls/FilterChip.tsx';
import { IconButton } from '../../ui/controls/IconButton.tsx';
import { Input } from '../../ui/controls/Input.tsx';
import { Switch } from '../../ui/controls/Switch.tsx';
import { Menu } from '../../ui/overlays/Menu.tsx';
import { setZone, useZone } from '../../ui/preferences/zone.ts';
import { Icon } from '../../ui/theme/Icon.tsx';
import type { DownloadWish } from './download-log.ts';
import type { WhichError } from './session/find-error.ts';
import { countText, type ShownCounts } from './session/log-counts.ts';
import { type Level, maxSearchLength } from './session/log-filter.ts';

const levels: readonly [Level, string][] = [
  ['error', 'Error'],
  ['warning', 'Warning'],
  ['info', 'Info'],
  ['debug', 'Debug'],
];

interface Props {
  /** Only the state is shown. */
  isSmall: boolean;
  state: ReactNode;
  /** Counts of all lines that contain the search text; null until the server has responded. */
  counts: ShownCounts | null;
  chosen: readonly Level[];
  onChoose: (levels: readonly Level[]) => void;
  search: string;
  onSearch: (search: string) => void;
  searchRef: Ref<HTMLInputElement>;
  /** '3 of 17'; null without a search. */
  found: string | null;
  onStep: (direction: 1 | -1) => void;
  onError: (which: WhichError) => void;
  /** False once the whole log is known to have no error. */
  mayHaveError: boolean;
  wrap: boolean;
  onWrap: (wrap: boolean) => void;
  showTime: boolean;
  onShowTime: (show: boolean) => void;
  isFiltered: boolean;
  onDownload: (wish: DownloadWish) => void;
}

export function LogToolbar(props: Props) {
  const { isSmall, state, counts, chosen, onChoose, wrap, onWrap, showTime, onShowTime, onError, mayHaveError } = props;
  const zone = useZone();
  if (isSmall) return <div className="flex pb-2">{state}</div>;
  const toggle = (level: Level) => onChoose(levels.map(([each]) => each).filter((each) => (each === level) !== chosen.includes(each)));
  return (
    <div className="flex flex-col gap-2 pb-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        {state}
        <span role="group" aria-label="Levels" className="flex flex-wrap gap-1.5">
          {levels.map(([level, word]) => (
            <FilterChip key={level} active={chosen.includes(level)} onClick={() => toggle(level)}>
              {word} {counts ? countText(counts.levels[level], counts.isComplete) : ''}
            </FilterChip>
          ))}
        </span>
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1 sm:ml-auto">
          <Switch label="Wrap" checked={wrap} onChange={(event) => onWrap(event.target.checked)} />
          <Switch label="Time" checked={showTime} onChange={(event) => onShowTime(event.target.checked)} />
          <Switch label="UTC" checked={zone === 'utc'} onChange={(event) => setZone(event.target.checked ? 'utc' : 'local')} />
        </span>
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <Search {...props} />
        <span className="ml-auto flex items-center gap-2">
          <Button icon={<Icon of={TriangleAlert} />} onClick={() => onError('first')} disabled={!mayHaveError}>
            First error
          </Button>
          <Button onClick={() => onError('last')} disabled={!mayHaveError}>
            Last error
          </Button>
          <DownloadMenu {...props} />
        </span>
      </div>
    </div>
  );
}

/** Downloads the filtered lines or the whole log; each item says which. */
function DownloadMenu({ isFiltered, onDownload }: Props) {
  const items = (isWhole: boolean) =>
    (['text', 'jsonl'] as const).map((format) => {
      const onSelect = () => onDownload({ format, isWhole });
      const isText = format === 'text';
      if (!isFiltered) return { label: isText ? 'Text' : 'JSON lines', onSelect };
      return { label: `${isWhole ? 'Full log' : 'Matching lines'} as ${isText ? 'text' : 'JSON lines'}`, onSelect };
    });
  return (
    <Menu label="Download the log" groups={isFiltered ? [items(false), items(true)] : [items(true)]}>
      <Icon of={Download} />
    </Menu>
  );
}

function Search({ search, onSearch, searchRef, found, onStep }: Props) {
  return (
    <span role="search" className="flex min-w-0 grow basis-64 items-center gap-1 sm:max-w-96">
      <Input
        ref={searchRef}
        type="search"
        aria-label="Search the log"
        placeholder="Search the log"
        value={search}
        maxLength={maxSearchLength}
        onChange={(event) => onSearch(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          onStep(event.shiftKey ? -1 : 1);
        }}
      />
      <span role="status" className="min-w-14 shrink-0 text-center text-sm text-muted">
        {found}
      </span>
      <IconButton label="Previous match" icon={<Icon of={ArrowUp} />} onClick={() => onStep(-1)} disabled={!found} />
      <IconButton label="Next match" icon={<Icon of={ArrowDown} />} onClick={() => onStep(1)} disabled={!found} />
    </span>
  );
}
