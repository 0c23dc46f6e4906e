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
      The current key stops working at once, and this cannot be undone. A new one with the same name, scopes and lifetime takes its place;
      whatever uses the old one is refused until it has the new one.
    </ConfirmDialog>
  );
}
