import type { ApiKey } from '@paddock/contract';
import { dayMs } from '@paddock/contract/time';
import { useState } from 'react';
import { toast } from 'react-hot-toast/headless';
import { failureText } from '../../api/failure.ts';
import { ConfirmDialog } from '../../ui/overlays/ConfirmDialog.tsx';
import { Timestamp } from '../../ui/text/Timestamp.tsx';
import { messages } from './messages.ts';
import { useRevokeKey } from './queries.ts';

export function RevokeDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const revoke = useRevokeKey();
  const { id, name, last_used_at } = apiKey;
  // Revoking a key that was used within a day breaks something at once, so its name must be typed.
  const [isInUse] = useState(() => last_used_at !== null && Date.now() - Date.parse(last_used_at) < dayMs);
  const onConfirm = () =>
    revoke.mutate(id, {
      onSuccess: () => {
        onClose();
        toast.success(messages.revoked);
      },
      onError: () => void toast.error(messages.revoke),
    });
  return (
    <ConfirmDialog
      open
      danger
      title={`Revoke API key ${name}?`}
      confirmLabel="Revoke key"
      {...(isInUse ? { typedName: name } : {})}
      busy={revoke.isPending}
      error={failureText(revoke.error, messages.revoke)}
      onClose={onClose}
      onConfirm={onConfirm}
    >
      <p>This cannot be undone. Anything that uses the key loses access on its next request, and its live logs close.</p>
      {isInUse && last_used_at ? (
        <p className="mt-2">
          It was last used <Timestamp at={last_used_at} />.
        </p>
      ) : null}
    </ConfirmDialog>
  );
}
