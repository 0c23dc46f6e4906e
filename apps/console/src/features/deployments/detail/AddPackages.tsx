import type { DeploymentDetail } from '@paddock/contract';
import { lazy, Suspense, useState } from 'react';
import { Button } from '../../../ui/controls/Button.tsx';
import { may } from '../may.ts';

const OtherStartDialog = lazy(() => import('./OtherStartDialog.tsx').then((module) => ({ default: module.OtherStartDialog })));

/** The packages that a failed deployment lacks, if known, with a button that redeploys it with them. */
export function AddPackages({ deployment }: { deployment: DeploymentDetail }) {
  const [isAsked, setIsAsked] = useState(false);
  const choice = deployment.failure_choices?.find(({ packages }) => packages !== undefined);
  if (!choice?.packages || !may.redeploy(deployment)) return null;
  const names = choice.packages.split(' ');
  return (
    <>
      <Button onClick={() => setIsAsked(true)}>Deploy with {names.length === 1 ? names[0] : `${names.length} packages`}</Button>
      <Suspense fallback={null}>
        {isAsked ? <OtherStartDialog deployment={deployment} choice={choice} onClose={() => setIsAsked(false)} /> : null}
      </Suspense>
    </>
  );
}
