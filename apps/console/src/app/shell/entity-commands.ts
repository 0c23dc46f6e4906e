import { commitText } from '@paddock/contract/commit-text';
import { shownText } from '@paddock/contract/terminal-text';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api } from '../../api/api.ts';
import { apiKeysQuery } from '../../features/api-keys/queries.ts';
import { databasesQuery } from '../../features/databases/queries.ts';
import { projectsQuery } from '../../features/projects/queries.ts';
import type { Command } from '../../ui/overlays/command.ts';

type Navigate = ReturnType<typeof useNavigate>;

/** Maximum number of each kind in the palette. Their pages have filters for more. */
const maxOfKind = 200;
const maxDeployments = 100;

const deploymentsQuery = queryOptions({
  queryKey: ['deployments', 'palette'],
  queryFn: ({ signal }) => api.deployments.list({ limit: maxDeployments }, { signal }).then(({ deployments }) => deployments),
});

/** Commands that open projects, deployments, databases and API keys, while the palette is open. */
export function useEntityCommands(isOpen: boolean): Command[] {
  const navigate = useNavigate();
  const { data: projects = [] } = useQuery({ ...projectsQuery, enabled: isOpen });
  const { data: deployments = [] } = useQuery({ ...deploymentsQuery, enabled: isOpen });
  const { data: databases = [] } = useQuery({ ...databasesQuery({}), enabled: isOpen });
  const { data: keys = [] } = useQuery({ ...apiKeysQuery, enabled: isOpen });
  return [
    ...projects.slice(0, maxOfKind).flatMap(({ id, name, description }) => projectCommands(navigate, { id, name, description })),
    ...deployments.map((each) => ({
      id: `deployment:${each.id}`,
      group: 'Deployment',
      label: `${each.project_name}, ${each.environment}, ${each.status} …${each.id.slice(-4)}`,
      words: `${each.id} ${each.message ?? ''} ${commitText(each)}`,
      isSearchOnly: true,
      run: () => void navigate({ to: '/deployments/$id', params: { id: each.id } }),
    })),
    ...databases.slice(0, maxOfKind).map(({ id, type, project_id, project_name, environment }) => ({
      id: `database:${id}`,
      group: 'Database',
      label: `${typeNames[type]} of ${project_name}, ${environment}`,
      words: id,
      isSearchOnly: true,
      run: () => void navigate({ to: '/databases', search: { project: project_id, environment } }),
    })),
    ...keys.slice(0, maxOfKind).map(({ id, name }) => ({
      id: `key:${id}`,
      group: 'API key',
      label: shownText(name, 80),
      words: id,
      isSearchOnly: true,
      run: () => void navigate({ to: '/api-keys' }),
    })),
  ];
}

const typeNames = { postgresql: 'PostgreSQL', redis: 'Redis' } as const;

function projectCommands(
  navigate: Navigate,
  { id, name, description }: { id: string; name: string; description: string | null },
): Command[] {
  return [
    {
      id: `project:${id}`,
      group: 'Project',
      label: name,
      words: `${id} ${description ?? ''}`,
      run: () => void navigate({ to: '/projects/$id', params: { id } }),
    },
    {
      id: `variables:${id}`,
      group: 'Project',
      label: `Variables of ${name}`,
      isSearchOnly: true,
      run: () => void navigate({ to: '/projects/$id/variables', params: { id } }),
    },
    {
      id: `deploy:${id}`,
      group: 'Actions',
      label: `Deploy agent to ${name}`,
      isSearchOnly: true,
      run: () => void navigate({ to: '/projects/$id', params: { id }, search: { action: 'deploy' } }),
    },
  ];
}

/** Commands that open a pasted id, also of something that is too old to be listed. */
export function idCommands(typed: string, navigate: Navigate): Command[] {
  const [, prefix] = /^(dep|prj)_[0-9a-f-]{16,40}$/.exec(typed) ?? [];
  if (prefix === 'dep')
    return [
      {
        id: `deployment:${typed}`,
        group: 'Deployment',
        label: typed,
        run: () => void navigate({ to: '/deployments/$id', params: { id: typed } }),
      },
    ];
  if (prefix === 'prj')
    return [
      { id: `project:${typed}`, group: 'Project', label: typed, run: () => void navigate({ to: '/projects/$id', params: { id: typed } }) },
    ];
  return [];
}
