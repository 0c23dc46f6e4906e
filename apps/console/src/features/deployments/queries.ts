import type { contract, DeploymentStatus, Environment, Sent } from '@paddock/contract';
import { infiniteQueryOptions, queryOptions, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/api.ts';
import { useAction } from '../../api/use-action.ts';

export interface DeploymentsFilter {
  project_id?: string | undefined;
  status?: DeploymentStatus | undefined;
  environment?: Environment | undefined;
}

const recentCount = 5;

/** The deployments that match, page by page, newest first. */
export const deploymentsQuery = ({ project_id, status, environment }: DeploymentsFilter) =>
  infiniteQueryOptions({
    queryKey: ['deployments', 'list', { project_id, status, environment }],
    queryFn: ({ pageParam, signal }) =>
      api.deployments.list(
        {
          ...(project_id ? { project_id } : {}),
          ...(status ? { status } : {}),
          ...(environment ? { environment } : {}),
          ...(pageParam ? { cursor: pageParam } : {}),
        },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor,
  });

/** The latest five deployments, with the total and the number of active ones. */
export const recentDeploymentsQuery = queryOptions({
  queryKey: ['deployments', 'recent'],
  queryFn: ({ signal }) => api.deployments.list({ limit: recentCount }, { signal }),
});

export const deploymentQuery = (id: string) =>
  queryOptions({ queryKey: ['deployments', 'one', id], queryFn: ({ signal }) => api.deployments.get({ id }, { signal }) });

/** The person or key that asked for a deployment. It never changes, so it is loaded once. */
export const actorQuery = (id: string) =>
  queryOptions({
    queryKey: ['deployments', 'actor', id],
    staleTime: 'static',
    queryFn: ({ signal }) => api.deployments.provenance({ id }, { signal }).then(({ actor }) => actor),
  });

export type DeploymentAction = 'stop' | 'restart' | 'cancel' | 'redeploy' | 'promote' | 'rollback';

/** Runs an action on a deployment, and refetches every list and detail that shows it. */
export function useDeploymentAction(action: DeploymentAction) {
  const refresh = useRefreshDeployments();
  return useAction({
    mutationFn: (id: string, intention) =>
      action === 'promote'
        ? api.deployments.redeploy({ id, environment: 'production' }, intention)
        : api.deployments[action]({ id }, intention),
    onSettled: refresh,
  });
}

/** Redeploys the code of a deployment with another start, which is stored for its project. */
export function useOtherStart() {
  const refresh = useRefreshDeployments();
  return useAction({
    mutationFn: (input: Sent<typeof contract.deployments.redeploy>, intention) => api.deployments.redeploy(input, intention),
    onSettled: refresh,
  });
}

export function useRefreshDeployments() {
  const client = useQueryClient();
  return () => client.invalidateQueries({ predicate: ({ queryKey: [first] }) => first === 'deployments' || first === 'projects' });
}
