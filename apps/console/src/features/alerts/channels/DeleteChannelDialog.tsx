import type { Channel } from '@paddock/contract';
import { toast } from 'react-hot-toast/headless';
import { failureText } from '../../../api/failure.ts';
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx';
import { useDeleteChannel } from './queries.ts';
import { messages } from './words.ts';

export function DeleteChannelDialog({ channel: { id, name }, onClose }: { channel: Channel; onClose: () => void }) {
  const remove = useDeleteChannel();
  const onConfirm = () =>
    remove.mutate(id, {
      onSuccess: () => {
        onClose();
        toast.success('Channel deleted');
      },
      onError: () => void toast.error(messages.delete),
    });
  return (
    <ConfirmDialog
      open
      danger
      title={`Delete channel ${name}?`}
      confirmLabel="Delete channel"
      busy={remove.isPending}
      error={failureText(remove.error, messages.delete)}
      onClose={onClose}
      onConfirm={onConfirm}
    >
      This cannot be undone. Its deliveries and its secret are deleted with it, and pending messages are not sent.
    </ConfirmDialog>
  );
}
