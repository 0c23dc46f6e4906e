import type { DeploymentDetail } from '@paddock/contract';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { filled } from '../../../api/filled.ts';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { Tabs } from '../../../ui/layout/Tabs.tsx';
import { Overview } from './Overview.tsx';

const TracesPanel = lazy(() => import('../../traces/TracesPanel.tsx').then((module) => ({ default: module.TracesPanel })));

const tabs = [
  { id: 'overview', label: 'Overview' },
  { id: 'traces', label: 'Traces' },
] as const;

/** The tabs of a deployment's page, below its head. */
export function DeploymentTabs({ deployment }: { deployment: DeploymentDetail }) {
  const { tab = 'overview', search: _, level: __, ...view } = useSearch({ from: '/shell/deployments/$id' });
  const navigate = useNavigate({ from: '/deployments/$id' });
  const [isRenewed, setRenewed] = useState(true);
  return (
    <Tabs
      label="Deployment"
      tabs={tabs}
      value={tab}
      onChange={(next) => void navigate({ to: '.', search: next === 'traces' ? { tab: next } : {}, replace: true, resetScroll: false })}
    >
      {tab === 'traces' ? (
        <Suspense fallback={<Skeleton rows={6} />}>
          <TracesPanel
            deploymentId={deployment.id}
            view={view}
            queryOf={(next) => filled({ tab, ...next })}
            isRenewed={isRenewed}
            onRenewed={setRenewed}
          />
        </Suspense>
      ) : (
        <Overview deployment={deployment} />
      )}
    </Tabs>
  );
}
