import type { DeploymentDetail } from '@paddock/contract';
import { Card } from '../../../ui/layout/Card.tsx';
import { AskedVariables } from './AskedVariables.tsx';
import { DeploymentFacts } from './DeploymentFacts.tsx';
import { NoPlanCard } from './NoPlanCard.tsx';
import { OriginCards } from './OriginCards.tsx';
import { OtherStarts } from './OtherStarts.tsx';
import { PlanCard } from './PlanCard.tsx';

/** The facts of a deployment that has ended: only what may repair it is unfolded. */
export function EndedFacts({ deployment }: { deployment: DeploymentDetail }) {
  const { plan } = deployment;
  const choices = plan?.choices ?? [];
  return (
    <div className="mb-4 flex min-w-0 flex-col gap-4">
      {plan ? null : <NoPlanCard deployment={deployment} />}
      {choices.length > 0 ? (
        <Card title="Other ways to start">
          <OtherStarts deployment={deployment} choices={choices} />
        </Card>
      ) : null}
      <AskedVariables deployment={deployment} />
      <DeploymentFacts deployment={deployment} isFolded />
      {plan ? <PlanCard plan={plan} deployment={deployment} isFolded /> : null}
      <OriginCards deployment={deployment} isFolded />
    </div>
  );
}
