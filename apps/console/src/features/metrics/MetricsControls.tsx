import type { MetricsRange } from '@paddock/contract';
import { metricsRanges } from '@paddock/contract/limits';
import { Button } from '../../ui/controls/Button.tsx';
import { Checkbox } from '../../ui/controls/Checkbox.tsx';
import { SegmentedControl } from '../../ui/controls/SegmentedControl.tsx';
import { useZone } from '../../ui/preferences/zone.ts';
import { absoluteTime } from '../../ui/text/time.ts';

interface Props {
  range: MetricsRange;
  isRenewed: boolean;
  /** When the figures were loaded; 0 while there are none. */
  loadedAt: number;
  busy: boolean;
  onRange: (range: MetricsRange) => void;
  onRenewed: (isRenewed: boolean) => void;
  onRefresh: () => void;
}

/** The time range, and whether the figures refresh automatically. */
export function MetricsControls(props: Props) {
  const { range, isRenewed, loadedAt, busy } = props;
  const zone = useZone();
  return (
    <div className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-2.5">
      <SegmentedControl
        label="Time range"
        options={metricsRanges.map((id) => ({ id, label: id }))}
        value={range}
        onChange={props.onRange}
      />
      <Checkbox label="Auto-refresh" checked={isRenewed} onChange={(event) => props.onRenewed(event.target.checked)} />
      {isRenewed ? null : (
        <Button busy={busy} onClick={props.onRefresh}>
          Refresh
        </Button>
      )}
      {loadedAt > 0 ? (
        <span className="text-sm text-muted">
          {isRenewed ? 'Refreshes every 30 s' : `As of ${absoluteTime(loadedAt, zone)}`}, {zone === 'utc' ? 'times in UTC' : 'local times'}
        </span>
      ) : null}
    </div>
  );
}
