import type { Project } from '@paddock/contract';
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/api.ts';
import { useAction } from '../../api/use-action.ts';

const pageSize = 500;
const maxPages = 10;

/** All projects of the team, newest first; 5,000 at most. */
export const projectsQuery = queryOptions({
  queryKey: ['projects'],
  queryFn: async ({ signal }): Promise<Project[]> => {
    const all: Project[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < maxPages; page += 1) {
      const { projects, next_cursor } = await api.projects.list({ limit: pageSize, ...(cursor ? { cursor } : {}) }, { signal });
      all.push(...projects);
      if (next_cursor === null) break;
      cursor = next_cursor;
    }
    return all;
  },
});

export const projectQuery = (id: string) =>
  queryOptions({ queryKey: ['projects', id], queryFn: ({ signal }) => api.projects.get({ id }, { signal }) });

/** The databases that are deleted with a project, for the dialog that asks; 500 at most. */
export const projectDatabasesQuery = (project_id: string) =>
  queryOptions({
    queryKey: ['databases', 'of-project', project_id],
    queryFn: ({ signal }) => api.databases.list({ project_id, limit: pageSize }, { signal }).then(({ databases }) => databases),
  });

export function useCreateProject() {
  const client = useQueryClient();
  return useAction({
    mutationFn: (project: { name: string; description: string }, intention) => api.projects.create(project, intention),
    onSuccess: (made) => {
      client.setQueryData(projectsQuery.queryKey, (all) => (all ? [made, ...all] : undefined));
      return client.invalidateQueries({ queryKey: ['projects'] });
    },
  });
}

/** The new name stands at once, and goes back if the server refuses it. */
export function useUpdateProject() {
  const client = useQueryClient();
  return useAction({
    mutationFn: (change: { id: string; name: string; description: string }) => api.projects.update(change),
    onMutate: async (change) => {
      await client.cancelQueries({ queryKey: projectsQuery.queryKey });
      const before = client.getQueryData(projectsQuery.queryKey);
      client.setQueryData(projectsQuery.queryKey, (all) => all?.map((each) => (each.id === change.id ? { ...each, ...change } : each)));
      return { before };
    },
    onError: (_error, _change, context) => client.setQueryData(projectsQuery.queryKey, context?.before),
    onSettled: () => client.invalidateQueries({ predicate: ({ queryKey: [first] }) => first === 'projects' || first === 'deployments' }),
  });
}

export function useDeleteProject() {
  const client = useQueryClient();
  return useAction({
    mutationFn: (id: string) => api.projects.delete({ id }),
    onSuccess: (_, id) => {
      client.setQueryData(projectsQuery.queryKey, (all) => all?.filter((each) => each.id !== id));
      return client.invalidateQueries({
        predicate: ({ queryKey: [first] }) =>
          first === 'projects' || first === 'deployments' || first === 'databases' || first === 'alerts',
      });
    },
  });
}
