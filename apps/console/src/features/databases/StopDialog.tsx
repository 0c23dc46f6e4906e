import type { Database } from '@paddock/contract';
import { useQuery } from '@tanstack/react-query';
import { toast } from 'react-hot-toast/headless';
import { failureText } from '../../api/failure.ts';
import { ConfirmDialog } from '../../ui/overlays/ConfirmDialog.tsx';
import { fullName } from './messages.ts';
import { agentsQuery, useDatabaseAction } from './queries.ts';
import { usersText } from './users-text.ts';

export function StopDialog({ database, onClose }: { database: Database; onClose: () => void }) {
  const stop = useDatabaseAction('stop');
  const agents = useQuery(agentsQuery(database));
  return (
    <ConfirmDialog
      open
      title={`Stop ${fullName(database)}?`}
      confirmLabel="Stop database"
      busy={stop.isPending}
      error={failureText(stop.error, 'Failed to stop the database. Nothing was changed.')}
      onClose={onClose}
      onConfirm={() =>
        stop.mutate(database.id, {
          onSuccess: () => {
            toast.success('Stopping the database');
            onClose();
          },
        })
      }
    >
      <p>Its data and backups are kept. It starts again when an agent that needs it starts.</p>
      {database.is_attached ? <p className="mt-2">Until then, agents that use it cannot reach it. {usersText(agents.data)}</p> : null}
    </ConfirmDialog>
  );
}
