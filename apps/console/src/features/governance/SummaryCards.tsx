import type { GovernanceSummary } from '@paddock/contract';
import { isDemo, useSession } from '../../api/session.ts';

/** The sample figures of the demo. Elsewhere a figure that nothing computes is not shown. */
const samples: [label: string, figure: string][] = [
  ['Compliance Score', '98.5%'],
  ['Violations', '2'],
  ['Active Policies', '3'],
];

export function SummaryCards({ summary }: { summary: GovernanceSummary | undefined }) {
  const isInDemo = isDemo(useSession()?.token);
  const cards: [label: string, figure: string][] = [
    ['Total Actions', summary?.total_actions.toLocaleString('en') ?? '–'],
    ...(isInDemo ? samples : [['Compliance Score', 'Not verified'] as [string, string]]),
  ];
  return (
    <dl className="mb-4 grid grid-cols-2 gap-3 lg:grid-cols-4">
      {cards.map(([label, figure]) => (
        <div key={label} className="min-w-0 rounded-box border border-border bg-surface px-3.5 pt-3">
          <dt className="text-sm font-semibold text-muted">{label}</dt>
          <dd className="pb-1 text-figure font-bold wrap-anywhere">{figure}</dd>
          <dd aria-hidden="true" className="ruler ruler-fading ruler-faint mt-2" />
        </div>
      ))}
    </dl>
  );
}
