import type { GovernanceSummary } from '@paddock/contract';
import { useQuery } from '@tanstack/react-query';
import { overviewQuery } from './compliance/queries.ts';
import { policiesQuery } from './policies/queries.ts';

const unknown = '–';

/** The summary figures. Figures that are loading or failed to load are dashes; the tabs show the errors. */
export function SummaryCards({ summary }: { summary: GovernanceSummary | undefined }) {
  const { data: compliance } = useQuery(overviewQuery);
  const { data: policies } = useQuery(policiesQuery);
  const numberOf = (count: number | undefined) => count?.toLocaleString('en') ?? unknown;
  const cards: [label: string, figure: string][] = [
    ['Total Actions', numberOf(summary?.total_actions)],
    ['Compliance Score', compliance ? scoreText(compliance.score) : unknown],
    ['Violations', numberOf(compliance?.frameworks.reduce((sum, { violations }) => sum + violations, 0))],
    ['Active Policies', numberOf(policies?.filter(({ status }) => status === 'active').length)],
  ];
  return (
    <dl className="mb-4 grid grid-cols-2 gap-3 lg:grid-cols-4">
      {cards.map(([label, figure]) => (
        <div key={label} className="min-w-0 rounded-box border border-border bg-surface px-3.5 pt-3 pb-2.5">
          <dt className="text-sm font-semibold text-muted">{label}</dt>
          <dd className="pb-1 text-figure font-bold wrap-anywhere">{figure}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Rounded down, so that 100% means all. */
const scoreText = (score: number | null) => (score === null ? 'Not verified' : `${Math.floor(score * 10) / 10}%`);
