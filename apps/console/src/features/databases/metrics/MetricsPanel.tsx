import type { Database, MetricsRange } from '@paddock/contract';
import { metricsRanges } from '@paddock/contract/limits';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { Loaded } from '../../../api/Loaded.tsx';
import { Chart } from '../../../ui/charts/Chart.tsx';
import type { ChartZoom } from '../../../ui/charts/chart-shape.ts';
import { SegmentedControl } from '../../../ui/controls/SegmentedControl.tsx';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { useZone, type Zone } from '../../../ui/preferences/zone.ts';
import { absoluteClock } from '../../../ui/text/time.ts';
import { metricsQuery } from '../queries.ts';
import { StorageMeter } from '../StorageMeter.tsx';
import { seriesOf } from './series.ts';

interface Props {
  database: Database;
  range: MetricsRange;
  onRange: (range: MetricsRange) => void;
}

const rangeWords = { '1h': '1 hour', '24h': '24 hours', '7d': '7 days', '30d': '30 days' } as const satisfies Record<MetricsRange, string>;

/** Metrics of a database over time, refetched every 30 s. All charts share one cross-hair and one zoom. */
export function MetricsPanel({ database, range, onRange }: Props) {
  const zone = useZone();
  const [cursor, setCursor] = useState<number | null>(null);
  const [zoom, setZoom] = useState<ChartZoom | null>(null);
  const metrics = useQuery({ ...metricsQuery(database.id, range), placeholderData: keepPreviousData });
  const shown = metrics.data?.time_range ?? range;
  const formatTime = (at: number) => timeText(at, shown, zone);
  const measured = metrics.data?.points;
  const series = useMemo(() => (measured ? seriesOf(database.type, measured) : []), [database.type, measured]);
  const isMeasured = series.some(({ points }) => points.some(({ value }) => value !== null));
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <SegmentedControl
          label="Time range"
          options={metricsRanges.map((id) => ({ id, label: id }))}
          value={range}
          onChange={(next) => {
            setCursor(null);
            setZoom(null);
            onRange(next);
          }}
        />
        <span className="text-sm text-muted">
          Refreshes every 30 s, {zone === 'utc' ? 'times in UTC' : 'local times'}
          {metrics.data ? `, one point per ${stepText(metrics.data.step_s)}` : ''}
        </span>
      </div>
      <StorageMeter database={database} />
      <Loaded query={metrics} failed="The metrics could not be loaded. The database is not affected." skeleton={<Skeleton rows={6} />} />
      {metrics.data && !isMeasured ? (
        <p className="text-muted">No metrics in the last {rangeWords[shown]}. They appear within a minute while the database is running.</p>
      ) : null}
      {isMeasured ? (
        <div className={`flex flex-col gap-6 ${metrics.isPlaceholderData ? 'opacity-55' : ''}`} aria-busy={metrics.isPlaceholderData}>
          {series.map(({ figure, label, scale, format, points }) => (
            <Chart
              key={figure}
              label={label}
              series={[{ label, points }]}
              scale={scale}
              format={format}
              formatTime={formatTime}
              cursor={cursor}
              onCursor={setCursor}
              zoom={zoom}
              onZoom={setZoom}
              csvName={`${database.id}-${figure}-${shown}`}
            />
          ))}
        </div>
      ) : null}
    </div>
  );
}

/** '14:02' within a day, '20 Nov, 14:02' beyond. */
function timeText(at: number, range: MetricsRange, zone: Zone): string {
  const clock = absoluteClock(at, zone);
  if (range === '1h') return clock;
  const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', ...(zone === 'utc' ? { timeZone: 'UTC' } : {}) });
  return `${day.format(at)}, ${clock}`;
}

function stepText(seconds: number): string {
  if (seconds === 60) return 'minute';
  return seconds === 3600 ? 'hour' : `${Math.round(seconds / 60)} min`;
}
