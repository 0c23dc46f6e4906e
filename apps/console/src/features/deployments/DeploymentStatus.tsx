import type { Deployment } from '@paddock/contract';
import { Badge } from '../../ui/Badge.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';

/** The state of a deployment in one badge. An agent that keeps crashing is never plain green. */
export function DeploymentStatus({ deployment: { status, restarts } }: { deployment: Pick<Deployment, 'status' | 'restarts'> }) {
  if (status === 'active' && restarts > 0)
    return (
      <Badge tone="warning" glyph="triangle">
        Active · restarted {restarts}×
      </Badge>
    );
  return <StatusBadge status={status} />;
}
