import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { combineQueries, Loaded } from '../../api/Loaded.tsx';
import { PageLink } from '../../navigation/links.tsx';
import { Skeleton } from '../../ui/feedback/Skeleton.tsx';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import { databasesTotalQuery } from '../databases/queries.ts';
import { recentDeploymentsQuery } from '../deployments/queries.ts';
import { projectsQuery } from '../projects/queries.ts';
import { ActiveAgents } from './ActiveAgents.tsx';
import { CountCard } from './CountCard.tsx';
import { FirstDeployment } from './FirstDeployment.tsx';
import { LastDay } from './LastDay.tsx';
import { QuickActions } from './QuickActions.tsx';
import { RecentDeployments } from './RecentDeployments.tsx';
import { TerminalCard } from './TerminalCard.tsx';

const DeployDialog = lazy(() => import('../deployments/deploy/DeployDialog.tsx').then((module) => ({ default: module.DeployDialog })));

export function DashboardPage() {
  const [file, setFile] = useState<File>();
  const navigate = useNavigate();
  const projects = useQuery(projectsQuery);
  const recent = useQuery(recentDeploymentsQuery);
  const databases = useQuery(databasesTotalQuery);
  const projectId = projects.data?.[0]?.id;
  return (
    <>
      <PageHeader title="Dashboard" />
      <Loaded
        query={combineQueries(projects, recent, databases)}
        failed="The dashboard could not be loaded. Running agents are not affected."
        isSpaced
      />
      <div className="mb-4 grid grid-cols-2 gap-4 lg:grid-cols-4">
        <CountCard label="Total Projects" count={projects.data?.length} to="/projects" />
        <CountCard label="Deployments" count={recent.data?.total} to="/deployments" />
        <CountCard label="Active Now" count={recent.data?.active} to="/deployments" search={{ status: 'active' }} />
        <CountCard label="Databases" count={databases.data} to="/databases" />
      </div>
      {recent.data?.total === 0 ? null : <LastDay />}
      {recent.data?.total === 0 ? (
        <>
          <FirstDeployment onFile={setFile} />
          <div className="mt-4 max-w-80">
            <QuickActions />
          </div>
        </>
      ) : null}
      {recent.isPending ? <Skeleton rows={5} /> : null}
      {recent.data && recent.data.total > 0 ? (
        <>
          <div className="mb-4 grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_16rem]">
            <section aria-labelledby="recent" className="min-w-0">
              <div className="mb-2 flex items-baseline justify-between">
                <h2 id="recent" className="text-lg font-bold">
                  Recent Deployments
                </h2>
                <PageLink to="/deployments">All deployments</PageLink>
              </div>
              <RecentDeployments rows={recent.data.deployments} />
            </section>
            <QuickActions />
          </div>
          <ActiveAgents />
          <TerminalCard />
        </>
      ) : null}
      {/* Here and not with the drop zone: that goes as soon as the new deployment is heard of, which may be before the upload is answered. */}
      <Suspense fallback={null}>
        {file ? (
          <DeployDialog
            projectId={projectId}
            file={file}
            onClose={() => setFile(undefined)}
            onStarted={({ id }) => void navigate({ to: '/deployments/$id', params: { id } })}
          />
        ) : null}
      </Suspense>
    </>
  );
}
