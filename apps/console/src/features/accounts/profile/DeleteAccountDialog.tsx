import type { Profile } from '@paddock/contract';
import { isSameAddress } from '@paddock/contract/email-address';
import { type SubmitEvent, useState } from 'react';
import { failureText, fieldError } from '../../../api/failure.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { Field } from '../../../ui/controls/Field.tsx';
import { Input } from '../../../ui/controls/Input.tsx';
import { FormError } from '../../../ui/feedback/FormError.tsx';
import { Dialog } from '../../../ui/overlays/Dialog.tsx';
import { PasswordField } from './ProofFields.tsx';
import { given, useDeleteAccount } from './queries.ts';

export function DeleteAccountDialog({ profile, onClose }: { profile: Profile; onClose: () => void }) {
  const remove = useDeleteAccount();
  const [typed, setTyped] = useState('');
  const [password, setPassword] = useState('');
  const ready = isSameAddress(typed, profile.email);
  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (ready && !remove.isPending) remove.mutate({ ...given(profile, password), confirmation: typed });
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title="Delete your account?"
      onSubmit={onSubmit}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="danger" busy={remove.isPending} disabled={!ready}>
            Delete account
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <div className="text-base text-muted">
          <p>This cannot be undone. The following is deleted with your account:</p>
          <ul className="mt-2 list-disc pl-5">
            <li>your sessions and API keys, immediately</li>
            <li>
              your projects: their agents stop; their databases with all data and backups, addresses, variables, logs and stored code are
              removed
            </li>
            <li>your subscription, immediately and without a refund; invoices are kept as required by law</li>
          </ul>
        </div>
        {profile.has_password ? (
          <PasswordField value={password} onChange={setPassword} error={remove.error} />
        ) : (
          <FormError>{failureText(remove.error, 'The account could not be deleted. Nothing was changed.')}</FormError>
        )}
        <Field label={`Type ${profile.email} to confirm`} required error={fieldError(remove.error, 'confirmation')}>
          <Input
            value={typed}
            mono
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            onChange={(event) => setTyped(event.target.value)}
          />
        </Field>
      </div>
    </Dialog>
  );
}
