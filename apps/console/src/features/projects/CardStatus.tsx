import type { Deployment, Project } from '@paddock/contract';
import { useQuery } from '@tanstack/react-query';
import { TextLink } from '../../ui/controls/TextLink.tsx';
import { Timestamp } from '../../ui/text/Timestamp.tsx';
import { environmentWords } from '../databases/messages.ts';
import { DeploymentStatus } from '../deployments/DeploymentStatus.tsx';
import { noAddressText, projectStatus } from './project-status.ts';
import { lastDeploymentQuery } from './queries.ts';

interface Props {
  project: Project;
  /** The project's deployments among the team's active and newest ones; undefined while loading. */
  deployments: readonly Deployment[] | undefined;
}

/** The status of a project, its address and when it was deployed. Its space is reserved while loading. */
export function CardStatus({ project, deployments }: Props) {
  const isMissing = deployments?.length === 0 && project.deployment_count > 0;
  const last = useQuery({ ...lastDeploymentQuery(project.id), enabled: isMissing });
  const known = isMissing ? last.data : deployments;
  if (last.error && isMissing)
    return <p className="min-h-11 text-sm text-muted">The status could not be loaded. Open the project to retry.</p>;
  if (!known) return <div className="min-h-11" />;
  const { shown, newer } = projectStatus(known);
  if (!shown) return <p className="min-h-11 text-sm text-muted">No deployment yet</p>;
  return (
    <div className="flex min-h-11 flex-col gap-1 text-sm">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-muted">
        <DeploymentStatus deployment={shown} />
        {environmentWords[shown.environment]}
        <DeployedText deployment={shown} />
      </p>
      {newer ? (
        <p className="flex flex-wrap items-center gap-x-2 text-muted">
          Newest: <DeploymentStatus deployment={newer} />
          {newer.environment === shown.environment ? null : environmentWords[newer.environment]}
        </p>
      ) : null}
      <Address shown={shown} name={project.name} />
    </div>
  );
}

function DeployedText({ deployment: { deployed_at, created_at } }: { deployment: Deployment }) {
  if (deployed_at)
    return (
      <span>
        deployed <Timestamp at={deployed_at} />
      </span>
    );
  return (
    <span>
      started <Timestamp at={created_at} />
    </span>
  );
}

/** The address as a link if the agent serves it, else the reason why not. */
function Address({ shown, name }: { shown: Deployment; name: string }) {
  const { url } = shown;
  if (!url) return <span className="text-muted">{noAddressText(shown) ?? 'No deployment is serving its address'}</span>;
  return (
    <span className="break-all">
      <TextLink href={url} target="_blank" rel="noreferrer" aria-label={`View App ${name}, ${url}`}>
        {url}
      </TextLink>
    </span>
  );
}
