import type { DatabasePoint, DatabaseType } from '@paddock/contract';
import type { ChartPoint, ChartScale } from '../../../ui/charts/chart-shape.ts';
import { bytesText } from '../../../ui/text/bytes.ts';
import { countText, shareText } from '../format.ts';

type Figure = Exclude<keyof DatabasePoint, 'at'>;
interface Series {
  figure: Figure;
  label: string;
  scale: ChartScale;
  format: (value: number) => string;
}

const bytes = { scale: 'bytes', format: bytesText } as const;
const count = { scale: 'count', format: countText } as const;
const share = { scale: 'share', format: shareText } as const;

/** `size_bytes` is the size of the data, `memory_bytes` the memory of the whole server. */
const all: Record<DatabaseType, readonly Series[]> = {
  postgresql: [
    { figure: 'size_bytes', label: 'Size', ...bytes },
    { figure: 'connections', label: 'Connections', ...count },
    { figure: 'transactions', label: 'Transactions', ...count },
    { figure: 'cache_hit_ratio', label: 'Cache hit ratio', ...share },
    { figure: 'memory_bytes', label: 'Memory', ...bytes },
  ],
  redis: [
    { figure: 'size_bytes', label: 'Data in memory', ...bytes },
    { figure: 'keys', label: 'Keys', ...count },
    { figure: 'connections', label: 'Connections', ...count },
    { figure: 'transactions', label: 'Commands', ...count },
    { figure: 'cache_hit_ratio', label: 'Cache hit ratio', ...share },
    { figure: 'evictions', label: 'Evictions', ...count },
    { figure: 'memory_bytes', label: 'Memory', ...bytes },
  ],
};

/** The charts of a database type, most important first. */
export const seriesOf = (type: DatabaseType, points: readonly DatabasePoint[]): (Series & { points: ChartPoint[] })[] =>
  all[type].map((series) => ({ ...series, points: points.map((point) => ({ at: Date.parse(point.at), value: point[series.figure] })) }));
