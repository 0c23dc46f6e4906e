import type { ModelUsage, ModelUsageReport } from '@paddock/contract';
import { countText, dollarText } from '@paddock/contract/figures';
import { addModelSums } from '@paddock/contract/model-sums';
import { type Terminal, table } from '../terminal.ts';

/** Model calls of an agent over the whole range. */
export type PairUsage = Omit<ModelUsage, 'day'>;

const tokens = ({ input_tokens, output_tokens }: PairUsage) => input_tokens + output_tokens;

/** The days of each agent and model together: the most expensive first, those without a cost by their tokens. */
export function sumPairs(rows: readonly ModelUsage[]): PairUsage[] {
  const pairs = new Map<string, PairUsage>();
  for (const { day: _day, ...row } of rows) {
    const key = JSON.stringify([row.project_id, row.model]);
    const known = pairs.get(key);
    pairs.set(key, known ? { ...known, ...addModelSums(known, row) } : row);
  }
  return [...pairs.values()].toSorted((a, b) => (b.cost_usd ?? 0) - (a.cost_usd ?? 0) || tokens(b) - tokens(a));
}

const headings = ['PROJECT', 'MODEL', 'CALLS', 'INPUT', 'CACHED', 'OUTPUT', 'COST'];

/** The cost of models in a range, by agent and model. */
export function modelUsageText(
  { date_from, date_to, model_usage, totals, unpriced_models }: ModelUsageReport,
  terminal: Pick<Terminal, 'paint' | 'width'>,
): string {
  const rows = sumPairs(model_usage).map((pair) => [
    projectName(pair),
    pair.model ?? 'all others',
    countText(pair.calls),
    countText(pair.input_tokens),
    countText(pair.cached_tokens),
    countText(pair.output_tokens),
    pair.cost_usd === null && tokens(pair) > 0 ? 'no price' : dollarText(pair.cost_usd),
  ]);
  const head = [
    `Days        ${date_from} to ${date_to} (UTC)`,
    `Model cost  ${dollarText(totals.cost_usd)}, paid to model providers, not billed by Paddock`,
  ];
  if (unpriced_models.length > 0) head.push(`No price    ${unpriced_models.join(', ')}`);
  return [head.join('\n'), rows.length > 0 ? table(headings, rows, terminal) : 'No model calls in these days.'].join('\n\n');
}

function projectName({ project_id, project_name }: PairUsage): string {
  if (project_id === null) return 'all others';
  return project_name ?? `${project_id} (deleted)`;
}
