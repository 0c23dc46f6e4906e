import type { ChartPoint, ChartScale } from './chart-shape.ts';
import { LineChart } from './LineChart.tsx';

export interface ChartSeries {
  label: string;
  points: readonly ChartPoint[];
  tone?: 's1' | 's2' | 's3' | 'good' | 'warn' | 'bad';
}

export interface ChartMarker {
  at: number;
  label: string;
}

export interface ChartZoom {
  from: number;
  to: number;
}

type Props = {
  label: string;
  series: readonly ChartSeries[];
  kind?: 'line' | 'bars';
  toneOf?: (value: number) => NonNullable<ChartSeries['tone']>;
  scale: ChartScale;
  format: (value: number) => string;
  formatTime: (at: number) => string;
  cursor: number | null;
  onCursor: (index: number | null) => void;
  markers?: readonly ChartMarker[];
  zoom?: ChartZoom | null;
  onZoom?: (zoom: ChartZoom | null) => void;
  csvName?: string;
};

/** Until the one chart of the house is there: each series as a chart of its own. */
export function Chart({ label, series, scale, format, formatTime, cursor, onCursor }: Props) {
  return (
    <>
      {series.map((each) => (
        <LineChart
          key={each.label}
          label={series.length > 1 ? `${label}, ${each.label}` : label}
          points={each.points}
          scale={scale}
          format={format}
          formatTime={formatTime}
          cursor={cursor}
          onCursor={onCursor}
        />
      ))}
    </>
  );
}
