import type { AgentMetrics } from '@paddock/contract';
import { plural } from '@paddock/contract/plural';
import { type ComponentProps, useMemo, useState } from 'react';
import { Chart } from '../../ui/charts/Chart.tsx';
import { useZone } from '../../ui/preferences/zone.ts';
import { buildAgentCharts, chartsOfRequests } from './charts.ts';
import { rangeWords, stepTime, stepWords } from './words.ts';

type Zoom = NonNullable<ComponentProps<typeof Chart>['zoom']>;

/** Charts of an agent over time. They share one cross-hair and one zoom. */
export function AgentCharts({ metrics }: { metrics: AgentMetrics }) {
  const zone = useZone();
  const [cursor, setCursor] = useState<number | null>(null);
  const [zoom, setZoom] = useState<Zoom | null>(null);
  // Recompute only for new figures: the cross-hair moves over thousands of points.
  const charts = useMemo(() => buildAgentCharts(metrics), [metrics]);
  const markers = useMemo(
    () => metrics.deployments.map(({ id, at }) => ({ at: Date.parse(at), label: `Deployed …${id.slice(-4)}` })),
    [metrics],
  );
  const { agent_name, environment, time_range, step_s } = metrics;
  const wasAsked = metrics.requests_total > 0;
  const shown = charts.filter(({ name }) => wasAsked || !chartsOfRequests.has(name));
  return (
    <section aria-labelledby="over-time">
      <div className="mt-6 mb-2 flex flex-wrap items-baseline gap-x-3">
        <h2 id="over-time" className="text-lg font-bold">
          Over time
        </h2>
        <span className="text-sm text-muted">
          One point per {stepWords(step_s)}, {zone === 'utc' ? 'times in UTC' : 'local times'}
          {markers.length > 0 ? `, ${plural(markers.length, 'deployment')} marked` : ''}
        </span>
      </div>
      {wasAsked ? null : (
        <p className="mb-4 text-muted">
          No requests in the last {rangeWords[time_range]}, so there are no charts of requests, latency, errors and bytes.
        </p>
      )}
      <div className="grid gap-4 lg:grid-cols-2">
        {shown.map(({ name, ...chart }) => (
          <div key={name} className="min-w-0 rounded-box border border-border bg-surface p-3.5 nth-1:nth-last-[odd]:lg:col-span-2">
            <Chart
              {...chart}
              formatTime={(at) => stepTime(at, time_range, zone)}
              cursor={cursor}
              onCursor={setCursor}
              markers={markers}
              zoom={zoom}
              onZoom={setZoom}
              csvName={`${agent_name}-${environment}-${name}-${time_range}`}
            />
          </div>
        ))}
      </div>
    </section>
  );
}
