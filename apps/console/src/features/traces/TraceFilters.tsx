import { shownText } from '@paddock/contract/terminal-text';
import { filled } from '../../api/filled.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { Checkbox } from '../../ui/controls/Checkbox.tsx';
import { SegmentedControl } from '../../ui/controls/SegmentedControl.tsx';
import { Select } from '../../ui/controls/Select.tsx';
import { TypedInput } from '../../ui/controls/TypedInput.tsx';
import { useZone } from '../../ui/preferences/zone.ts';
import { absoluteTime } from '../../ui/text/time.ts';
import { isFiltered, rangeOf, type TraceRange, type TraceView, traceRanges, unfiltered } from './view.ts';

const durations: readonly [ms: number, word: string][] = [
  [100, '100 ms'],
  [500, '500 ms'],
  [1000, '1 s'],
  [5000, '5 s'],
  [10_000, '10 s'],
  [60_000, '1 min'],
];

interface Props {
  view: TraceView;
  models: readonly string[];
  isRenewed: boolean;
  /** False while several pages are loaded, which are refreshed only by hand. */
  mayRenew: boolean;
  /** When the list was loaded; 0 while there is none. */
  loadedAt: number;
  busy: boolean;
  onView: (view: TraceView) => void;
  onRenewed: (isRenewed: boolean) => void;
  onRefresh: () => void;
}

/** The time range, the filters, and whether the list refreshes automatically. */
export function TraceFilters(props: Props) {
  const { view, models, onView } = props;
  const set = (change: TraceView) => onView(filled({ ...view, ...change }));
  const choose = (range: TraceRange) => set({ range: range === '24h' ? undefined : range });
  return (
    <>
      <div className="mb-2.5 flex flex-wrap items-center gap-x-4 gap-y-2.5">
        <SegmentedControl
          label="Time range"
          options={traceRanges.map((id) => ({ id, label: id }))}
          value={rangeOf(view)}
          onChange={choose}
        />
        <Renewal {...props} />
      </div>
      <div className="mb-3.5 flex flex-wrap items-center gap-2.5">
        <SearchField value={view.find ?? ''} onChange={(find) => set({ find })} />
        <Choice
          label="status"
          all="All statuses"
          value={view.status}
          options={[
            ['ok', 'OK'],
            ['error', 'Error'],
          ]}
          onChange={(status) => set({ status: status as TraceView['status'] })}
        />
        <Choice
          label="model"
          all="All models"
          value={view.model}
          options={models.map((model) => [model, shownText(model, 60)])}
          onChange={(model) => set({ model })}
        />
        <Choice
          label="duration"
          all="Any duration"
          value={view.min_ms === undefined ? undefined : String(view.min_ms)}
          options={durations.map(([ms, word]) => [String(ms), `At least ${word}`])}
          onChange={(ms) => set({ min_ms: ms === '' ? undefined : Number(ms) })}
        />
        {isFiltered(view) ? (
          <Button variant="ghost" onClick={() => onView(unfiltered(view))}>
            Clear filters
          </Button>
        ) : null}
      </div>
    </>
  );
}

function Renewal({ isRenewed, mayRenew, loadedAt, busy, onRenewed, onRefresh }: Props) {
  const zone = useZone();
  const isLive = isRenewed && mayRenew;
  return (
    <>
      <Checkbox label="Auto-refresh" checked={isRenewed} onChange={(event) => onRenewed(event.target.checked)} />
      {isLive ? null : (
        <Button busy={busy} onClick={onRefresh}>
          Refresh
        </Button>
      )}
      {loadedAt > 0 ? (
        <span className="text-sm text-muted">
          {isLive ? 'Refreshes every 30 s' : `As of ${absoluteTime(loadedAt, zone)}`}, {zone === 'utc' ? 'times in UTC' : 'local times'}
        </span>
      ) : null}
    </>
  );
}

interface ChoiceProps {
  label: string;
  all: string;
  value: string | undefined;
  options: readonly (readonly [id: string, word: string])[];
  onChange: (value: string) => void;
}

function Choice({ label, all, value = '', options, onChange }: ChoiceProps) {
  return (
    <div className="max-w-60 min-w-36 max-sm:max-w-none max-sm:min-w-0 max-sm:grow max-sm:basis-2/5">
      <Select aria-label={`Filter by ${label}`} value={value} onChange={(event) => onChange(event.target.value)}>
        <option value="">{all}</option>
        {value === '' || options.some(([id]) => id === value) ? null : (
          <option value={value}>{label === 'duration' ? `At least ${value} ms` : shownText(value, 60)}</option>
        )}
        {options.map(([id, word]) => (
          <option key={id} value={id}>
            {word}
          </option>
        ))}
      </Select>
    </div>
  );
}

/** A search field that applies its text shortly after the last key. */
const SearchField = ({ value, onChange }: { value: string; onChange: (value: string) => void }) => (
  <span role="search" className="min-w-0 grow basis-56 sm:max-w-72">
    <TypedInput
      type="search"
      aria-label="Search traces by name or id"
      placeholder="Name or trace id"
      maxLength={200}
      value={value}
      onChange={onChange}
    />
  </span>
);
