import type { Deployment } from '@paddock/contract';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../../api/api.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { Changes } from './Changes.tsx';

const servingQuery = ({ project_id, environment }: Deployment) =>
  queryOptions({
    queryKey: ['deployments', 'list', 'serving', project_id, environment],
    queryFn: ({ signal }) => api.deployments.list({ project_id, environment, status: 'active', limit: 10 }, { signal }),
  });

/** Shows on demand how a deployment differs from the one that serves now. Nothing if none serves. */
export function RollbackChanges({ deployment }: { deployment: Deployment }) {
  const serving = useQuery(servingQuery(deployment)).data?.deployments.find(({ is_current }) => is_current)?.id;
  const [isShown, setShown] = useState(false);
  if (serving === undefined || serving === deployment.id) return null;
  return (
    <div className="mt-3">
      {isShown ? (
        <Changes id={deployment.id} other={serving} isRollback />
      ) : (
        <Button onClick={() => setShown(true)}>Show what changes</Button>
      )}
    </div>
  );
}
