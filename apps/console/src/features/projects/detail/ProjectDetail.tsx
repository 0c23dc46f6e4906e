import type { Deployment, Project } from '@paddock/contract';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { Loaded } from '../../../api/Loaded.tsx';
import { useCommands } from '../../../commands/command-registry.ts';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import type { DeploymentAction } from '../../deployments/queries.ts';
import { environmentStatuses, problemOf, projectStatus } from '../project-status.ts';
import { projectDeploymentsQuery } from '../queries.ts';
import { DatabasesCard } from './DatabasesCard.tsx';
import { EnvironmentsTable } from './EnvironmentsTable.tsx';
import { LatestDeployments } from './LatestDeployments.tsx';
import { LogPanel } from './LogPanel.tsx';
import { ProblemBanner } from './ProblemBanner.tsx';
import { ProjectHead } from './ProjectHead.tsx';
import { SettingsCard } from './SettingsCard.tsx';
import { VariablesCard } from './VariablesCard.tsx';

const DeployDialog = lazy(() => import('../../deployments/deploy/DeployDialog.tsx').then((module) => ({ default: module.DeployDialog })));
const ActionDialog = lazy(() => import('../../deployments/ActionDialog.tsx').then((module) => ({ default: module.ActionDialog })));
const ProjectDialog = lazy(() => import('../ProjectDialog.tsx').then((module) => ({ default: module.ProjectDialog })));
const DeleteProjectDialog = lazy(() => import('../DeleteProjectDialog.tsx').then((module) => ({ default: module.DeleteProjectDialog })));

type Open = { kind: 'edit' } | { kind: 'delete' } | { kind: 'act'; action: DeploymentAction; deployment: Deployment };

export function ProjectDetail({ project }: { project: Project }) {
  const { id, name } = project;
  const { action } = useSearch({ from: '/shell/projects/$id' });
  const navigate = useNavigate({ from: '/projects/$id' });
  const query = useQuery(projectDeploymentsQuery(id));
  const [open, setOpen] = useState<Open>();
  const deploy = () => void navigate({ search: { action: 'deploy' } });
  const close = () => setOpen(undefined);
  useCommands([
    // This replaces the shell's command, whose form begins without a project.
    { id: 'do:deploy', group: 'Actions', label: `Deploy agent to ${name}`, keys: 'd', run: deploy },
    { id: 'do:edit-project', group: 'Actions', label: `Edit project ${name}`, run: () => setOpen({ kind: 'edit' }) },
  ]);

  const status = query.data ? projectStatus(query.data.all) : undefined;
  const environments = environmentStatuses(query.data?.all ?? []);
  return (
    <>
      <ProjectHead
        project={project}
        status={status}
        onDeploy={deploy}
        onEdit={() => setOpen({ kind: 'edit' })}
        onDelete={() => setOpen({ kind: 'delete' })}
      />
      <Loaded
        query={query}
        failed="The deployments of the project could not be loaded. Running agents are not affected."
        isSpaced
        skeleton={<Skeleton rows={7} />}
      />
      {environments.map((environment) => (
        <ProblemBanner key={environment.environment} status={environment} problem={problemOf(environment)} />
      ))}
      {query.data ? (
        <>
          {query.data.total > 0 ? <EnvironmentsTable rows={environments} /> : null}
          <LatestDeployments
            project={project}
            rows={query.data.newest}
            total={query.data.total}
            onDeploy={deploy}
            onAction={(wanted, deployment) => setOpen({ kind: 'act', action: wanted, deployment })}
          />
        </>
      ) : null}
      {status?.shown ? <LogPanel key={status.shown.id} deployment={status.shown} /> : null}
      <div className="mb-4 grid items-start gap-4 lg:grid-cols-2">
        <VariablesCard projectId={id} />
        <DatabasesCard projectId={id} />
      </div>
      <SettingsCard project={project} onEdit={() => setOpen({ kind: 'edit' })} onDelete={() => setOpen({ kind: 'delete' })} />
      <Suspense fallback={null}>
        {action === 'deploy' ? (
          <DeployDialog
            projectId={id}
            onClose={() => void navigate({ search: {}, replace: true })}
            onStarted={(started) => void navigate({ to: '/deployments/$id', params: { id: started.id } })}
          />
        ) : null}
        {open?.kind === 'act' ? <ActionDialog action={open.action} deployment={open.deployment} onClose={close} /> : null}
        {open?.kind === 'edit' ? <ProjectDialog project={project} onClose={close} /> : null}
        {open?.kind === 'delete' ? (
          <DeleteProjectDialog project={project} onClose={close} onDeleted={() => navigate({ to: '/projects', replace: true })} />
        ) : null}
      </Suspense>
    </>
  );
}
