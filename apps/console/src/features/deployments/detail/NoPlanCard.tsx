import type { DeploymentDetail } from '@paddock/contract';
import { Card } from '../../../ui/layout/Card.tsx';
import { OtherStarts } from './OtherStarts.tsx';

/** Why a deployment has no plan, with alternatives if its archive does not say how it starts. */
export function NoPlanCard({ deployment }: { deployment: DeploymentDetail }) {
  const { status, failure_choices } = deployment;
  // Choices that add packages are offered beside the failure.
  const others = (failure_choices ?? []).filter(({ packages }) => packages === undefined);
  if (others.length > 0)
    return (
      <Card title="Plan">
        <p className="mb-3 text-muted">The archive does not say which of these is the agent.</p>
        <OtherStarts deployment={deployment} choices={others} />
      </Card>
    );
  return (
    <Card title="Plan">
      <p className="text-muted">
        {status === 'failed' || status === 'stopped'
          ? 'The deployment ended before the plan was made.'
          : 'The plan appears when the build starts.'}
      </p>
    </Card>
  );
}
