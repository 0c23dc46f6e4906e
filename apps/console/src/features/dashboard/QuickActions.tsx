import { FolderClosed, FolderPlus, Rocket, Settings } from 'lucide-react';
import { ButtonLink } from '../../navigation/links.tsx';
import { Card } from '../../ui/layout/Card.tsx';
import { Icon } from '../../ui/theme/Icon.tsx';

/** Links to common next steps, whether or not anything is deployed. */
export function QuickActions() {
  return (
    <Card title="Quick Actions">
      <div className="flex flex-col gap-2">
        <ButtonLink to="/deployments" search={{ action: 'deploy' }} variant="primary" wide icon={<Icon of={Rocket} />}>
          Deploy agent
        </ButtonLink>
        <ButtonLink to="/projects" search={{ action: 'new' }} wide icon={<Icon of={FolderPlus} />}>
          New project
        </ButtonLink>
        <ButtonLink to="/projects" wide icon={<Icon of={FolderClosed} />}>
          Projects
        </ButtonLink>
        <ButtonLink to="/deployments" wide icon={<Icon of={Rocket} />}>
          Deployments
        </ButtonLink>
        <ButtonLink to="/settings" wide icon={<Icon of={Settings} />}>
          Settings
        </ButtonLink>
      </div>
    </Card>
  );
}
