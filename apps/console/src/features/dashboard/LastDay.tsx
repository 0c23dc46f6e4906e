import { countText, latencyText, percentText, shareText } from '@paddock/contract/figures';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Loaded } from '../../api/Loaded.tsx';
import { systemMetricsQuery } from '../metrics/queries.ts';

/** All agents together over the last 24 hours; each figure links to the metrics. */
export function LastDay() {
  const query = useQuery(systemMetricsQuery);
  const { data } = query;
  const figures = [
    ['Requests', data && countText(data.total_requests)],
    ['Average latency', data && latencyText(data.avg_latency_ms)],
    ['Error rate', data && shareText(data.error_rate)],
    ['Uptime', data && percentText(data.uptime_percentage)],
  ] as const;
  return (
    <section aria-labelledby="last-day" className="mb-4">
      <h2 id="last-day" className="mb-1 text-sm font-semibold text-muted">
        Last 24 hours
      </h2>
      <Loaded query={query} failed="Metrics for the last 24 hours could not be loaded. Running agents are not affected." isSpaced />
      <ul className="grid grid-cols-2 gap-px overflow-hidden rounded-box border border-border bg-border lg:grid-cols-4">
        {figures.map(([label, figure]) => (
          <li key={label}>
            <Link
              to="/metrics"
              className="flex h-full flex-wrap items-baseline justify-between gap-x-3 bg-surface px-3.5 py-2 text-text no-underline transition-colors hover:bg-canvas focus-visible:-outline-offset-2"
            >
              <span className="text-sm text-muted">{label}</span>
              <span className="min-h-6 text-md font-bold">{figure}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
