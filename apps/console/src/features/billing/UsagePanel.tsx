import type { UsageOfMonth } from '@paddock/contract';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { failureText, fieldError } from '../../api/failure.ts';
import { filled } from '../../api/filled.ts';
import { Loaded } from '../../api/Loaded.tsx';
import { Field } from '../../ui/controls/Field.tsx';
import { Select } from '../../ui/controls/Select.tsx';
import { Timestamp } from '../../ui/text/Timestamp.tsx';
import { Budgets } from './Budgets.tsx';
import { ByProject, Corrections } from './ByProject.tsx';
import { CostByDay } from './CostByDay.tsx';
import { CostCards, UsageCard } from './cards.tsx';
import { ModelCost } from './ModelCost.tsx';
import { PlanLimitsCard } from './plan-limits/PlanLimitsCard.tsx';
import { LoadingBilling } from './plans/WithBilling.tsx';
import { usageQuery } from './queries.ts';
import { messages, monthName } from './words.ts';

const isMonth = /^20\d\d-(0[1-9]|1[0-2])$/;

/** Usage and cost of a month, and the budgets. */
export function UsagePanel() {
  const { month: given = '' } = useSearch({ from: '/shell/billing' });
  // The address may contain anything: an invalid month means the current one.
  const month = isMonth.test(given) ? given : undefined;
  const navigate = useNavigate({ from: '/billing' });
  const query = useQuery(usageQuery(month));
  const { data, error } = query;
  const choose = (next: string) =>
    void navigate({
      search: filled({ tab: 'usage' as const, month: next === data?.usage[0]?.month ? undefined : next }),
      replace: true,
      resetScroll: false,
    });
  const isOld = query.isPlaceholderData || (error !== null && month !== undefined && data?.shown?.month !== month);
  return (
    <>
      <Loaded
        query={query}
        failed={(failure) => fieldError(failure, 'month') ?? failureText(failure, messages.usage) ?? ''}
        isSpaced
        skeleton={<LoadingBilling />}
      />
      {data?.shown ? (
        <>
          <div className="mb-4 flex flex-wrap items-end gap-x-6 gap-y-2">
            <Months months={data.usage} shown={month ?? data.shown.month} onMonth={choose} />
            <p className="pb-1.5 text-sm text-muted">
              Days are in UTC.{' '}
              {data.metered_at ? (
                <>
                  Metered <Timestamp at={data.metered_at} />.
                </>
              ) : (
                'Nothing metered yet. The first figures appear within two minutes.'
              )}
            </p>
          </div>
          <div className={`flex flex-col gap-4 ${isOld ? 'opacity-55' : ''}`} aria-busy={isOld}>
            <Month usage={data.shown} isCurrent={data.shown.month === data.usage[0]?.month} />
          </div>
        </>
      ) : null}
      <div className="mt-4 empty:hidden">
        <PlanLimitsCard />
      </div>
      <Budgets />
    </>
  );
}

type MonthsProps = { months: readonly UsageOfMonth[]; shown: string; onMonth: (month: string) => void };

function Months({ months, shown, onMonth }: MonthsProps) {
  const known = months.map(({ month }) => month);
  return (
    <div className="w-56 max-w-full">
      <Field label="Month">
        <Select value={shown} onChange={(event) => onMonth(event.target.value)}>
          {(known.includes(shown) ? known : [...known, shown]).map((month) => (
            <option key={month} value={month}>
              {monthName(month)}
            </option>
          ))}
        </Select>
      </Field>
    </div>
  );
}

const Month = ({ usage, isCurrent }: { usage: UsageOfMonth; isCurrent: boolean }) => (
  <>
    <div className="grid gap-4 lg:grid-cols-2">
      <UsageCard usage={usage} isCurrent={isCurrent} />
      <CostCards usage={usage} isCurrent={isCurrent} />
    </div>
    <Corrections usage={usage} />
    <CostByDay key={usage.month} days={usage.by_day ?? []} month={usage.month} isCurrent={isCurrent} />
    <ByProject projects={usage.by_project ?? []} />
    <ModelCost month={usage.month} />
  </>
);
