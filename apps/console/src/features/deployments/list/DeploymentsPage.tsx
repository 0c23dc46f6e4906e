import type { Deployment } from '@paddock/contract';
import { plural } from '@paddock/contract/plural';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Rocket } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { filled } from '../../../api/filled.ts';
import { Loaded } from '../../../api/Loaded.tsx';
import { Button } from '../../../ui/controls/Button.tsx';
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { PageHeader } from '../../../ui/layout/PageHeader.tsx';
import { Icon } from '../../../ui/theme/Icon.tsx';
import { parametersOf, parseLogView } from '../../logs/search.ts';
import { projectsQuery } from '../../projects/queries.ts';
import { curlLine } from '../deploy/curl-line.ts';
import { SampleButton } from '../deploy/SampleButton.tsx';
import { type DeploymentAction, deploymentsQuery } from '../queries.ts';
import type { DeploymentsSearch } from '../search.ts';
import { DeploymentFilters } from './DeploymentFilters.tsx';
import { DeploymentsTable } from './DeploymentsTable.tsx';

const DeployDialog = lazy(() => import('../deploy/DeployDialog.tsx').then((module) => ({ default: module.DeployDialog })));
const LogsDialog = lazy(() => import('./LogsDialog.tsx').then((module) => ({ default: module.LogsDialog })));
const ActionDialog = lazy(() => import('../ActionDialog.tsx').then((module) => ({ default: module.ActionDialog })));

export function DeploymentsPage() {
  const search = useSearch({ from: '/shell/deployments' });
  const navigate = useNavigate({ from: '/deployments' });
  const { project, status, environment, action, database, logs } = search;
  const view = parseLogView(search);
  const list = useInfiniteQuery(deploymentsQuery({ project_id: project, status, environment }));
  const projects = useQuery(projectsQuery);
  const [asked, setAsked] = useState<{ action: DeploymentAction; deployment: Deployment }>();

  const rows = list.data?.pages.flatMap((page) => page.deployments) ?? [];
  const total = list.data?.pages[0]?.total ?? 0;
  const isFiltered = project !== undefined || status !== undefined || environment !== undefined;
  const go = (next: DeploymentsSearch, replace = false) => void navigate({ search: next, replace });
  const filters = filled({ project, status, environment });
  const deploy = (
    <Button variant="primary" icon={<Icon of={Rocket} />} onClick={() => go({ ...filters, action: 'deploy' })}>
      Deploy agent
    </Button>
  );
  return (
    <>
      <PageHeader title="Deployments" count={list.data ? countText(total, project ? 1 : projects.data?.length) : null} actions={deploy} />
      <DeploymentFilters filters={filters} projects={projects.data ?? []} onChange={(next) => go(next)} />
      <Loaded
        query={list}
        failed="The deployments could not be loaded. Running agents are not affected."
        isSpaced
        skeleton={<Skeleton rows={8} />}
      />
      {list.data && rows.length === 0 && isFiltered ? (
        <EmptyState action={<Button onClick={() => go({})}>Clear filters</Button>}>No deployment matches these filters.</EmptyState>
      ) : null}
      {list.data && rows.length === 0 && !isFiltered ? (
        <EmptyState action={<SampleButton />} command={curlLine()}>
          No deployments yet. Drop a ZIP or deploy the sample agent.
        </EmptyState>
      ) : null}
      {rows.length > 0 ? (
        <DeploymentsTable
          rows={rows}
          onLogs={({ id }) => go({ ...filters, logs: id })}
          onAction={(wanted, deployment) => setAsked({ action: wanted, deployment })}
        />
      ) : null}
      {rows.length > 0 ? (
        <ShownCount shown={rows.length} total={total}>
          {list.hasNextPage ? (
            <Button busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
              Load more
            </Button>
          ) : null}
        </ShownCount>
      ) : null}
      <Suspense fallback={null}>
        {action === 'deploy' ? (
          <DeployDialog
            projectId={project}
            environment={environment}
            databaseMode={database}
            onClose={() => go(filters, true)}
            onStarted={({ id }) => void navigate({ to: '/deployments/$id', params: { id } })}
          />
        ) : null}
        {logs ? (
          <LogsDialog
            id={logs}
            view={view}
            onView={(next) => go({ ...filters, logs, ...parametersOf(next), ...(next.line ? { line: next.line } : {}) }, true)}
            onClose={() => go(filters, true)}
          />
        ) : null}
        {asked ? <ActionDialog {...asked} onClose={() => setAsked(undefined)} /> : null}
      </Suspense>
    </>
  );
}

/** The number of loaded deployments and the total, beside the button that loads more. */
const ShownCount = ({ shown, total, children }: { shown: number; total: number; children: ReactNode }) => (
  <div className="mt-4 flex flex-wrap items-center gap-3 text-sm text-muted">
    {children}
    <span role="status">
      {shown.toLocaleString('en')} of {total.toLocaleString('en')} shown
    </span>
  </div>
);

function countText(total: number, projects: number | undefined): string {
  const count = total.toLocaleString('en');
  return projects === undefined ? count : `${count} in ${plural(projects, 'project')}`;
}
