import type { Database, Environment, MetricsRange } from '@paddock/contract';
import { infiniteQueryOptions, queryOptions, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/api.ts';
import { filled } from '../../api/filled.ts';
import { useAction } from '../../api/use-action.ts';

const pageSize = 500;
const maxPages = 10;
/** Poll interval: changes of sizes are not notified. */
const sizesRefreshMs = 60_000;
/** Refetch interval of visible metrics (spec). */
const metricsRefreshMs = 30_000;

export interface DatabasesFilter {
  project_id?: string | undefined;
  environment?: Environment | undefined;
}

/** All databases that match, newest first; 5,000 at most. */
export const databasesQuery = ({ project_id, environment }: DatabasesFilter) =>
  queryOptions({
    queryKey: ['databases', 'list', { project_id, environment }],
    refetchInterval: sizesRefreshMs,
    queryFn: async ({ signal }): Promise<Database[]> => {
      const filter = filled({ project_id, environment });
      const all: Database[] = [];
      let cursor: string | undefined;
      for (let page = 0; page < maxPages; page += 1) {
        const { databases, next_cursor } = await api.databases.list(
          { ...filter, limit: pageSize, ...(cursor ? { cursor } : {}) },
          { signal },
        );
        all.push(...databases);
        if (next_cursor === null) break;
        cursor = next_cursor;
      }
      return all;
    },
  });

/** The total number of databases. */
export const databasesTotalQuery = queryOptions({
  queryKey: ['databases', 'total'],
  queryFn: ({ signal }) => api.databases.list({ limit: 1 }, { signal }).then(({ total }) => total),
});

export const databaseQuery = (id: string) =>
  queryOptions({
    queryKey: ['databases', 'one', id],
    queryFn: ({ signal }) => api.databases.get({ id }, { signal }),
    refetchInterval: sizesRefreshMs,
  });

export const metricsQuery = (id: string, time_range: MetricsRange) =>
  queryOptions({
    queryKey: ['databases', 'metrics', id, time_range],
    queryFn: ({ signal }) => api.databases.metrics({ id, time_range }, { signal }),
    // Polling pauses in a hidden window.
    refetchInterval: metricsRefreshMs,
  });

export const backupsQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['databases', 'backups', id],
    queryFn: ({ pageParam, signal }) => api.databases.backups({ id, ...(pageParam ? { cursor: pageParam } : {}) }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor,
  });

/** The running agents that get the connection string of this database; 500 at most. */
export const agentsQuery = ({ id, project_id, environment, mode, is_attached }: Database) =>
  queryOptions({
    queryKey: ['deployments', 'of-database', id],
    enabled: is_attached,
    queryFn: async ({ signal }) => {
      const { deployments } = await api.deployments.list({ project_id, environment, status: 'active', limit: pageSize }, { signal });
      return deployments.filter(({ database_mode }) => database_mode === mode);
    },
  });

/** Refetches all databases, and the deployments, whose agents may be restarted with them. */
export function useRefreshDatabases() {
  const client = useQueryClient();
  return () => client.invalidateQueries({ predicate: ({ queryKey: [first] }) => first === 'databases' || first === 'deployments' });
}

export function useDatabaseAction(action: 'start' | 'stop' | 'rotatePassword') {
  const refresh = useRefreshDatabases();
  return useAction({
    mutationFn: (id: string, intention) => api.databases[action]({ id }, intention),
    onSettled: refresh,
  });
}

export function useDeleteDatabase() {
  const refresh = useRefreshDatabases();
  return useAction({ mutationFn: (id: string) => api.databases.delete({ id }), onSuccess: refresh });
}

export function useCreateBackup() {
  const refresh = useRefreshDatabases();
  return useAction({
    mutationFn: (id: string, intention) => api.databases.createBackup({ id }, intention),
    onSettled: refresh,
  });
}

export function useDeleteBackup(id: string) {
  const refresh = useRefreshDatabases();
  return useAction({ mutationFn: (backup_id: string) => api.databases.deleteBackup({ id, backup_id }), onSettled: refresh });
}

export function useRestore(id: string, backup_id: string) {
  const refresh = useRefreshDatabases();
  return useAction({
    mutationFn: (into: 'same' | 'new', intention) => api.databases.restore({ id, backup_id, into }, intention),
    onSettled: refresh,
  });
}
