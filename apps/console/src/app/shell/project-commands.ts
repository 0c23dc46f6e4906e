import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { projectsQuery } from '../../features/projects/queries.ts';
import type { Command } from '../../ui/overlays/command.ts';

/** Maximum number of projects in the palette. The projects page has a search for more. */
const maxCommands = 200;

/** Commands that open the newest projects, while the palette is open. */
export function useProjectCommands(isOpen: boolean): Command[] {
  const navigate = useNavigate();
  const { data = [] } = useQuery({ ...projectsQuery, enabled: isOpen });
  return data.slice(0, maxCommands).map(({ id, name }) => ({
    id: `project:${id}`,
    group: 'Project',
    label: name,
    run: () => void navigate({ to: '/projects/$id', params: { id } }),
  }));
}
