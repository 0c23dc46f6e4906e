import type { UsageOfMonth } from '@paddock/contract';
import { unitPrices } from '@paddock/contract/plans';
import { Meter } from '../../ui/feedback/Meter.tsx';
import { Card } from '../../ui/layout/Card.tsx';
import { monthName, priceText, usageText } from './words.ts';

interface Props {
  usage: UsageOfMonth;
  isCurrent: boolean;
}

/** The scales of the spec: `max` is the amount at which a bar is full. */
const scales = [
  { label: 'Compute Hours', of: 'compute_hours', unit: 'hours', cents: unitPrices.compute_hour, per: 'per hour', max: 100 },
  { label: 'Bandwidth', of: 'bandwidth_gb', unit: 'GB', cents: unitPrices.bandwidth_gb, per: 'per GB', max: 1000 },
  {
    label: 'Database Storage',
    of: 'database_storage_gb',
    unit: 'GB',
    cents: unitPrices.storage_gb_month,
    per: 'per GB and month',
    max: 50,
  },
] as const;

export const UsageCard = ({ usage, isCurrent }: Props) => (
  <Card title={isCurrent ? 'Current Month Usage' : `Usage of ${monthName(usage.month)}`} aside={<State usage={usage} />}>
    <div className="flex flex-col gap-4">
      {scales.map(({ label, of, unit, cents, per, max }) => (
        <Meter
          key={of}
          label={label}
          value={usage[of]}
          max={max}
          text={`${usageText(usage[of])} ${unit}`}
          note={`${priceText(cents / 100)} ${per}. The bar is full at ${max.toLocaleString('en')} ${unit}; this is not a limit.`}
        />
      ))}
    </div>
    <p className="mt-3 text-sm text-muted">
      Multiplied by the cores of each agent: {usageText(usage.core_hours)} core hours, at no extra cost.
    </p>
  </Card>
);

const State = ({ usage: { closed_at } }: { usage: UsageOfMonth }) => (
  <span className="text-sm text-muted">{closed_at ? 'Closed: this month is final' : 'Open'}</span>
);

/** The cost of a month. The plan of an earlier month is on its invoice. */
export function CostCards({ usage, isCurrent }: Props) {
  const { projected, base_plan_cost } = usage;
  const basePlan = base_plan_cost ?? 0;
  const plan = base_plan_cost === null ? [] : ([['Base plan', basePlan]] as const);
  const lines = [
    ...plan,
    ['Compute', usage.compute_cost],
    ['Bandwidth', usage.bandwidth_cost],
    ['Database storage', usage.database_storage_cost],
  ] as const;
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <Card title={isCurrent ? 'Estimated Cost This Month' : `Cost of ${monthName(usage.month)}`}>
        <p className="text-figure font-bold">{priceText(basePlan + usage.cost)}</p>
        <Lines
          of={[
            ...(base_plan_cost === null ? [] : [['Base Plan Cost', priceText(basePlan)] as const]),
            ...(projected ? [['Projected at month end', priceText(basePlan + projected.cost)] as const] : []),
          ]}
        />
        {isCurrent && !projected ? (
          <p className="text-sm text-muted">A projection for the month appears once the month is a day old.</p>
        ) : null}
      </Card>
      <Card title="Cost Breakdown">
        <Lines of={[...lines.map(([name, cost]) => [name, priceText(cost)] as const), ['Total', priceText(basePlan + usage.cost)]]} />
      </Card>
    </div>
  );
}

const Lines = ({ of }: { of: readonly (readonly [string, string])[] }) => (
  <dl>
    {of.map(([name, text]) => (
      <div key={name} className="flex justify-between gap-4 border-t border-border py-1.5 first:border-t-0 last:font-semibold">
        <dt>{name}</dt>
        <dd>{text}</dd>
      </div>
    ))}
  </dl>
);
