import type { DeploymentDetail } from '@paddock/contract';
import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { Button } from '../../../ui/controls/Button.tsx';

const DeployDialog = lazy(() => import('../deploy/DeployDialog.tsx').then((module) => ({ default: module.DeployDialog })));

/** Deploys another archive to the place of a failed deployment. */
export function CorrectedZip({ deployment }: { deployment: DeploymentDetail }) {
  const { project_id, environment, database_mode } = deployment;
  const navigate = useNavigate();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>Deploy a corrected ZIP</Button>
      <Suspense fallback={null}>
        {isOpen ? (
          <DeployDialog
            projectId={project_id}
            environment={environment}
            databaseMode={database_mode}
            onClose={() => setIsOpen(false)}
            onStarted={({ id }) => {
              setIsOpen(false);
              void navigate({ to: '/deployments/$id', params: { id } });
            }}
          />
        ) : null}
      </Suspense>
    </>
  );
}
