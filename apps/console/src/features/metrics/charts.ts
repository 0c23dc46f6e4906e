import type { AgentMetrics, MetricsPoint } from '@paddock/contract';
import { countText, latencyText, shareText } from '@paddock/contract/figures';
import type { ComponentProps } from 'react';
import type { Chart } from '../../ui/charts/Chart.tsx';
import { bytesText } from '../../ui/text/bytes.ts';

type ChartProps = ComponentProps<typeof Chart>;
export type AgentChart = Pick<ChartProps, 'label' | 'series' | 'scale' | 'format'> &
  Partial<Pick<ChartProps, 'kind' | 'toneOf'>> & {
    /** Name of the file with the chart's values. */
    name: string;
  };

const MB = 1024 ** 2;

/** Bars of the error rate are red above this share, else yellow (spec). */
const badShare = 0.05;
export const errorTone = (share: number) => (share > badShare ? 'bad' : 'warn');
const restartTone = () => 'warn' as const;

const memoryText = (bytes: number) => bytesText(bytes);
const trafficText = (bytes: number) => bytesText(bytes, 1000);

/** Names of the charts that are meaningless for an agent without requests. */
export const chartsOfRequests: ReadonlySet<string> = new Set(['requests-per-minute', 'latency', 'error-rate', 'traffic']);

/** The charts of an agent, most important first. */
export function buildAgentCharts(metrics: AgentMetrics): AgentChart[] {
  const one = (label: string, points: readonly MetricsPoint[], factor = 1) => [{ label, points: pointsOf(points, factor) }];
  return [
    {
      name: 'requests-per-minute',
      label: 'Requests per minute',
      series: one('Requests per minute', metrics.requests_per_minute),
      scale: 'count',
      format: countText,
    },
    {
      name: 'latency',
      label: 'Latency',
      series: [
        { label: 'p50', points: pointsOf(metrics.p50_latency_over_time), tone: 's1' },
        { label: 'p95', points: pointsOf(metrics.p95_latency_over_time), tone: 's2' },
        { label: 'p99', points: pointsOf(metrics.p99_latency_over_time), tone: 's3' },
      ],
      scale: 'count',
      format: latencyText,
    },
    {
      name: 'error-rate',
      label: 'Error rate',
      series: one('Error rate', metrics.error_rate_over_time),
      kind: 'bars',
      toneOf: errorTone,
      scale: 'count',
      format: shareText,
    },
    { name: 'cpu', label: 'CPU', series: one('CPU', metrics.cpu_usage_over_time, 1 / 100), scale: 'share', format: shareText },
    { name: 'memory', label: 'Memory', series: one('Memory', metrics.memory_usage_over_time, MB), scale: 'bytes', format: memoryText },
    {
      name: 'traffic',
      label: 'Bytes in and out',
      series: one('Bytes in and out', metrics.bytes_over_time),
      scale: 'count',
      format: trafficText,
    },
    {
      name: 'restarts',
      label: 'Restarts',
      series: one('Restarts', metrics.restarts_over_time),
      kind: 'bars',
      toneOf: restartTone,
      scale: 'count',
      format: countText,
    },
  ];
}

const pointsOf = (points: readonly MetricsPoint[], factor = 1) =>
  points.map(({ timestamp, value }) => ({ at: Date.parse(timestamp), value: value === null ? null : value * factor }));
