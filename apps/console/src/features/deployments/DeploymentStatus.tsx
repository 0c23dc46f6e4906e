import type { Deployment } from '@paddock/contract';
import { Badge } from '../../ui/feedback/Badge.tsx';
import { StatusBadge } from '../../ui/feedback/StatusBadge.tsx';

interface Props {
  deployment: Pick<Deployment, 'status' | 'restarts' | 'restart_at'>;
}

/** The state of a deployment in one badge. An agent that is down or keeps crashing is never plain green. */
export function DeploymentStatus({ deployment: { status, restarts, restart_at } }: Props) {
  if (status === 'active' && restart_at)
    return (
      <Badge tone="warning" glyph="triangle">
        Restarting
      </Badge>
    );
  if (status === 'active' && restarts > 0)
    return (
      <Badge tone="warning" glyph="triangle">
        Active · restarted {restarts}×
      </Badge>
    );
  return <StatusBadge status={status} />;
}
