import type { MetricsRange, ModelUsageReport } from '@paddock/contract';
import { countText, dollarText } from '@paddock/contract/figures';
import { shownText } from '@paddock/contract/terminal-text';
import { dayMs, iso } from '@paddock/contract/time';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { Loaded } from '../../../api/Loaded.tsx';
import { Chart } from '../../../ui/charts/Chart.tsx';
import { TextLink } from '../../../ui/controls/TextLink.tsx';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { Card } from '../../../ui/layout/Card.tsx';
import { utcDay } from '../../../ui/text/time.ts';
import { modelUsageQuery, type UsageOf } from './queries.ts';
import { sumByDay, sumUsage } from './sum-usage.ts';
import { UnpricedNote, UsageTable } from './UsageTable.tsx';

interface Props {
  agent: Required<Pick<UsageOf, 'project_id' | 'environment'>> & { name: string };
  range: MetricsRange;
  isRenewed: boolean;
}

/** Sums are by day: ranges of hours show the week. */
const daysOf = { '1h': 7, '24h': 7, '7d': 7, '30d': 30 } as const satisfies Record<MetricsRange, number>;

/** The UTC days of a range, up to today. */
function lastDays(range: MetricsRange) {
  const now = Date.now();
  const dayName = (at: number) => iso(at).slice(0, 10);
  return { date_from: dayName(now - (daysOf[range] - 1) * dayMs), date_to: dayName(now) };
}

/** Tokens and cost of an agent's model calls, by day and model. */
export function ModelUsageCard({ agent: { name, ...agent }, range, isRenewed }: Props) {
  const query = useQuery({ ...modelUsageQuery({ ...lastDays(range), ...agent }, { isRenewed }), placeholderData: keepPreviousData });
  const { data } = query;
  const aside = data ? (
    <span className="text-sm text-muted">
      {utcDay(Date.parse(data.date_from))} to {utcDay(Date.parse(data.date_to))}, days in UTC
    </span>
  ) : null;
  return (
    <div className="mt-6">
      <Card title="Model usage" aside={aside}>
        <Loaded
          query={query}
          failed="The model usage could not be loaded. Running agents are not affected."
          skeleton={<Skeleton rows={4} />}
          isSpaced
        />
        {data && data.totals.calls === 0 ? <NoCalls /> : null}
        {data && data.totals.calls > 0 ? (
          <div className={query.isPlaceholderData ? 'opacity-55' : ''} aria-busy={query.isPlaceholderData}>
            <Usage key={data.date_from} report={data} csvName={`${name}-${agent.environment}`} />
          </div>
        ) : null}
      </Card>
    </div>
  );
}

const NoCalls = () => (
  <p className="max-w-text text-muted">
    No model calls in these days: they appear here once the agent’s OpenTelemetry SDK sends spans of them, which needs no configuration.{' '}
    <TextLink href="/docs/traces" target="_blank" rel="noreferrer">
      Guide to traces
    </TextLink>
  </p>
);

function Usage({ report, csvName }: { report: ModelUsageReport; csvName: string }) {
  const { totals, model_usage, unpriced_models } = report;
  const models = useMemo(() => sumUsage(model_usage, ({ model }) => model ?? ''), [model_usage]);
  const figures = [
    ['Cost', dollarText(totals.cost_usd)],
    ['Calls', countText(totals.calls)],
    ['Input tokens', countText(totals.input_tokens)],
    ['Output tokens', countText(totals.output_tokens)],
  ] as const;
  return (
    <div className="flex flex-col gap-4">
      <dl className="grid grid-cols-2 gap-4 lg:grid-cols-4">
        {figures.map(([term, figure]) => (
          <div key={term}>
            <dt className="text-sm text-muted">{term}</dt>
            <dd className="text-figure font-bold">{figure}</dd>
          </div>
        ))}
      </dl>
      <UsageCharts report={report} csvName={csvName} />
      <UsageTable
        caption="Model usage by model"
        head="Model"
        groups={models}
        nameOf={({ row }) => (row.model === null ? 'All other models' : shownText(row.model, 60))}
      />
      <UnpricedNote models={unpriced_models} />
    </div>
  );
}

function UsageCharts({ report, csvName }: { report: ModelUsageReport; csvName: string }) {
  const [cursor, setCursor] = useState<number | null>(null);
  const [cost, tokens] = useMemo(() => {
    const days = sumByDay(report);
    const points = (figure: (day: (typeof days)[number]) => number) => days.map((day) => ({ at: day.at, value: figure(day) }));
    return [
      [{ label: 'Model cost by day', points: points(({ cost_usd }) => cost_usd ?? 0) }],
      [
        { label: 'Input', points: points(({ input_tokens }) => input_tokens), tone: 's1' as const },
        { label: 'Output', points: points(({ output_tokens }) => output_tokens), tone: 's2' as const },
      ],
    ] as const;
  }, [report]);
  const shared = { kind: 'bars', scale: 'count', formatTime: utcDay, cursor, onCursor: setCursor } as const;
  return (
    <div className="grid items-end gap-4 lg:grid-cols-2">
      {report.totals.cost_usd === null ? null : (
        <Chart label="Model cost by day" series={cost} format={dollarText} csvName={`${csvName}-model-cost`} {...shared} />
      )}
      <Chart label="Tokens by day" series={tokens} format={countText} csvName={`${csvName}-tokens`} {...shared} />
    </div>
  );
}
