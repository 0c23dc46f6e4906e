import { queryOptions } from '@tanstack/react-query';
import { api } from '../../../api/api.ts';

export const provenanceQuery = (id: string) =>
  queryOptions({ queryKey: ['deployments', 'provenance', id], queryFn: ({ signal }) => api.deployments.provenance({ id }, { signal }) });

/** The differences between a deployment and another one. */
export const changesQuery = (id: string, other: string) =>
  queryOptions({
    queryKey: ['deployments', 'changes', id, other],
    queryFn: ({ signal }) => api.deployments.changes({ id, with: other }, { signal }),
  });

/** The latest deployments of a project, of both environments. */
export const othersQuery = (project_id: string) =>
  queryOptions({
    queryKey: ['deployments', 'list', 'others', project_id],
    queryFn: ({ signal }) => api.deployments.list({ project_id, limit: 50 }, { signal }),
  });
