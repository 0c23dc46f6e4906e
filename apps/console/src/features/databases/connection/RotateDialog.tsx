import type { Database } from '@paddock/contract';
import { useQuery } from '@tanstack/react-query';
import { toast } from 'react-hot-toast/headless';
import { failureText } from '../../../api/failure.ts';
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx';
import { agentsQuery, useDatabaseAction } from '../queries.ts';
import { usersText } from '../users-text.ts';

/** Asks before a new password is set: connections with the old password are cut off. */
export function RotateDialog({ database, onClose, onRotated }: { database: Database; onClose: () => void; onRotated: () => void }) {
  const rotate = useDatabaseAction('rotatePassword');
  const agents = useQuery(agentsQuery(database));
  return (
    <ConfirmDialog
      open
      title="Rotate the password?"
      confirmLabel="Rotate password"
      busy={rotate.isPending}
      error={failureText(rotate.error, 'The password may or may not have been rotated. Open the connection string to check.')}
      onClose={onClose}
      onConfirm={() =>
        rotate.mutate(database.id, {
          onSuccess: () => {
            toast.success('Password rotated');
            onRotated();
          },
        })
      }
    >
      <p>The old password stops working immediately. The data is kept.</p>
      <p className="mt-2">
        {database.is_attached
          ? `Agents that use the database restart with the new password. ${usersText(agents.data)}`
          : 'No agent uses this copy.'}
      </p>
      <p className="mt-2">Your own programs that use the connection string need the new one.</p>
    </ConfirmDialog>
  );
}
