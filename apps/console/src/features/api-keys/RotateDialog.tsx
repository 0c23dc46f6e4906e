import type { ApiKey, CreatedKey } from '@paddock/contract';
import { useEffect } from 'react';
import { toast } from 'react-hot-toast/headless';
import { failureText } from '../../api/failure.ts';
import { ConfirmDialog } from '../../ui/overlays/ConfirmDialog.tsx';
import { messages } from './messages.ts';
import { useRotateKey } from './queries.ts';

interface Props {
  apiKey: ApiKey;
  onClose: () => void;
  onMade: (created: CreatedKey) => void;
}

export function RotateDialog({ apiKey: { id, name }, onClose, onMade }: Props) {
  const rotate = useRotateKey(onMade);
  useEffect(() => {
    if (rotate.error) toast.error(messages.rotate);
  }, [rotate.error]);
  return (
    <ConfirmDialog
      open
      danger
      title={`Rotate API key ${name}?`}
      confirmLabel="Rotate key"
      busy={rotate.busy}
      error={failureText(rotate.error, messages.rotate)}
      onClose={onClose}
      onConfirm={() => void rotate.run({ id })}
    >
      The current key stops working immediately, and this cannot be undone. A new key with the same name, scopes and lifetime replaces it.
      Anything that uses the old key loses access until you give it the new one.
    </ConfirmDialog>
  );
}
