import { toast } from 'react-hot-toast/headless';
import { failureText } from '../../../api/failure.ts';
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx';
import { useSetPrice } from './queries.ts';

export function RemovePriceDialog({ model, onClose }: { model: string; onClose: () => void }) {
  const set = useSetPrice();
  const onSuccess = () => {
    onClose();
    toast.success('Price removed');
  };
  return (
    <ConfirmDialog
      open
      title={`Remove your price of ${model}?`}
      confirmLabel="Remove price"
      busy={set.isPending}
      error={failureText(set.error, 'Failed to remove the price. Nothing was changed.')}
      onClose={onClose}
      onConfirm={() => set.mutate({ model, price: null }, { onSuccess })}
    >
      The default price applies again if there is one for this model; otherwise, its calls show ‘no price’. Traces are not changed.
    </ConfirmDialog>
  );
}
