import type { Database, DatabaseBackup } from '@paddock/contract';
import { type SubmitEvent, useState } from 'react';
import { toast } from 'react-hot-toast/headless';
import { failureText } from '../../../api/failure.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { Field } from '../../../ui/controls/Field.tsx';
import { Input } from '../../../ui/controls/Input.tsx';
import { RadioGroup } from '../../../ui/controls/RadioGroup.tsx';
import { FormError } from '../../../ui/feedback/FormError.tsx';
import { Dialog } from '../../../ui/overlays/Dialog.tsx';
import { useZone } from '../../../ui/preferences/zone.ts';
import { absoluteTime } from '../../../ui/text/time.ts';
import { fullName } from '../messages.ts';
import { useRestore } from '../queries.ts';

interface Props {
  database: Database;
  backup: DatabaseBackup;
  onClose: () => void;
}

/** Restores a backup. Restoring over the database itself replaces data, so the project's name must be typed. */
export function RestoreDialog({ database, backup, onClose }: Props) {
  const { project_name, environment, is_attached, status } = database;
  const restore = useRestore(database.id, backup.id);
  const zone = useZone();
  const [into, setInto] = useState<'new' | 'same'>('new');
  const [typed, setTyped] = useState('');
  const isReady = into === 'new' || typed.trim() === project_name;
  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!isReady || restore.isPending) return;
    restore.mutate(into, {
      onSuccess: () => {
        toast.success(into === 'new' ? 'Creating a new database from the backup' : 'The backup is being restored');
        onClose();
      },
    });
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title="Restore backup"
      description={`The backup of ${absoluteTime(Date.parse(backup.created_at), zone)}, of ${fullName(database)}.`}
      onSubmit={onSubmit}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant={into === 'same' ? 'danger' : 'primary'} busy={restore.isPending} disabled={!isReady}>
            {into === 'same' ? 'Replace the data' : 'Restore backup'}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <FormError>{failureText(restore.error, 'The backup could not be restored. Nothing was changed.')}</FormError>
        <RadioGroup
          label="Restore into"
          value={into}
          onChange={setInto}
          options={[
            {
              id: 'new',
              label: 'A new database',
              hint: `A separate copy for inspection and comparison. Agents in ${environment} do not use it, and this database is not changed.`,
            },
            {
              id: 'same',
              label: 'This database',
              hint:
                status === 'failed'
                  ? 'All data in it is replaced with the backup. It cannot be backed up first, because its server does not start.'
                  : `All data in it is replaced with the backup. It is backed up first${is_attached ? ', and agents cannot reach it in the meantime' : ''}.`,
            },
          ]}
        />
        {into === 'same' ? (
          <Field label={`Type ${project_name} to confirm`}>
            <Input value={typed} onChange={(event) => setTyped(event.target.value)} autoComplete="off" spellCheck={false} mono />
          </Field>
        ) : null}
      </div>
    </Dialog>
  );
}
