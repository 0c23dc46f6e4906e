import { useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { filled } from '../api/filled.ts';
import { ProfileTab } from '../features/accounts/profile/ProfileTab.tsx';
import { ChannelsPanel } from '../features/alerts/channels/ChannelsPanel.tsx';
import { AlertRulesPanel } from '../features/alerts/rules/AlertRulesPanel.tsx';
import { KeysPanel } from '../features/api-keys/KeysPanel.tsx';
import { LinkedProviders } from '../features/oauth/LinkedProviders.tsx';
import { useIsAwaitingProviders } from '../features/oauth/queries.ts';
import { Skeleton } from '../ui/feedback/Skeleton.tsx';
import { PageHeader } from '../ui/layout/PageHeader.tsx';
import { Tabs } from '../ui/layout/Tabs.tsx';

const BillingTab = lazy(() => import('../features/billing/settings/BillingTab.tsx').then((module) => ({ default: module.BillingTab })));

const ModelPricesPanel = lazy(() =>
  import('../features/traces/prices/ModelPricesPanel.tsx').then((module) => ({ default: module.ModelPricesPanel })),
);

const DataProtectionPanel = lazy(() =>
  import('../features/governance/protection/DataProtectionPanel.tsx').then((module) => ({ default: module.DataProtectionPanel })),
);

const tabs = [
  { id: 'profile', label: 'Profile' },
  { id: 'billing', label: 'Billing' },
  { id: 'api-keys', label: 'API Keys' },
  { id: 'alerts', label: 'Alerts' },
  { id: 'model-prices', label: 'Model prices' },
  { id: 'data-protection', label: 'Data protection' },
] as const;

/** Settings of several features, one tab each. */
export function SettingsPage() {
  const { tab = 'profile', action, project, payment_method } = useSearch({ from: '/shell/settings' });
  const navigate = useNavigate({ from: '/settings' });
  const creatingOn = (on: Exclude<typeof tab, 'profile' | 'billing' | 'data-protection'>) => ({
    creating: action === 'new',
    onCreating: (open: boolean) =>
      void navigate({ search: filled({ tab: on, project, action: open ? ('new' as const) : undefined }), replace: !open }),
  });
  const showProject = (id: string) =>
    void navigate({ search: filled({ tab: tab === 'profile' ? undefined : tab, project: id }), replace: true, resetScroll: false });
  return (
    <>
      <PageHeader title="Settings" />
      <Tabs
        label="Settings"
        tabs={tabs}
        value={tab}
        onChange={(next) => void navigate({ search: next === 'profile' ? {} : { tab: next }, replace: true })}
      >
        {tab === 'profile' ? <ProfilePanel /> : null}
        {tab === 'billing' ? (
          <Suspense fallback={<Skeleton rows={6} />}>
            <BillingTab isSaved={payment_method !== undefined} />
          </Suspense>
        ) : null}
        {tab === 'api-keys' ? <KeysPanel {...creatingOn(tab)} /> : null}
        {tab === 'alerts' ? (
          <>
            <AlertRulesPanel project={project} onProject={showProject} />
            <ChannelsPanel {...creatingOn(tab)} />
          </>
        ) : null}
        {tab === 'model-prices' ? (
          <Suspense fallback={<Skeleton rows={6} />}>
            <ModelPricesPanel {...creatingOn(tab)} />
          </Suspense>
        ) : null}
        {tab === 'data-protection' ? (
          <Suspense fallback={<Skeleton rows={8} />}>
            <DataProtectionPanel project={project} onProject={showProject} />
          </Suspense>
        ) : null}
      </Tabs>
    </>
  );
}

function ProfilePanel() {
  return <ProfileTab providers={<LinkedProviders />} isWaiting={useIsAwaitingProviders()} />;
}
