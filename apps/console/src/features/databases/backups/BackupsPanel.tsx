import type { Database, DatabaseBackup } from '@paddock/contract';
import { backupLimits } from '@paddock/contract/limits';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Archive, FileDown } from 'lucide-react';
import { useState } from 'react';
import { toast } from 'react-hot-toast/headless';
import { failureText } from '../../../api/failure.ts';
import { Loaded } from '../../../api/Loaded.tsx';
import { Button } from '../../../ui/controls/Button.tsx';
import { FormError } from '../../../ui/feedback/FormError.tsx';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx';
import { useZone } from '../../../ui/preferences/zone.ts';
import { absoluteTime } from '../../../ui/text/time.ts';
import { Icon } from '../../../ui/theme/Icon.tsx';
import { backupsQuery, useCreateBackup, useDeleteBackup } from '../queries.ts';
import { may } from '../states.ts';
import { BackupRow } from './BackupRow.tsx';
import { RestoreDialog } from './RestoreDialog.tsx';
import { useExport } from './use-export.ts';

type Asked = { kind: 'restore' | 'delete'; backup: DatabaseBackup };

/** The backups of a managed database, newest first, and their actions. */
export function BackupsPanel({ database }: { database: Database }) {
  const backups = useInfiniteQuery(backupsQuery(database.id));
  const create = useCreateBackup();
  const sql = useExport(database);
  const [asked, setAsked] = useState<Asked>();
  const rows = backups.data?.pages.flatMap((page) => page.backups) ?? [];
  const close = () => setAsked(undefined);
  return (
    <div className="flex flex-col gap-4">
      <p className="text-muted">
        One backup a day, kept for {backupLimits.dailyKeptDays} days. Manual backups, at most {backupLimits.maxManual}, are kept until you
        delete them. The newest backup is always kept. Each backup is checked against its checksum before it is restored.
      </p>
      <div className="flex flex-wrap gap-2.5">
        <Button
          variant="primary"
          icon={<Icon of={Archive} />}
          disabled={!may.backup(database)}
          busy={create.isPending}
          onClick={() => create.mutate(database.id, { onSuccess: () => toast.success('Backup started') })}
        >
          Back up now
        </Button>
        {database.type === 'postgresql' ? (
          <Button icon={<Icon of={FileDown} />} disabled={!may.export(database)} busy={sql.busy} onClick={() => void sql.run()}>
            Export SQL
          </Button>
        ) : null}
      </div>
      {may.backup(database) ? null : <p className="text-sm text-muted">You can back up the database only while it is available.</p>}
      <FormError>{failureText(create.error, 'The backup could not be started. The database is not affected.')}</FormError>
      <FormError>{failureText(sql.error, 'The export failed. The database is not affected.')}</FormError>
      <Loaded query={backups} failed="The backups could not be loaded. They are not affected." skeleton={<Skeleton rows={4} />} />
      {backups.data && rows.length === 0 ? (
        <p className="text-muted">No backups yet. The first daily backup is created within a day.</p>
      ) : null}
      {rows.length > 0 ? (
        <ul aria-label="Backups" className="border border-border">
          {rows.map((backup) => (
            <BackupRow
              key={backup.id}
              backup={backup}
              onRestore={() => setAsked({ kind: 'restore', backup })}
              onDelete={() => setAsked({ kind: 'delete', backup })}
            />
          ))}
        </ul>
      ) : null}
      {backups.hasNextPage ? (
        <div>
          <Button busy={backups.isFetchingNextPage} onClick={() => void backups.fetchNextPage()}>
            Load more
          </Button>
        </div>
      ) : null}
      {asked?.kind === 'restore' ? <RestoreDialog database={database} backup={asked.backup} onClose={close} /> : null}
      {asked?.kind === 'delete' ? <DeleteBackupDialog database={database} backup={asked.backup} onClose={close} /> : null}
    </div>
  );
}

function DeleteBackupDialog({ database, backup, onClose }: { database: Database; backup: DatabaseBackup; onClose: () => void }) {
  const remove = useDeleteBackup(database.id);
  const zone = useZone();
  return (
    <ConfirmDialog
      open
      danger
      title={`Delete the backup of ${absoluteTime(Date.parse(backup.created_at), zone)}?`}
      confirmLabel="Delete backup"
      busy={remove.isPending}
      error={failureText(remove.error, 'Failed to delete the backup. Nothing was changed.')}
      onClose={onClose}
      onConfirm={() => remove.mutate(backup.id, { onSuccess: onClose })}
    >
      This cannot be undone. The database and its other backups stay.
    </ConfirmDialog>
  );
}
