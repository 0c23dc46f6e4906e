import type { Deployment, Project } from '@paddock/contract';
import { plural } from '@paddock/contract/plural';
import { Ellipsis, Pencil, Rocket, Trash2 } from 'lucide-react';
import { ButtonLink, PageLink } from '../../navigation/links.tsx';
import { Menu } from '../../ui/overlays/Menu.tsx';
import { useZone } from '../../ui/preferences/zone.ts';
import { absoluteDate } from '../../ui/text/time.ts';
import { Icon } from '../../ui/theme/Icon.tsx';
import { CardStatus } from './CardStatus.tsx';

interface Props {
  project: Project;
  /** The project's deployments among the team's active and newest ones; undefined while loading. */
  deployments: readonly Deployment[] | undefined;
  onEdit: () => void;
  onDelete: () => void;
}

export function ProjectCard({ project, deployments, onEdit, onDelete }: Props) {
  const { id, name, description, created_at, deployment_count } = project;
  const zone = useZone();
  return (
    <article aria-labelledby={`${id}-name`} className="flex min-w-0 flex-col rounded-box border border-border bg-surface">
      <div className="flex items-start gap-2 p-3.5 pb-0">
        <h2 id={`${id}-name`} className="min-w-0 grow pt-1.5 text-md font-bold break-words">
          <PageLink to="/projects/$id" params={{ id }}>
            {name}
          </PageLink>
        </h2>
        <Menu
          label={`Actions for ${name}`}
          groups={[
            [{ label: 'Edit project', icon: Pencil, onSelect: onEdit }],
            [{ label: 'Delete project', icon: Trash2, danger: true, onSelect: onDelete }],
          ]}
        >
          <Icon of={Ellipsis} />
        </Menu>
      </div>
      <div className="flex grow flex-col gap-2 px-3.5 pt-1 pb-3">
        <p className={`line-clamp-2 min-h-10 break-words ${description ? 'text-text' : 'text-subtle'}`}>
          {description || 'No description'}
        </p>
        <CardStatus project={project} deployments={deployments} />
        <dl className="mt-auto flex flex-wrap gap-x-4 text-sm text-muted">
          <div className="flex gap-1">
            <dt>Created</dt>
            <dd>
              <time dateTime={created_at}>{absoluteDate(Date.parse(created_at), zone)}</time>
            </dd>
          </div>
          <div>
            <dt className="sr-only">Deployments</dt>
            <dd>{plural(deployment_count, 'deployment')}</dd>
          </div>
        </dl>
      </div>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-border px-3.5 py-2.5">
        <ButtonLink
          to="/deployments"
          search={{ project: id, action: 'deploy' }}
          icon={<Icon of={Rocket} />}
          aria-label={`Deploy to ${name}`}
        >
          Deploy
        </ButtonLink>
        <PageLink to="/deployments" search={{ project: id }} aria-label={`View Deployments of ${name}`}>
          View Deployments
        </PageLink>
        <span className="inline-flex items-center gap-1">
          <PageLink to="/projects/$id/variables" params={{ id }} aria-label={`Variables of ${name}`}>
            Variables
          </PageLink>
        </span>
        <PageLink to="/settings" search={{ tab: 'data-protection', project: id }} aria-label={`Data protection of ${name}`}>
          Data protection
        </PageLink>
      </div>
    </article>
  );
}
