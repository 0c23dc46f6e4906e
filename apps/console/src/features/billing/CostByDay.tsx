import type { UsageOfDay } from '@paddock/contract';
import { dollarText } from '@paddock/contract/figures';
import { useMemo, useState } from 'react';
import { Chart } from '../../ui/charts/Chart.tsx';
import { Card } from '../../ui/layout/Card.tsx';
import { utcDay } from '../../ui/text/time.ts';

type Props = { days: readonly UsageOfDay[]; month: string; isCurrent: boolean };

/** The cost of each day; the values can be shown as a table and saved. */
export function CostByDay({ days, month, isCurrent }: Props) {
  const [cursor, setCursor] = useState<number | null>(null);
  const series = useMemo(
    () => [{ label: 'Cost by day', points: days.map(({ day, cost }) => ({ at: Date.parse(day), value: cost })) }],
    [days],
  );
  if (days.length === 0) return null;
  return (
    <Card>
      <Chart
        label="Cost by day"
        series={series}
        kind="bars"
        scale="count"
        format={dollarText}
        formatTime={utcDay}
        cursor={cursor}
        onCursor={setCursor}
        isPast={!isCurrent}
        csvName={`usage-${month}`}
      />
    </Card>
  );
}
