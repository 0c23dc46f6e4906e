import type { Database, DatabasePoint, MetricsRange } from '@paddock/contract';
import { countText, shareText } from '@paddock/contract/figures';
import { megabytes } from '../archive/list-files.ts';
import { sparkline } from '../commands/metrics.ts';
import type { Context } from '../context.ts';
import type { TargetOptions } from '../deployment.ts';
import { clean } from '../terminal.ts';
import { theDatabase } from './find-database.ts';

type Figure = Exclude<keyof DatabasePoint, 'at'>;

const rows: [figure: Figure, label: string, kind: 'last' | 'sum', text: (value: number) => string][] = [
  ['size_bytes', 'Size', 'last', megabytes],
  ['memory_bytes', 'Memory', 'last', megabytes],
  ['connections', 'Connections', 'last', countText],
  ['transactions', 'Transactions', 'sum', countText],
  ['cache_hit_ratio', 'Hit ratio', 'last', shareText],
  ['keys', 'Keys', 'last', countText],
  ['evictions', 'Evictions', 'sum', countText],
];

/** Prints the figures of a managed database: the last measured value, or the sum of the range, and its course. */
export async function showMetrics(context: Context, given: string | undefined, options: TargetOptions & { range: MetricsRange }) {
  const server = await context.server();
  const database = await theDatabase(context, { server, given, options });
  const answer = await server.api.databases.metrics({ id: database.id, time_range: options.range });
  context.terminal.result(answer, clean(describe(database, answer.points, options.range)));
}

function describe({ type, project_name, environment, status }: Database, points: readonly DatabasePoint[], range: MetricsRange): string {
  const lines = [`Database     ${type} of ${project_name}, ${environment}, ${status}`, `Range        last ${range}`];
  for (const [figure, label, kind, text] of rows) {
    const values = points.map((point) => point[figure]);
    const measured = values.filter((value) => value !== null);
    if (measured.length === 0) continue;
    const shown = kind === 'sum' ? measured.reduce((sum, value) => sum + value, 0) : measured.at(-1)!;
    const course = sparkline(points.map((point) => ({ timestamp: point.at, value: point[figure] })));
    lines.push(`${label.padEnd(13)}${text(shown).padEnd(10)}  ${course}`);
  }
  return lines.length > 2 ? lines.join('\n') : `${lines.join('\n')}\nNothing was measured in this range.`;
}
