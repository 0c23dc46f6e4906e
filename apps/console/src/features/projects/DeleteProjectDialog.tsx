import type { Project } from '@paddock/contract';
import { failureText } from '../../app/failure.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { useDeleteProject } from './queries.ts';

export function DeleteProjectDialog({ project, onClose }: { project: Project; onClose: () => void }) {
  const remove = useDeleteProject();
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
      onConfirm={() => remove.mutate(project.id, { onSuccess: onClose })}
    >
      <p>This cannot be undone. With the project go:</p>
      <ul className="mt-2 list-disc pl-5">
        <li>its running agents, which stop, and its builds, which are cancelled</li>
        <li>its addresses, variables and logs</li>
        <li>the stored code of {deploymentCount(project.deployment_count)}</li>
      </ul>
    </ConfirmDialog>
  );
}

const deploymentCount = (count: number) => (count === 1 ? 'its 1 deployment' : `its ${count.toLocaleString('en')} deployments`);
