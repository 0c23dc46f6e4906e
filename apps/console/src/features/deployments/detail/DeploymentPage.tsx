import type { DeploymentDetail } from '@paddock/contract';
import { ApiError } from '@paddock/contract/errors';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { ExternalLink } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { Loaded } from '../../../api/Loaded.tsx';
import { useCommands } from '../../../commands/command-registry.ts';
import { ButtonLink, PageLink } from '../../../navigation/links.tsx';
import { idOf } from '../../../navigation/search.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { ButtonAnchor } from '../../../ui/controls/ButtonAnchor.tsx';
import { CopyButton } from '../../../ui/controls/CopyButton.tsx';
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { PageHeader } from '../../../ui/layout/PageHeader.tsx';
import { IdText } from '../../../ui/text/IdText.tsx';
import { Icon } from '../../../ui/theme/Icon.tsx';
import { ProjectBreadcrumbs } from '../../projects/ProjectBreadcrumbs.tsx';
import { DeploymentMenu } from '../DeploymentMenu.tsx';
import { DeploymentStatus } from '../DeploymentStatus.tsx';
import { may } from '../may.ts';
import { type DeploymentAction, deploymentQuery } from '../queries.ts';
import { DeploymentTabs } from './DeploymentTabs.tsx';

const FailureBanner = lazy(() => import('./FailureBanner.tsx').then((module) => ({ default: module.FailureBanner })));
const ActionDialog = lazy(() => import('../ActionDialog.tsx').then((module) => ({ default: module.ActionDialog })));

/** An invalid id is not sent: the server would only refuse it. */
const isDeploymentId = idOf('dep');

export function DeploymentPage() {
  const { id } = useParams({ from: '/shell/deployments/$id' });
  const isKnown = isDeploymentId(id) !== undefined;
  const query = useQuery({ ...deploymentQuery(id), enabled: isKnown });
  if (query.data)
    return (
      <>
        <Loaded query={query} failed={failed} isSpaced />
        <Detail key={id} deployment={query.data} />
      </>
    );
  if (!isKnown || (query.error instanceof ApiError && query.error.code === 'deployment_not_found'))
    return (
      <>
        <PageHeader title="Deployment" />
        <EmptyState action={<ButtonLink to="/deployments">All deployments</ButtonLink>}>
          Deployment not found. It may have been deleted with its project.
        </EmptyState>
      </>
    );
  return (
    <>
      <PageHeader title="Deployment" />
      <Loaded query={query} failed={failed} isSpaced skeleton={<Skeleton rows={6} />} />
    </>
  );
}

const failed = 'The deployment could not be loaded. Running agents are not affected.';

const actions: { action: DeploymentAction; verb: string }[] = [
  { action: 'redeploy', verb: 'Redeploy' },
  { action: 'restart', verb: 'Restart' },
  { action: 'rollback', verb: 'Roll back' },
  { action: 'promote', verb: 'Promote to production:' },
  { action: 'stop', verb: 'Stop' },
  { action: 'cancel', verb: 'Cancel the deployment of' },
];

function Detail({ deployment }: { deployment: DeploymentDetail }) {
  const { id, project_id, project_name, error_message } = deployment;
  const navigate = useNavigate();
  const [asked, setAsked] = useState<DeploymentAction>();
  useCommands([
    ...actions
      .filter(({ action }) => may[action](deployment))
      .map(({ action, verb }) => ({ id: `do:${action}`, group: 'Actions', label: `${verb} ${project_name}`, run: () => setAsked(action) })),
    {
      id: 'do:variables',
      group: 'Actions',
      label: `Set variables of ${project_name}`,
      run: () => void navigate({ to: '/projects/$id/variables', params: { id: project_id } }),
    },
  ]);
  return (
    <>
      <ProjectBreadcrumbs id={project_id} name={project_name} here={`Deployment …${id.slice(-4)}`} />
      <PageHeader
        title={project_name}
        count={
          <span role="status">
            <DeploymentStatus deployment={deployment} />
          </span>
        }
        actions={<Actions deployment={deployment} onAct={setAsked} />}
      />
      <p className="mb-4 flex flex-wrap items-center gap-x-2 text-muted">
        <PageLink to="/deployments" search={{ project: project_id }}>
          All deployments of {project_name}
        </PageLink>
        <span aria-hidden="true">·</span>
        <IdText id={id} />
        <CopyButton text={id} label="Copy deployment id" />
        <span aria-hidden="true">·</span>
        <PageLink to="/metrics" search={{ deployment: id }}>
          Metrics
        </PageLink>
      </p>
      {error_message === null ? null : (
        <Suspense fallback={null}>
          <FailureBanner deployment={deployment} />
        </Suspense>
      )}
      <DeploymentTabs deployment={deployment} />
      <Suspense fallback={null}>
        {asked ? <ActionDialog action={asked} deployment={deployment} onClose={() => setAsked(undefined)} /> : null}
      </Suspense>
    </>
  );
}

/** The actions that the deployment allows now: the likeliest as buttons, the rest in the menu. */
function Actions({ deployment, onAct }: { deployment: DeploymentDetail; onAct: (action: DeploymentAction) => void }) {
  const app = deployment.url ?? deployment.deployment_url;
  return (
    <>
      {may.cancel(deployment) ? <Button onClick={() => onAct('cancel')}>Cancel deployment</Button> : null}
      {may.stop(deployment) ? <Button onClick={() => onAct('stop')}>Stop</Button> : null}
      {may.redeploy(deployment) ? <Button onClick={() => onAct('redeploy')}>Redeploy</Button> : null}
      {app ? (
        <ButtonAnchor variant="primary" href={app} target="_blank" rel="noreferrer" icon={<Icon of={ExternalLink} />}>
          View App
        </ButtonAnchor>
      ) : null}
      <DeploymentMenu deployment={deployment} withDetails={false} onAction={onAct} />
    </>
  );
}
