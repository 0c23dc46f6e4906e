import type { BillingState } from '@paddock/contract';
import { type PlanId, plans } from '@paddock/contract/plans';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ButtonLink } from '../../../navigation/links.tsx';
import { Banner } from '../../../ui/feedback/Banner.tsx';
import { Card } from '../../../ui/layout/Card.tsx';
import { Facts } from '../plans/Facts.tsx';
import { PlanGrid } from '../plans/PlanGrid.tsx';
import { UpgradeDialog } from '../plans/UpgradeDialog.tsx';
import { WithBilling } from '../plans/WithBilling.tsx';
import { usageQuery } from '../queries.ts';
import { CurrentPlan } from './CurrentPlan.tsx';
import { PaymentMethodCard } from './PaymentMethodCard.tsx';

/** Billing in the settings: the plan, the payment method, and this month's usage. */
export function BillingTab({ isSaved }: { /** The person has just returned from the card page. */ isSaved: boolean }) {
  return (
    <div className="flex flex-col gap-4">
      <Banner action={<ButtonLink to="/billing">Go to Billing</ButtonLink>}>See all costs, budgets and plans on the billing page.</Banner>
      {isSaved ? (
        <Banner tone="success">Your card is saved. It appears here once the payment provider confirms it, usually within seconds.</Banner>
      ) : null}
      <WithBilling>{(state) => <Parts state={state} />}</WithBilling>
      <Usage />
    </div>
  );
}

function Parts({ state }: { state: BillingState }) {
  const [chosen, setChosen] = useState<PlanId>();
  const current = state.subscription?.plan;
  const isLarger = (plan: PlanId) => !current || plans[plan].price_cents > plans[current].price_cents;
  return (
    <>
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <CurrentPlan state={state} />
        <PaymentMethodCard state={state} />
      </div>
      <section aria-labelledby="available-plans">
        <h2 id="available-plans" className="mb-2 text-base font-bold">
          Available Plans
        </h2>
        <PlanGrid current={current} verb={(plan) => (isLarger(plan) ? 'Upgrade to' : 'Switch to')} onChoose={setChosen} />
      </section>
      {chosen ? <UpgradeDialog plan={chosen} state={state} onClose={() => setChosen(undefined)} /> : null}
    </>
  );
}

/** Totals have two decimals here (spec, section 9). */
const total = (amount: number, unit: string) =>
  `${amount.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })} ${unit}`;

function Usage() {
  const { data } = useQuery(usageQuery(undefined));
  const used = data?.shown;
  if (!used) return null;
  return (
    <Card title="Current Usage">
      <div className="max-w-110">
        <Facts
          of={[
            ['Compute hours', total(used.compute_hours, 'hours')],
            ['Bandwidth', total(used.bandwidth_gb, 'GB')],
            ['Storage', total(used.database_storage_gb, 'GB')],
          ]}
        />
      </div>
    </Card>
  );
}
