import type { Database } from '@paddock/contract';
import { type SubmitEvent, useState } from 'react';
import { toast } from 'react-hot-toast/headless';
import { api } from '../../../api/api.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { FormError } from '../../../ui/feedback/FormError.tsx';
import { Dialog } from '../../../ui/overlays/Dialog.tsx';
import { SteadyWord } from '../../../ui/text/SteadyWord.tsx';
import { fullName } from '../messages.ts';
import { AddressField, otherError } from './AddressField.tsx';
import { useAddress } from './use-address.ts';

/** A new address for a BYO database. The old address is not shown: it holds a password. */
export function ChangeAddressDialog({ database, onClose }: { database: Database; onClose: () => void }) {
  const { id, type, host, port } = database;
  const [url, setUrl] = useState('');
  const [asked, setAsked] = useState(false);
  const address = useAddress(
    (what, { signal }) => api.databases.update({ id, url: what.url }, { signal }),
    () => {
      toast.success('Address changed');
      onClose();
    },
  );
  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    setAsked(true);
    if (url !== '' && !address.busy) void address.submit({ type, url });
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title="Change address"
      description={`${fullName(database)}${host ? `, now at ${host}${port === null ? '' : `:${port}`}` : ''}. Running agents keep the old address until their next start.`}
      onSubmit={onSubmit}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" busy={address.busy !== null}>
            <SteadyWord word={address.checked && !address.checked.reachable ? 'Save anyway' : 'Save address'} widest="Save address" />
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <FormError>{otherError(address.error, 'The address could not be changed. The old one is still in use.')}</FormError>
        <AddressField
          type={type}
          value={url}
          onChange={(next) => {
            setUrl(next);
            address.forget();
          }}
          problem={asked && url === '' ? 'Enter the address' : undefined}
          error={address.error}
          checked={address.checked}
          isChecking={address.busy === 'checking'}
          onCheck={() => void address.check({ type, url })}
        />
      </div>
    </Dialog>
  );
}
