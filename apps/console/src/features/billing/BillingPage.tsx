import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import { Tabs } from '../../ui/layout/Tabs.tsx';
import { InvoicesPanel } from './invoices/InvoicesPanel.tsx';
import { Notices } from './plans/Notices.tsx';
import { PlanStatus } from './plans/PlanStatus.tsx';
import { PlansPanel } from './plans/PlansPanel.tsx';
import { subscriptionQuery } from './queries.ts';
import type { BillingSearch } from './search.ts';
import { UsagePanel } from './UsagePanel.tsx';

const tabs = [
  { id: 'plans', label: 'Plans & Pricing' },
  { id: 'usage', label: 'Usage & Costs' },
  { id: 'invoices', label: 'Invoices & Payments' },
] as const;
const panels: Record<(typeof tabs)[number]['id'], () => ReactNode> = { plans: PlansPanel, usage: UsagePanel, invoices: InvoicesPanel };

export function BillingPage() {
  const { month, tab }: BillingSearch = useSearch({ from: '/shell/billing' });
  // A month in the address belongs to the usage tab.
  const shown = tab ?? (month ? 'usage' : 'plans');
  const navigate = useNavigate({ from: '/billing' });
  const { data } = useQuery(subscriptionQuery);
  const Panel = panels[shown];

  return (
    <>
      <PageHeader title="Billing" count={data ? <PlanStatus state={data} /> : null} />
      {data ? <Notices notices={data.notices} /> : null}
      <Tabs
        label="Billing"
        tabs={tabs}
        value={shown}
        onChange={(next) => void navigate({ search: next === 'plans' ? {} : { tab: next }, replace: true })}
      >
        <Panel />
      </Tabs>
    </>
  );
}
