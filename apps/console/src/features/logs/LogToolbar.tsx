import { ArrowDown, ArrowUp, Download, TriangleAlert } from 'lucide-react';
import type { ReactNode, Ref } from 'react';
import { Button } from '../../ui/Button.tsx';
import { FilterChip } from '../../ui/FilterChip.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { Input } from '../../ui/Input.tsx';
import { Menu } from '../../ui/Menu.tsx';
import { Switch } from '../../ui/Switch.tsx';
import { setZone, useZone } from '../../ui/zone.ts';
import type { Level } from './log-search.ts';

const levels: readonly [Level, string][] = [
  ['error', 'Error'],
  ['warning', 'Warning'],
  ['info', 'Info'],
  ['debug', 'Debug'],
];

interface Props {
  state: ReactNode;
  counts: Record<Level, number>;
  chosen: ReadonlySet<Level>;
  onChoose: (levels: ReadonlySet<Level>) => void;
  search: string;
  onSearch: (search: string) => void;
  searchRef: Ref<HTMLInputElement>;
  /** '3 of 17', or null while nothing is searched. */
  found: string | null;
  onStep: (direction: 1 | -1) => void;
  onFirstError: () => void;
  /** An error is among the lines here, or earlier lines are not here. */
  mayHaveError: boolean;
  wrap: boolean;
  onWrap: (wrap: boolean) => void;
  showTime: boolean;
  onShowTime: (show: boolean) => void;
  onDownload: (format: 'text' | 'jsonl') => void;
}

export function LogToolbar(props: Props) {
  const { state, counts, chosen, onChoose, wrap, onWrap, showTime, onShowTime, onDownload, onFirstError, mayHaveError } = props;
  const zone = useZone();
  const toggle = (level: Level) => {
    const next = new Set(chosen);
    if (!next.delete(level)) next.add(level);
    onChoose(next);
  };
  return (
    <div className="flex flex-col gap-2 pb-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        {state}
        <span role="group" aria-label="Levels" className="flex flex-wrap gap-1.5">
          {levels.map(([level, word]) => (
            <FilterChip key={level} active={chosen.has(level)} onClick={() => toggle(level)}>
              {word} {counts[level].toLocaleString('en')}
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
          <Button icon={<Icon of={TriangleAlert} />} onClick={onFirstError} disabled={!mayHaveError}>
            First error
          </Button>
          <Menu
            label="Download the log"
            groups={[
              [
                { label: 'Text', onSelect: () => onDownload('text') },
                { label: 'JSON lines', onSelect: () => onDownload('jsonl') },
              ],
            ]}
          >
            <Icon of={Download} />
          </Menu>
        </span>
      </div>
    </div>
  );
}

function Search({ search, onSearch, searchRef, found, onStep }: Props) {
  return (
    <span role="search" className="flex min-w-0 grow items-center gap-1 sm:max-w-96">
      <Input
        ref={searchRef}
        type="search"
        aria-label="Search the log"
        placeholder="Search the log"
        value={search}
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
