import { useIsFetching, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Download, RefreshCw } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { filled } from '../../api/filled.ts';
import { Loaded } from '../../api/Loaded.tsx';
import { Button } from '../../ui/controls/Button.tsx';
import { Skeleton } from '../../ui/feedback/Skeleton.tsx';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import { Tabs } from '../../ui/layout/Tabs.tsx';
import { Icon } from '../../ui/theme/Icon.tsx';
import { governanceKey, refresh, summaryQuery } from './queries.ts';
import { SummaryCards } from './SummaryCards.tsx';
import { AuditTrail } from './trail/AuditTrail.tsx';
import { type Go, isTraceId, resolveTab } from './view.ts';
import { messages } from './words.ts';

const DataGovernance = lazy(() => import('./data/DataGovernance.tsx').then((module) => ({ default: module.DataGovernance })));
const ComplianceStatus = lazy(() => import('./compliance/ComplianceStatus.tsx').then((module) => ({ default: module.ComplianceStatus })));
const Policies = lazy(() => import('./policies/Policies.tsx').then((module) => ({ default: module.Policies })));
const GovernanceDialogs = lazy(() => import('./GovernanceDialogs.tsx').then((module) => ({ default: module.GovernanceDialogs })));

const tabs = [
  { id: 'audit-trail', label: 'Audit Trail' },
  { id: 'compliance', label: 'Compliance Status' },
  { id: 'policies', label: 'Policies' },
  { id: 'data-governance', label: 'Data Governance' },
] as const;

export function GovernancePage() {
  const view = useSearch({ from: '/shell/governance' });
  const { log, lineage, open } = view;
  const tab = resolveTab(view);
  const navigate = useNavigate({ from: '/governance' });
  const client = useQueryClient();
  const summary = useQuery(summaryQuery);
  const isFetching = useIsFetching({ queryKey: governanceKey }) > 0;
  // Keeps the tab when the dialog that implied it is closed.
  const shown = { ...view, tab: tab === 'audit-trail' ? undefined : tab };
  const go: Go = (change, { replace = true } = {}) =>
    void navigate({ search: filled({ ...shown, ...change }), replace, resetScroll: false });
  return (
    <>
      <PageHeader
        title="Governance"
        actions={
          <>
            <Button icon={<Icon of={Download} />} onClick={() => go({ open: 'export' }, { replace: false })}>
              Export Logs
            </Button>
            <Button icon={<Icon of={RefreshCw} />} busy={isFetching} onClick={() => void refresh(client)}>
              Refresh
            </Button>
          </>
        }
      />
      <Loaded query={summary} failed={messages.summary} isSpaced />
      <SummaryCards summary={summary.data} />
      <Tabs label="Governance" tabs={tabs} value={tab} onChange={(next) => go({ tab: next === 'audit-trail' ? undefined : next })}>
        {tab === 'audit-trail' ? <AuditTrail view={view} go={go} summary={summary.data} isPending={summary.isPending} /> : null}
        <Suspense key={tab} fallback={<Skeleton kind="cards" rows={3} />}>
          {tab === 'compliance' ? <ComplianceStatus view={view} go={go} /> : null}
          {tab === 'policies' ? <Policies view={view} go={go} /> : null}
          {tab === 'data-governance' ? <DataGovernance summary={summary.data} go={go} /> : null}
        </Suspense>
      </Tabs>
      {log || open === 'export' || open === 'pii' || isTraceId(lineage) ? (
        <Suspense fallback={null}>
          <GovernanceDialogs view={view} go={go} />
        </Suspense>
      ) : null}
    </>
  );
}
