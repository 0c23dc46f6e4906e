import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import { Tabs } from '../../ui/layout/Tabs.tsx';
import { UsagePanel } from './UsagePanel.tsx';

const tabs = [{ id: 'usage', label: 'Usage & Costs' }] as const;

export function BillingPage() {
  return (
    <>
      <PageHeader title="Billing" />
      <Tabs label="Billing" tabs={tabs} value="usage" onChange={() => undefined}>
        <UsagePanel />
      </Tabs>
    </>
  );
}
