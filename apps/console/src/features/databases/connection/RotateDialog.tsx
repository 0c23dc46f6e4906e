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
      error={failureText(rotate.error, 'It is not known whether the password was rotated. Open the connection string to see.')}
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
      <p>The old password ends at once. The data stays.</p>
      <p className="mt-2">
        {database.is_attached
          ? `Agents that use the database start anew with the new password. ${usersText(agents.data)}`
          : 'No agent uses this copy.'}
      </p>
      <p className="mt-2">Programs of your own that use the connection string need the new one.</p>
    </ConfirmDialog>
  );
}
