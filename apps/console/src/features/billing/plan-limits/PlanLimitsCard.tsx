import { limitKinds, plans, plansInForce } from '@paddock/contract/plans';
import { useQuery } from '@tanstack/react-query';
import { Meter } from '../../../ui/feedback/Meter.tsx';
import { Card } from '../../../ui/layout/Card.tsx';
import { planLimitsQuery } from './queries.ts';

const words = {
  projects: ['Projects', ''],
  bandwidth_gb: ['Bandwidth this month', ' GB'],
  storage_gb: ['PostgreSQL storage', ' GB'],
} as const;
const inWords = (amount: number) => amount.toLocaleString('en', { maximumFractionDigits: 1 });

/** Usage against the limits of the plan. If the request fails, the card is omitted: the rest of the page does not depend on it. */
export function PlanLimitsCard() {
  const { data } = useQuery({ ...planLimitsQuery, refetchInterval: 60_000 });
  if (!data) return null;
  const { name } = plansInForce[data.plan];
  return (
    <Card title={`${name} plan limits`}>
      <div className="flex flex-col gap-4">
        {limitKinds.map((kind) => {
          const { used, limit, reached, raised_by } = data[kind];
          const [label, unit] = words[kind];
          return limit === null ? (
            <p key={kind} className="text-sm">
              <span className="font-semibold">{label}</span>: {inWords(used)}
              {unit}, no limit
            </p>
          ) : (
            <Meter
              key={kind}
              label={label}
              value={used}
              max={limit}
              text={`${inWords(used)} of ${inWords(limit)}${unit}`}
              tone={reached ? 'warning' : 'accent'}
              note={reached && raised_by ? `Limit reached. The ${plans[raised_by].name} plan allows more.` : undefined}
            />
          );
        })}
      </div>
      <p className="mt-3 text-sm text-muted">
        {data.binding
          ? 'Reaching a limit does not stop anything that runs: new projects, deployments or databases are refused.'
          : 'This installation only shows plan limits and does not enforce them.'}
      </p>
    </Card>
  );
}
