import type { Database } from '@paddock/contract';
import { useQuery } from '@tanstack/react-query';
import { toast } from 'react-hot-toast/headless';
import { failureText } from '../../api/failure.ts';
import { ConfirmDialog } from '../../ui/overlays/ConfirmDialog.tsx';
import { fullName, typeWords, variableNames } from './messages.ts';
import { agentsQuery, useDeleteDatabase } from './queries.ts';
import { usersText } from './users-text.ts';

/** Deleting a managed database loses data, so the project's name must be typed. For a BYO database only the address is deleted. */
export function DeleteDatabaseDialog({ database, onClose }: { database: Database; onClose: () => void }) {
  const remove = useDeleteDatabase();
  const agents = useQuery(agentsQuery(database));
  const { id, type, mode, project_name, is_attached } = database;
  const isManaged = mode === 'managed';
  return (
    <ConfirmDialog
      open
      danger
      title={isManaged ? `Delete ${fullName(database)}?` : `Forget the address of ${fullName(database)}?`}
      confirmLabel={isManaged ? 'Delete database' : 'Forget address'}
      {...(isManaged ? { typedName: project_name } : {})}
      busy={remove.isPending}
      error={failureText(remove.error, 'Failed to delete the database. Nothing was changed.')}
      onClose={onClose}
      onConfirm={() =>
        remove.mutate(id, {
          onSuccess: () => {
            toast.success(isManaged ? 'The database is being deleted' : 'Address forgotten');
            onClose();
          },
        })
      }
    >
      {isManaged ? (
        <>
          <p>This cannot be undone. The following is deleted with the database:</p>
          <ul className="mt-2 list-disc pl-5">
            <li>all data in it</li>
            <li>all of its backups</li>
          </ul>
        </>
      ) : (
        <p>The {typeWords[type]} database itself and its data are not touched.</p>
      )}
      <p className="mt-2">
        {is_attached
          ? `${isManaged ? 'Agents that use it can no longer reach it. Their next deployment in managed mode gets a new, empty one.' : `Running agents keep ${variableNames[type]} until their next start.`} ${usersText(agents.data)}`
          : 'No agent uses this copy.'}
      </p>
    </ConfirmDialog>
  );
}
