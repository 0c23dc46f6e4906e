import type { Channel } from '@paddock/contract';
import { useEffect } from 'react';
import { toast } from 'react-hot-toast/headless';
import { failureText } from '../../../api/failure.ts';
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx';
import { useRotateSecret, type WithSecret } from './use-secret-call.ts';
import { messages } from './words.ts';

interface Props {
  channel: Channel;
  onClose: () => void;
  onMade: (made: WithSecret) => void;
}

export function RotateSecretDialog({ channel: { id, name }, onClose, onMade }: Props) {
  const rotate = useRotateSecret(onMade);
  useEffect(() => {
    if (rotate.error) toast.error(messages.rotate);
  }, [rotate.error]);
  return (
    <ConfirmDialog
      open
      title={`Rotate the secret of ${name}?`}
      confirmLabel="Rotate secret"
      busy={rotate.busy}
      error={failureText(rotate.error, messages.rotate)}
      onClose={onClose}
      onConfirm={() => void rotate.run({ id })}
    >
      A new signing secret replaces the current one and is shown once. For 24 hours, each message is signed with both, so a receiver that
      knows either of them accepts it. After that, the old one stops working.
    </ConfirmDialog>
  );
}
