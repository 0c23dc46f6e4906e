import { type Provider, providerNames } from '@paddock/contract/providers';
import { type SubmitEvent, useState } from 'react';
import { toast } from 'react-hot-toast/headless';
import { failureText } from '../../api/failure.ts';
import { isDemo, readSession } from '../../api/session.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { ConfirmDialog } from '../../ui/overlays/ConfirmDialog.tsx';
import { Dialog } from '../../ui/overlays/Dialog.tsx';
import { PasswordField } from '../accounts/profile/ProofFields.tsx';
import { useLink, useUnlink } from './queries.ts';

/** Asks for the password before the browser leaves for the provider. */
export function LinkDialog({ provider, onClose }: { provider: Provider; onClose: () => void }) {
  const link = useLink();
  const [password, setPassword] = useState('');
  const name = providerNames[provider];
  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (password && !link.isPending) link.mutate({ provider, password });
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Link ${name}`}
      onSubmit={onSubmit}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" busy={link.isPending}>
            Continue to {name}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <p className="text-base text-muted">From then on you can sign in with your account at {name}, too.</p>
        <PasswordField value={password} onChange={setPassword} error={link.error} />
      </div>
    </Dialog>
  );
}

export function UnlinkDialog({ provider, onClose }: { provider: Provider; onClose: () => void }) {
  const unlink = useUnlink();
  const name = providerNames[provider];
  const onConfirm = () =>
    unlink.mutate(provider, {
      onSuccess: () => {
        toast.success(isDemo(readSession()?.token) ? `${name} unlinked. Demo data: nothing was sent.` : `${name} unlinked`);
        onClose();
      },
    });
  return (
    <ConfirmDialog
      open
      title={`Unlink ${name}`}
      confirmLabel={`Unlink ${name}`}
      onConfirm={onConfirm}
      onClose={onClose}
      busy={unlink.isPending}
      error={failureText(unlink.error, `Failed to unlink ${name}`)}
    >
      You can no longer sign in with {name}. Your sessions are not affected, and you can link it again.
    </ConfirmDialog>
  );
}
