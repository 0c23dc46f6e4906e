import type { Deployment } from '@paddock/contract';
import { useRouter } from '@tanstack/react-router';
import {
  ArrowUpToLine,
  ChartLine,
  Ellipsis,
  ExternalLink,
  FileText,
  History,
  type LucideIcon,
  Power,
  RotateCw,
  Square,
  X,
} from 'lucide-react';
import { Menu } from '../../ui/overlays/Menu.tsx';
import { dangerous, type MenuItem } from '../../ui/overlays/menu-item.ts';
import { Icon } from '../../ui/theme/Icon.tsx';
import { may } from './may.ts';
import type { DeploymentAction } from './queries.ts';

interface Props {
  deployment: Deployment;
  onAction: (action: DeploymentAction) => void;
  /** Whether the menu has 'Details' and 'Metrics'; false where the page shows them. */
  withDetails?: boolean;
  /** Further items of the page. */
  more?: MenuItem[];
}

/** All actions that a deployment allows now. */
export function DeploymentMenu({ deployment, onAction, withDetails = true, more = [] }: Props) {
  const router = useRouter();
  const { id, url, deployment_url, project_name } = deployment;
  const app = url ?? deployment_url;
  const act = (action: DeploymentAction, label: string, icon: LucideIcon): MenuItem[] =>
    may[action](deployment) ? [{ label, icon, onSelect: () => onAction(action) }] : [];
  const details: MenuItem[] = [
    { label: 'Details', icon: FileText, onSelect: () => void router.navigate({ to: '/deployments/$id', params: { id } }) },
    { label: 'Metrics', icon: ChartLine, onSelect: () => void router.navigate({ to: '/metrics', search: { deployment: id } }) },
  ];
  return (
    <Menu
      label={`Actions for ${project_name}, ${id.slice(-4)}`}
      groups={[
        [...(withDetails ? details : []), ...more, ...(app ? [{ label: 'View App', icon: ExternalLink, href: app, newTab: true }] : [])],
        [
          ...act('redeploy', 'Redeploy', RotateCw),
          ...act('restart', 'Restart', Power),
          ...act('promote', 'Promote to production', ArrowUpToLine),
          ...act('rollback', 'Roll back to this', History),
        ],
        dangerous([...act('cancel', 'Cancel deployment', X), ...act('stop', 'Stop deployment', Square)]),
      ]}
    >
      <Icon of={Ellipsis} />
    </Menu>
  );
}
