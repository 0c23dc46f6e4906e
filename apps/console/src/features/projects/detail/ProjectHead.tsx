import type { Project } from '@paddock/contract';
import { Ellipsis, ExternalLink, Pencil, Rocket, Trash2 } from 'lucide-react';
import { Button } from '../../../ui/controls/Button.tsx';
import { ButtonAnchor } from '../../../ui/controls/ButtonAnchor.tsx';
import { PageHeader } from '../../../ui/layout/PageHeader.tsx';
import { Menu } from '../../../ui/overlays/Menu.tsx';
import { Icon } from '../../../ui/theme/Icon.tsx';
import { environmentWords } from '../../databases/messages.ts';
import { AppAddress } from '../../deployments/AppAddress.tsx';
import { DeploymentStatus } from '../../deployments/DeploymentStatus.tsx';
import { noAddressText, type ProjectStatus } from '../project-status.ts';

interface Props {
  project: Project;
  /** Undefined while loading. */
  status: ProjectStatus | undefined;
  onDeploy: () => void;
  onEdit: () => void;
  onDelete: () => void;
}

/** Name, status and environment, actions, description and address. */
export function ProjectHead({ project, status, onDeploy, onEdit, onDelete }: Props) {
  const { name, description } = project;
  const url = status?.shown?.url;
  return (
    <>
      <PageHeader
        title={name}
        count={status ? <StatusText status={status} /> : null}
        actions={
          <>
            <Button variant={url ? 'secondary' : 'primary'} icon={<Icon of={Rocket} />} onClick={onDeploy}>
              Deploy
            </Button>
            {url ? (
              <ButtonAnchor variant="primary" href={url} target="_blank" rel="noreferrer" icon={<Icon of={ExternalLink} />}>
                View App
              </ButtonAnchor>
            ) : null}
            <Menu
              label={`Actions for ${name}`}
              groups={[
                [{ label: 'Edit project', icon: Pencil, onSelect: onEdit }],
                [{ label: 'Delete project', icon: Trash2, danger: true, onSelect: onDelete }],
              ]}
            >
              <Icon of={Ellipsis} />
            </Menu>
          </>
        }
      />
      {description ? <p className="mb-1 max-w-text break-words">{description}</p> : null}
      <div className="mb-4 min-h-6 text-muted">{status ? <Address project={project} status={status} /> : null}</div>
    </>
  );
}

/** The status of the shown deployment, and its environment. */
const StatusText = ({ status: { shown } }: { status: ProjectStatus }) =>
  shown ? (
    <span role="status" className="flex flex-wrap items-center gap-2.5">
      <DeploymentStatus deployment={shown} />
      {environmentWords[shown.environment]}
    </span>
  ) : (
    <span role="status">No deployment yet</span>
  );

function Address({ project, status: { shown } }: { project: Project; status: ProjectStatus }) {
  if (shown?.url) return <AppAddress url={shown.url} />;
  const lack = shown && noAddressText(shown);
  if (lack) return `${lack}.`;
  return (
    <>
      <span className="font-mono text-mono break-all">{project.url}</span> becomes available once a deployment serves production.
    </>
  );
}
