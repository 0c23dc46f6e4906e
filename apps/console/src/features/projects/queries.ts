import type { Deployment, Project, projects, Received } from '@paddock/contract';
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/api.ts';
import { useAction } from '../../api/use-action.ts';

/** The fields that a person enters. */
type Fields = Received<typeof projects.create>;

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

/** Number of deployments on the page of a project. */
const listedCount = 5;
/** Maximum number of active deployments loaded: each of two environments has one; replaced ones stay active for seconds. */
const servingCount = 20;

/** The newest and the active deployments of a project. */
export const projectDeploymentsQuery = (project_id: string) =>
  queryOptions({
    queryKey: ['deployments', 'of-project', project_id],
    queryFn: async ({ signal }) => {
      const [newest, active] = await Promise.all([
        api.deployments.list({ project_id, limit: listedCount }, { signal }),
        api.deployments.list({ project_id, status: 'active', limit: servingCount }, { signal }),
      ]);
      return { newest: newest.deployments, all: merged(newest.deployments, active.deployments), total: newest.total };
    },
  });

const newestCount = 100;

/** The deployments from which the cards derive project statuses: all active ones of the team (500 at most) and the newest others. */
export const teamDeploymentsQuery = queryOptions({
  queryKey: ['deployments', 'of-team'],
  queryFn: async ({ signal }) => {
    const [newest, active] = await Promise.all([
      api.deployments.list({ limit: newestCount }, { signal }),
      api.deployments.list({ status: 'active', limit: pageSize }, { signal }),
    ]);
    return merged(newest.deployments, active.deployments);
  },
});

/**
 * The newest deployment of a project that has none in the team's query. It is loaded once, since a later one would appear in that query.
 */
export const lastDeploymentQuery = (project_id: string) =>
  queryOptions({
    queryKey: ['deployments', 'last-of-project', project_id],
    staleTime: 'static',
    queryFn: ({ signal }) => api.deployments.list({ project_id, limit: 1 }, { signal }).then(({ deployments }) => deployments),
  });

const merged = (some: readonly Deployment[], others: readonly Deployment[]): Deployment[] => [
  ...new Map([...some, ...others].map((each) => [each.id, each])).values(),
];

/** The databases that are deleted with a project, for the dialog that asks; 500 at most. */
export const projectDatabasesQuery = (project_id: string) =>
  queryOptions({
    queryKey: ['databases', 'of-project', project_id],
    queryFn: ({ signal }) => api.databases.list({ project_id, limit: pageSize }, { signal }).then(({ databases }) => databases),
  });

export function useCreateProject() {
  const client = useQueryClient();
  return useAction({
    mutationFn: (project: Fields, intention) => api.projects.create(project, intention),
    onSuccess: (made) => {
      client.setQueryData(projectsQuery.queryKey, (all) => (all ? [made, ...all] : undefined));
      return client.invalidateQueries({ queryKey: ['projects'] });
    },
  });
}

/** Updates the name optimistically, and reverts it if the server refuses it. */
export function useUpdateProject() {
  const client = useQueryClient();
  return useAction({
    mutationFn: (change: Fields & Received<typeof projects.update>) => api.projects.update(change),
    onMutate: async (change) => {
      const one = projectQuery(change.id).queryKey;
      await client.cancelQueries({ queryKey: projectsQuery.queryKey });
      const before = { all: client.getQueryData(projectsQuery.queryKey), one: client.getQueryData(one) };
      client.setQueryData(projectsQuery.queryKey, (all) => all?.map((each) => (each.id === change.id ? { ...each, ...change } : each)));
      client.setQueryData(one, (project) => (project ? { ...project, ...change } : undefined));
      return before;
    },
    onError: (_error, { id }, before) => {
      client.setQueryData(projectsQuery.queryKey, before?.all);
      client.setQueryData(projectQuery(id).queryKey, before?.one);
    },
    onSettled: () => client.invalidateQueries({ predicate: ({ queryKey: [first] }) => first === 'projects' || first === 'deployments' }),
  });
}

/** Calls `onDeleted` before any refetch, so that a page of the project is left before it gets a 404. */
export function useDeleteProject(onDeleted: () => Promise<void> | void) {
  const client = useQueryClient();
  return useAction({
    mutationFn: (id: string) => api.projects.delete({ id }),
    onSuccess: async (_, id) => {
      client.setQueryData(projectsQuery.queryKey, (all) => all?.filter((each) => each.id !== id));
      await onDeleted();
      return client.invalidateQueries({
        predicate: ({ queryKey: [first] }) =>
          first === 'projects' || first === 'deployments' || first === 'databases' || first === 'alerts',
      });
    },
  });
}
