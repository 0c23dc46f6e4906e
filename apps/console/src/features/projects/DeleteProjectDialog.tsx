import type { Database, Project } from '@paddock/contract';
import { plural } from '@paddock/contract/plural';
import { useQuery } from '@tanstack/react-query';
import { failureText } from '../../api/failure.ts';
import { ConfirmDialog } from '../../ui/overlays/ConfirmDialog.tsx';
import { projectDatabasesQuery, useDeleteProject } from './queries.ts';

interface Props {
  project: Project;
  onClose: () => void;
  /** Navigates away from a page of the deleted project. */
  onDeleted?: () => Promise<void> | void;
}

export function DeleteProjectDialog({ project, onClose, onDeleted = onClose }: Props) {
  const remove = useDeleteProject(onDeleted);
  const databases = useQuery(projectDatabasesQuery(project.id));
  return (
    <ConfirmDialog
      open
      danger
      title={`Delete project ${project.name}?`}
      confirmLabel="Delete project"
      typedName={project.name}
      busy={remove.isPending}
      error={failureText(remove.error, 'Failed to delete project')}
      onClose={onClose}
      onConfirm={() => remove.mutate(project.id)}
    >
      <p>This cannot be undone. The following is deleted with the project:</p>
      <ul className="mt-2 list-disc pl-5">
        <li>its running agents, which stop, and its builds, which are cancelled</li>
        <li>its addresses, variables and logs</li>
        <li>the stored code of {deploymentCount(project.deployment_count)}</li>
        <Databases rows={databases.data} />
      </ul>
    </ConfirmDialog>
  );
}

const deploymentCount = (count: number) => `its ${plural(count, 'deployment')}`;

const typeWords = { postgresql: 'PostgreSQL', redis: 'Redis' } as const;
const maxShown = 6;

/** Names the databases that are deleted with the project; while they are loading, only says that they are deleted. */
function Databases({ rows }: { rows: readonly Database[] | undefined }) {
  if (rows === undefined) return <li>its managed databases with their data and backups</li>;
  const managed = rows.filter(({ mode }) => mode === 'managed');
  const brought = rows.length - managed.length;
  const names = managed.map(({ type, environment, name }) => `${typeWords[type]}, ${environment}${name === 'main' ? '' : ` (${name})`}`);
  return (
    <>
      {managed.length > 0 ? (
        <li>
          {managed.length === 1 ? 'its managed database' : `its ${managed.length} managed databases`}, all data in{' '}
          {managed.length === 1 ? 'it' : 'them'} and all backups:
          <ul className="list-[circle] pl-5">
            {names.slice(0, maxShown).map((name) => (
              <li key={name}>{name}</li>
            ))}
            {names.length > maxShown ? <li>{names.length - maxShown} more</li> : null}
          </ul>
        </li>
      ) : null}
      {brought > 0 ? (
        <li>
          the {brought === 1 ? 'address' : 'addresses'} of {brought === 1 ? 'one database' : `${brought} databases`} of your own; the{' '}
          {brought === 1 ? 'database itself is' : 'databases themselves are'} not touched
        </li>
      ) : null}
    </>
  );
}
