import { shownText } from '@paddock/contract/terminal-text';
import { failureText } from '../../../../api/failure.ts';
import { ConfirmDialog } from '../../../../ui/overlays/ConfirmDialog.tsx';
import { useChangeProvider } from './model-providers.ts';

/** Confirms the removal of an entry from the register. */
export function RemoveProvider({ name, onClose }: { name: string; onClose: () => void }) {
  const change = useChangeProvider();
  return (
    <ConfirmDialog
      open
      danger
      onClose={onClose}
      title={`Remove ${shownText(name, 100)} from the register?`}
      confirmLabel="Remove provider"
      onConfirm={() => change.mutate({ name, to: undefined }, { onSuccess: onClose })}
      busy={change.isPending}
      error={failureText(change.error, 'The provider could not be removed. The register is unchanged.')}
    >
      Its region, agreement and note are deleted. Agents can still call it; the next check reports those calls as not allowed.
    </ConfirmDialog>
  );
}
